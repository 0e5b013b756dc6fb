// Helpers that the files of this folder share.
#pragma once

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "onnx/bodies/bodies.h"
#include "onnx/file/read_node.h"
#include "tensordsl/error.h"

namespace tensordsl::onnx {

/// Reports an error of the node. Throws ModelError that begins with the node.
template <typename... Arguments>
[[noreturn]] void refuse_node(const ops::Node& node, fmt::format_string<Arguments...> format,
                              Arguments&&... arguments) {
  throw ModelError(
      fmt::format("{}: {}", label(node), fmt::format(format, std::forward<Arguments>(arguments)...)));
}

const ::onnx::AttributeProto* find_attribute(const ::onnx::NodeProto& node, const std::string& name);
/// Returns the graph that is an attribute. Throws ModelError if there is none.
const ::onnx::GraphProto& body_graph(const ops::Node& node, const ::onnx::NodeProto& proto,
                                     const std::string& name);
/// The operator set of ONNX in a function; `outside` if it does not say.
std::int64_t opset_in(const ::onnx::FunctionProto& function, std::int64_t outside);
/// A node that names a tensor.
ops::Node identity(const ops::Node& of, const std::string& from, const std::string& to);
/// Returns attributes with a single one.
ops::Attributes with(const char* name, ops::Attributes::Value value);

template <typename Nodes>
std::vector<const ::onnx::NodeProto*> pointers(const Nodes& nodes) {
  std::vector<const ::onnx::NodeProto*> result;
  for (const ::onnx::NodeProto& node : nodes) result.push_back(&node);
  return result;
}
/// Nodes that the steps of a loop become at most if they are written out: each takes about a millisecond to
/// compile, and all of them as long as a small network.
inline constexpr std::int64_t kMostWrittenOut = 256;

/// The names that a body sees, and the tensors to which they refer.
struct Bodies::Scope {
  std::map<std::string, std::string> names;  ///< tensors that the body defines
  ScopePtr outer;                            ///< null: the model's graph, whose names are not changed
  bool is_function = false;                  ///< sees nothing outside
  std::map<std::string, ::onnx::AttributeProto> attributes;  ///< attributes of the call of a function
  std::int64_t opset = 0;
};

}  // namespace tensordsl::onnx
