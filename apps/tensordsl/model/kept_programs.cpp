#include "apps/tensordsl/model/kept_programs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/checksum.h"
#include "base/json_text.h"
#include "report/quantity.h"
#include "runtime/device/device_key.h"
#include "runtime/json/program_files.h"
#include "runtime/values/evaluate.h"
#include "tensordsl/error.h"
#include "tensordsl/infer_params.h"
#include "tensordsl/package.h"

namespace tensordsl::cli {
namespace {

namespace fs = std::filesystem;

void add(runtime::ProgramKey& key, std::string_view name, const std::vector<std::string>& texts) {
  key.add(name);
  key.add(fmt::format("{}", texts.size()));
  for (const std::string& text : texts) key.add(text);
}

std::vector<unsigned char> bytes_of(const nlohmann::ordered_json& json) {
  const std::string text = dump_json(json);
  return {text.begin(), text.end()};
}

/// True if the arrays have shapes that the Program's inputs may have.
bool has_sizes(const Program& program, const Arrays& arrays) {
  std::vector<GivenShape> shapes;
  for (const Program::Value& input : program.inputs) {
    if (const auto given = arrays.find(input.name); given != arrays.end())
      shapes.push_back({input.name, input.shape, given->second.shape()});
  }
  ParamValues params;
  const auto is = [&](const SizeExpr& extent, std::int64_t size) {
    return !runtime::has_values(extent, params) || runtime::evaluate(extent, params) == size;
  };
  return infer_params(shapes, params) == nullptr && std::ranges::all_of(shapes, [&](const GivenShape& input) {
           return std::ranges::equal(input.extents, input.shape, is);
         });
}

std::optional<std::string> too_large(std::uintmax_t bytes, std::uintmax_t limit) {
  constexpr std::uintmax_t kMiB = 1 << 20;
  if (limit == 0) return std::nullopt;
  return fmt::format(
      "the lowered model takes {}, more than a quarter of the cache limit of {}: it is not cached, and every "
      "run lowers the model again; set TENSORDSL_CACHE_LIMIT={} to cache it",
      report::quantity(static_cast<double>(bytes), "B"), report::quantity(static_cast<double>(limit), "B"),
      (bytes * 4 + kMiB - 1) / kMiB);
}

/// Returns an entry; nullopt if there is none.
std::optional<nlohmann::ordered_json> read(const runtime::ProgramCache& cache,
                                           const runtime::ProgramKey& key) {
  const auto bytes = cache.load(key);
  if (!bytes) return std::nullopt;
  return parse_json({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
}

}  // namespace

KeptPrograms::KeptPrograms(const ModelArguments& arguments, const CompileTarget& target)
    : arguments_(arguments) {
  try {
    key_.add("a lowered program");
    key_.add(files_.checksum("/proc/self/exe"));
    key_.add(files_.checksum(arguments.model));
    std::vector<std::string> given;
    for (const auto& [name, value] : arguments.arrays) given.push_back(name);
    add(key_, "given", given);
    add(key_, "options", compile_options_of(arguments));
    key_.add(target.profile ? to_json(*target.profile) : "");
    key_.add(runtime::device_key(*target.device));
    if (!arguments.database.empty()) {
      // While another process has a database open, its new records are in the log next to it.
      for (const char* ending : {"", "-wal"}) key_.add(files_.checksum(arguments.database + ending));
    }
    cache_ = runtime::ProgramCache(runtime::ProgramCache::folder_of_environment());
  } catch (const Error&) {
    // Errors are reported by the next reader of the file or the variable.
  }
}

const std::string& KeptPrograms::checksum_of_weights(const std::string& file) {
  return files_.checksum(fs::path(arguments_.model).parent_path() / file);
}

void KeptPrograms::note_weights(const std::vector<std::string>& files) {
  try {
    if (!cache_.folder()) return;
    for (const std::string& file : files) checksum_of_weights(file);
  } catch (const Error&) {
    cache_ = runtime::ProgramCache(std::nullopt);  // loading the model reports errors of the file
  }
}

runtime::ProgramKey KeptPrograms::second_key(const Dependence& dependence) {
  runtime::ProgramKey key = key_;
  add(key, "files", dependence.files);
  for (const std::string& file : dependence.files) key.add(checksum_of_weights(file));
  add(key, "values", dependence.values);
  for (const std::string& name : dependence.values) {
    const auto given = arguments_.arrays.find(name);
    if (given == arguments_.arrays.end()) {
      key.add("none");
      continue;
    }
    const Buffer& value = given->second;
    key.add(fmt::format("{}{}", to_string(value.type()), value.shape()));
    key.add(to_hex(checksum(value.bytes())));
  }
  key.add(dependence.on_folding ? "folding" : "");
  if (dependence.on_folding) {
    const auto device = folding_device(arguments_);
    key.add(device ? runtime::device_key(*device) : "none");
  }
  key.add(dependence.on_sizes ? "sizes" : "");
  if (!dependence.on_sizes) return key;
  for (const auto& [name, value] : arguments_.arrays) {
    key.add(name);
    key.add(fmt::format("{}", value.shape()));
  }
  return key;
}

std::vector<KeptPrograms::Dependence> KeptPrograms::dependences() const {
  std::vector<Dependence> found;
  try {
    const auto first = read(cache_, key_);
    if (!first) return found;
    for (const auto& entry : *first)
      found.push_back({entry.at("files"), entry.at("values"), entry.at("on_sizes"), entry.at("on_folding")});
  } catch (const std::exception&) {
    // A damaged entry is replaced.
  }
  return found;
}

std::optional<KeptProgram> KeptPrograms::find(const Dependence& dependence) {
  try {
    const runtime::ProgramKey key = second_key(dependence);
    const auto second = read(cache_, key);
    if (!second) return std::nullopt;
    const fs::path path = cache_.package_of(key);
    KeptProgram kept{read_package(path.string()).program, second->at("overridden"), second->at("warnings")};
    if (!has_sizes(*kept.program, arguments_.arrays)) return std::nullopt;
    std::error_code ignored;
    fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
    return kept;
  } catch (const std::exception&) {
    return std::nullopt;  // compiles again if files are missing or damaged
  }
}

std::optional<KeptProgram> KeptPrograms::find() {
  for (const Dependence& dependence : dependences())
    if (auto kept = find(dependence)) return kept;
  return std::nullopt;
}

std::optional<std::string> KeptPrograms::keep(const Model& model,
                                              const std::shared_ptr<const Program>& program) {
  if (!cache_.folder()) return std::nullopt;
  try {
    if (!files_.are_current()) return std::nullopt;
    const std::uintmax_t limit = runtime::ProgramCache::limit_of_environment();
    std::uintmax_t bytes = 0;
    for (const runtime::ProgramFile& file : runtime::files_of(*program)) bytes += file.bytes().size();
    if (bytes > limit / 4) return too_large(bytes, limit);
    std::vector<std::string> values = model.overridden();
    values.insert(values.end(), model.is_for_values().begin(), model.is_for_values().end());
    const Dependence dependence{model.external_files(), values, model.has_sizes_of_inputs(), folds_};
    const runtime::ProgramKey key = second_key(dependence);
    std::error_code ignored;
    fs::create_directories(*cache_.folder(), ignored);
    tensordsl::write_package({program, arguments_.model, "", "", {}}, cache_.package_of(key).string());
    cache_.store(key, bytes_of({{"overridden", model.overridden()}, {"warnings", model.warnings()}}));
    note(dependence);
    cache_.trim(limit);
  } catch (const Error&) {
    // The next run compiles once more.
  }
  return std::nullopt;
}

void KeptPrograms::note(const Dependence& dependence) {
  std::vector<Dependence> all = dependences();
  std::erase(all, dependence);
  all.insert(all.begin(), dependence);
  nlohmann::ordered_json entry = nlohmann::ordered_json::array();
  for (const Dependence& each : all) {
    entry.push_back({{"files", each.files},
                     {"values", each.values},
                     {"on_sizes", each.on_sizes},
                     {"on_folding", each.on_folding}});
  }
  cache_.store(key_, bytes_of(entry));
}

}  // namespace tensordsl::cli
