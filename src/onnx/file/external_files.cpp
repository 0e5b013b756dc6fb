#include "onnx/file/external_files.h"

#include <onnx/onnx_pb.h>

namespace tensordsl::onnx {
namespace {

class FileFinder {
 public:
  void add(const ::onnx::GraphProto& graph) {
    for (const auto& tensor : graph.initializer()) add(tensor);
    for (const auto& tensor : graph.sparse_initializer()) {
      add(tensor.values());
      add(tensor.indices());
    }
    add_nodes(graph);
  }

  template <typename Nodes>
  void add_nodes(const Nodes& nodes) {
    for (const auto& node : nodes.node()) {
      for (const auto& attribute : node.attribute()) {
        if (attribute.has_t()) add(attribute.t());
        if (attribute.has_g()) add(attribute.g());
        for (const auto& tensor : attribute.tensors()) add(tensor);
        for (const auto& graph : attribute.graphs()) add(graph);
      }
    }
  }

  std::set<std::string> take() { return std::move(files_); }

 private:
  void add(const ::onnx::TensorProto& tensor) {
    if (tensor.data_location() != ::onnx::TensorProto::EXTERNAL) return;
    for (const auto& field : tensor.external_data())
      if (field.key() == "location") files_.insert(field.value());
  }

  std::set<std::string> files_;
};

}  // namespace

std::set<std::string> external_files(const ::onnx::ModelProto& model) {
  FileFinder finder;
  finder.add(model.graph());
  for (const auto& function : model.functions()) finder.add_nodes(function);
  return finder.take();
}

}  // namespace tensordsl::onnx
