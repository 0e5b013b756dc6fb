#include "onnx_data/prepare.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <optional>
#include <set>

#include "support/temporary.h"
#include "tensordsl/error.h"
#include "tensordsl/model.h"

namespace tensordsl::conformance {
namespace {

namespace fs = std::filesystem;

/// The library's messages about an operand that must be known when it compiles.
constexpr std::array kNotConstant{"computed when the model runs", "is not a constant"};

/// A file of this process that goes with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& bytes) : path_(testing::temporary("onnx_data.onnx")) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code error;
    fs::remove(path_, error);
  }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

bool is_initializer(const ::onnx::GraphProto& graph, const std::string& name) {
  return std::ranges::any_of(graph.initializer(), [&](const auto& tensor) { return tensor.name() == name; });
}

ModelOptions options_for(const ::onnx::GraphProto& graph, const DataSet& data) {
  ModelOptions options;
  for (const auto& [name, value] : data.inputs) {
    if (is_initializer(graph, name)) {
      options.initializers.emplace(name, value);
      continue;
    }
    const auto input = std::ranges::find_if(graph.input(), [&](const auto& i) { return i.name() == name; });
    const auto& dims = input->type().tensor_type().shape().dim();
    for (int d = 0; d < dims.size() && d < static_cast<int>(value.shape().size()); ++d) {
      if (dims[d].has_dim_value()) continue;
      const std::string& symbol = dims[d].dim_param();
      options.dims.emplace(symbol.empty() ? fmt::format("{}[{}]", name, d) : symbol,
                           value.shape()[static_cast<std::size_t>(d)]);
    }
  }
  return options;
}

std::string without_path(const std::string& text, const std::string& path) {
  return text.starts_with(path + ": ") ? text.substr(path.size() + 2) : text;
}

/// The inputs that a refusal names, or if it names none those that may be shapes or axes.
std::set<std::string> inputs_to_fix(const std::string& refusal, const DataSet& data,
                                    const std::set<std::string>& fixed) {
  std::set<std::string> named, possible;
  const auto is_said = [&](const char* text) { return refusal.find(text) != std::string::npos; };
  if (std::ranges::none_of(kNotConstant, is_said)) return named;
  for (const auto& [name, value] : data.inputs) {
    if (fixed.contains(name)) continue;
    if (refusal.find(fmt::format("'{}'", name)) != std::string::npos) named.insert(name);
    if (!value.type().is_float() && value.shape().size() <= 1) possible.insert(name);
  }
  return named.empty() ? possible : named;
}

/// The input becomes an initializer.
void fix_input(::onnx::GraphProto& graph, const std::string& name, const fs::path& file) {
  ::onnx::TensorProto value;
  std::ifstream stream(file, std::ios::binary);
  if (!value.ParseFromIstream(&stream)) throw ModelError("the data cannot be read");
  value.set_name(name);
  *graph.add_initializer() = std::move(value);
  auto& inputs = *graph.mutable_input();
  inputs.erase(std::ranges::find_if(inputs, [&](const auto& input) { return input.name() == name; }));
}

class Preparation {
 public:
  Preparation(const Case& of, ::onnx::ModelProto model, const fs::path& set)
      : path_((of.place / "model.onnx").string()), model_(std::move(model)), set_(set) {
    prepared_.data = read_data_set(model_, set);
    for (std::size_t i = 0; i < prepared_.data.inputs.size(); ++i)
      file_of_[prepared_.data.inputs[i].first] = set / fmt::format("input_{}.pb", i);
  }

  Prepared run(const DeviceInfo& device) {
    CompileTarget target;
    target.device = device;
    prepared_.program = std::make_shared<const Program>(load().compile(target));
    // Host steps would be right, and would not test the kernels.
    if (!prepared_.program->host_steps.empty()) throw ModelError(prepared_.program->warnings.back());
    auto& inputs = prepared_.data.inputs;
    std::erase_if(inputs, [&](const auto& input) { return is_initializer(model_.graph(), input.first); });
    prepared_.constants.assign(fixed_.begin(), fixed_.end());
    return std::move(prepared_);
  }

 private:
  Model load() {
    for (;;) {
      try {
        return try_load();
      } catch (const Error& error) {
        const std::string refusal = without_path(error.what(), path_);
        const auto names = inputs_to_fix(refusal, prepared_.data, fixed_);
        if (names.empty()) throw ModelError(refusal);
        for (const std::string& name : names) fix(name);
      }
    }
  }

  Model try_load() const {
    ModelOptions options = options_for(model_.graph(), prepared_.data);
    for (const std::string& name : fixed_) options.initializers.erase(name);
    if (fixed_.empty()) return Model::load(path_, options);
    const TemporaryFile file(model_.SerializeAsString());
    try {
      return Model::load(file.path(), options);
    } catch (const Error& error) {
      throw ModelError(without_path(error.what(), file.path()));
    }
  }

  void fix(const std::string& name) {
    fixed_.insert(name);
    fix_input(*model_.mutable_graph(), name, file_of_.at(name));
  }

  std::string path_;
  ::onnx::ModelProto model_;
  fs::path set_;
  Prepared prepared_;
  std::map<std::string, fs::path> file_of_;  // by input
  std::set<std::string> fixed_;
};

}  // namespace

std::vector<Prepared> prepare(const Case& of, const DeviceInfo& device) {
  const ::onnx::ModelProto model = read_model(of);
  std::vector<Prepared> prepared;
  for (const fs::path& set : data_sets(of)) prepared.push_back(Preparation(of, model, set).run(device));
  if (prepared.empty()) throw ModelError("it has no data");
  return prepared;
}

}  // namespace tensordsl::conformance
