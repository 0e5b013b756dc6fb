#include "onnx_data/case.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <regex>

#include "onnx/file/read_tensor.h"
#include "tensordsl/error.h"

namespace tensordsl::conformance {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory()) found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

template <typename Proto>
Proto read_proto(const fs::path& path) {
  Proto proto;
  std::ifstream file(path, std::ios::binary);
  if (!file || !proto.ParseFromIstream(&file))
    throw ModelError(fmt::format("{} cannot be read", path.filename().string()));
  return proto;
}

/// Reads "input_0.pb", "input_1.pb" and so on, as many as there are.
std::vector<::onnx::TensorProto> read_tensors(const fs::path& folder, const std::string& stem) {
  std::vector<::onnx::TensorProto> tensors;
  for (;;) {
    const fs::path path = folder / fmt::format("{}_{}.pb", stem, tensors.size());
    if (!fs::exists(path)) return tensors;
    tensors.push_back(read_proto<::onnx::TensorProto>(path));
  }
}

bool is_initializer(const ::onnx::GraphProto& graph, const std::string& name) {
  return std::ranges::any_of(graph.initializer(), [&](const auto& tensor) { return tensor.name() == name; });
}

/// The inputs that the files of a data set are for: all inputs, or all that have no initializer.
std::vector<std::string> fed_inputs(const ::onnx::GraphProto& graph, std::size_t files) {
  std::vector<std::string> all, required;
  for (const auto& input : graph.input()) {
    all.push_back(input.name());
    if (!is_initializer(graph, input.name())) required.push_back(input.name());
  }
  if (files == required.size()) return required;
  if (files <= all.size()) {
    all.resize(files);
    return all;
  }
  throw ModelError(fmt::format("the data has {} inputs, and the model {}", files, all.size()));
}

}  // namespace

std::vector<Case> find_cases(const fs::path& data, const std::string& only) {
  if (!fs::is_directory(data)) throw Error(fmt::format("there is no folder {}", data.string()));
  std::vector<Case> cases;
  try {
    const std::regex wanted(only);
    for (const fs::path& folder : folders_in(data)) {
      for (const fs::path& place : folders_in(folder)) {
        const std::string name = (folder.filename() / place.filename()).string();
        if (fs::exists(place / "model.onnx") && std::regex_search(name, wanted))
          cases.push_back({name, place});
      }
    }
  } catch (const std::regex_error&) {
    throw Error(fmt::format("'{}' is no regular expression", only));
  }
  return cases;
}

::onnx::ModelProto read_model(const Case& of) {
  return read_proto<::onnx::ModelProto>(of.place / "model.onnx");
}

std::vector<fs::path> data_sets(const Case& of) {
  std::vector<fs::path> sets;
  for (const fs::path& folder : folders_in(of.place)) {
    if (folder.filename().string().starts_with("test_data_set_")) sets.push_back(folder);
  }
  return sets;
}

DataSet read_data_set(const ::onnx::ModelProto& model, const fs::path& folder) {
  const auto inputs = read_tensors(folder, "input"), outputs = read_tensors(folder, "output");
  const std::vector<std::string> names = fed_inputs(model.graph(), inputs.size());
  if (outputs.size() != static_cast<std::size_t>(model.graph().output_size())) {
    throw ModelError(fmt::format("the data has {} outputs, and the model {}", outputs.size(),
                                 model.graph().output_size()));
  }
  DataSet set;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    set.inputs.emplace_back(names[i], onnx::read_tensor(inputs[i], folder));
  for (const ::onnx::TensorProto& output : outputs) set.outputs.push_back(onnx::read_tensor(output, folder));
  return set;
}

}  // namespace tensordsl::conformance
