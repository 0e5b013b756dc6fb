#include "onnx/file/write_complete_model.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <fstream>
#include <set>

#include "base/text/printable.h"
#include "onnx/file/parse_model_file.h"
#include "onnx/file/random_weights.h"
#include "onnx/file/read_tensor.h"
#include "ops/element_types.h"
#include "ops/narrow_types.h"
#include "tensordsl/error.h"

namespace tensordsl::onnx {
namespace {

namespace fs = std::filesystem;

constexpr const char* kWeights = "weights.bin";

/// Moves external data from wherever it is into one file.
class ExternalData {
 public:
  ExternalData(const fs::path& from, const fs::path& to, bool random_weights)
      : from_(from), file_(to / kWeights, std::ios::binary), random_weights_(random_weights) {}

  void move(::onnx::GraphProto& graph) {
    const auto uses = first_uses(graph);
    for (auto& tensor : *graph.mutable_initializer()) {
      const ops::TensorInfo info = read_tensor_info(tensor);
      if (random_weights_ && external_file_is_absent(tensor, from_)) {
        if (ops::find_narrow_type(tensor.data_type())) {
          throw ModelError(
              fmt::format("tensor '{}': {} cannot be filled with random weights; supported: FLOAT",
                          printable(info.name), ops::element_type_name(tensor.data_type())));
        }
        write(tensor, random_weight(info, uses).bytes());
      } else {
        move(tensor);
      }
    }
    for (auto& node : *graph.mutable_node()) {
      for (auto& attribute : *node.mutable_attribute()) {
        if (attribute.has_t()) move(*attribute.mutable_t());
        if (attribute.has_g()) move(*attribute.mutable_g());
      }
    }
  }
  bool is_written() { return file_.flush().good(); }

 private:
  void move(::onnx::TensorProto& tensor) {
    if (tensor.data_location() == ::onnx::TensorProto::EXTERNAL)
      write(tensor, read_external_bytes(tensor, from_));
  }

  void write(::onnx::TensorProto& tensor, std::span<const std::byte> bytes) {
    tensor.clear_external_data();
    const auto set = [&](const char* key, const std::string& text) {
      auto* entry = tensor.add_external_data();
      entry->set_key(key);
      entry->set_value(text);
    };
    set("location", kWeights);
    set("offset", std::to_string(file_.tellp()));
    set("length", std::to_string(bytes.size()));
    file_.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }

  const fs::path& from_;
  std::ofstream file_;
  bool random_weights_;
};

/// The names of all outputs.
std::vector<std::string> add_outputs(::onnx::GraphProto& graph) {
  std::vector<std::string> names;
  std::set<std::string> listed;
  for (const auto& output : graph.output()) {
    names.push_back(output.name());
    listed.insert(output.name());
  }
  for (const auto& node : graph.node()) {
    for (const std::string& output : node.output()) {
      if (output.empty() || !listed.insert(output).second) continue;
      graph.add_output()->set_name(output);
      names.push_back(output);
    }
  }
  return names;
}

}  // namespace

std::vector<std::string> write_complete_model(const fs::path& path, const fs::path& folder,
                                              bool random_weights) {
  try {
    ::onnx::ModelProto model;
    parse_model_file(path, model);
    const fs::path from = path.parent_path();
    ExternalData data(from, folder, random_weights);
    data.move(*model.mutable_graph());
    std::vector<std::string> outputs = add_outputs(*model.mutable_graph());
    std::ofstream file(folder / "model.onnx", std::ios::binary);
    if (!model.SerializeToOstream(&file) || !file.flush() || !data.is_written())
      throw ModelError(fmt::format("cannot write it to {}; check the free space", folder.string()));
    return outputs;
  } catch (const Error& error) {
    throw ModelError(printable(fmt::format("{}: {}", path.string(), error.what())));
  }
}

}  // namespace tensordsl::onnx
