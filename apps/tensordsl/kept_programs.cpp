#include "apps/tensordsl/kept_programs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "apps/tensordsl/device_json.h"
#include "base/checksum.h"
#include "base/json_text.h"
#include "runtime/program_files.h"
#include "tensordsl/error.h"
#include "tensordsl/package.h"

namespace tensordsl::cli {
namespace {

namespace fs = std::filesystem;

void add(ProgramKey& key, std::string_view name, const std::vector<std::string>& texts) {
  key.add(name);
  key.add(fmt::format("{}", texts.size()));
  for (const std::string& text : texts) key.add(text);
}

std::vector<std::string> switches_of(const ModelArguments& arguments) {
  const Optimizations& o = arguments.optimizations;
  std::vector<std::string> on;
  for (const auto& [name, is_on] : {std::pair{"random_weights", arguments.random_weights},
                                    {"allow_narrowing", arguments.allow_narrowing},
                                    {"tuned_schedules", arguments.tuned_schedules},
                                    {"movement_elimination", o.movement_elimination},
                                    {"fusion", o.fusion},
                                    {"layout_selection", o.layout_selection},
                                    {"memory_plan", o.memory_plan},
                                    {"winograd", o.winograd},
                                    {"half_sums", o.half_sums}})
    if (is_on) on.push_back(name);
  return on;
}

std::vector<unsigned char> bytes_of(const nlohmann::ordered_json& json) {
  const std::string text = dump_json(json);
  return {text.begin(), text.end()};
}

/// Returns an entry; nothing if there is none.
std::optional<nlohmann::ordered_json> read(const ProgramCache& cache, const ProgramKey& key) {
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
    add(key_, "switches", switches_of(arguments));
    add(key_, "dims", arguments.dims);
    add(key_, "constants", arguments.constants);
    add(key_, "states", arguments.states);
    add(key_, "pictures", arguments.pictures);
    key_.add(arguments.precision);
    key_.add(arguments.weights);
    key_.add(arguments.winograd_mib ? fmt::format("{}", *arguments.winograd_mib) : "");
    key_.add(target.profile ? to_json(*target.profile) : "");
    key_.add(dump_json(device_json(*target.device)));
    if (!arguments.database.empty()) {
      // While another process has a database open, what is new in it is in the log beside it.
      for (const char* ending : {"", "-wal"}) key_.add(files_.checksum(arguments.database + ending));
    }
    cache_ = ProgramCache(ProgramCache::folder_of_environment());
  } catch (const Error&) {
    // Whoever reads the file or the variable next says what is wrong with it.
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
    cache_ = ProgramCache(std::nullopt);  // the model's loading says what is wrong with the file
  }
}

ProgramKey KeptPrograms::second_key(const Dependence& dependence) {
  ProgramKey key = key_;
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
  key.add(dependence.on_sizes ? "sizes" : "");
  if (!dependence.on_sizes) return key;
  for (const auto& [name, value] : arguments_.arrays) {
    key.add(name);
    key.add(fmt::format("{}", value.shape()));
  }
  return key;
}

std::optional<KeptProgram> KeptPrograms::find() {
  try {
    const auto first = read(cache_, key_);
    if (!first) return std::nullopt;
    const ProgramKey key = second_key({first->at("files"), first->at("values"), first->at("on_sizes")});
    const auto second = read(cache_, key);
    if (!second) return std::nullopt;
    const fs::path path = cache_.package_of(key);
    KeptProgram kept{read_package(path.string()).program, second->at("overridden"), second->at("warnings")};
    std::error_code ignored;
    fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
    return kept;
  } catch (const std::exception&) {
    return std::nullopt;  // what is gone or damaged is compiled once more
  }
}

void KeptPrograms::keep(const Model& model, const std::shared_ptr<const Program>& program) {
  if (!cache_.folder()) return;
  try {
    if (!files_.are_current()) return;
    const std::uintmax_t limit = ProgramCache::limit_of_environment();
    std::uintmax_t bytes = 0;
    for (const ProgramFile& file : files_of(*program)) bytes += file.bytes().size();
    if (bytes > limit / 4) return;
    const Dependence dependence{model.external_files(), model.overridden(), model.has_sizes_of_inputs()};
    const ProgramKey key = second_key(dependence);
    std::error_code ignored;
    fs::create_directories(*cache_.folder(), ignored);
    write_package({program, arguments_.model, "", "", {}}, cache_.package_of(key).string());
    cache_.store(key, bytes_of({{"overridden", model.overridden()}, {"warnings", model.warnings()}}));
    cache_.store(key_, bytes_of({{"files", dependence.files},
                                 {"values", dependence.values},
                                 {"on_sizes", dependence.on_sizes}}));
    cache_.trim(limit);
  } catch (const Error&) {
    // The next run compiles once more.
  }
}

}  // namespace tensordsl::cli
