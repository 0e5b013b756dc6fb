#include "onnx/bodies/body_parts.h"

#include <algorithm>

namespace tensordsl::onnx {

using ops::Attributes;
using ops::Node;

const ::onnx::AttributeProto* find_attribute(const ::onnx::NodeProto& node, const std::string& name) {
  const auto found = std::ranges::find_if(
      node.attribute(), [&](const ::onnx::AttributeProto& attribute) { return attribute.name() == name; });
  return found == node.attribute().end() ? nullptr : &*found;
}

const ::onnx::GraphProto& body_graph(const Node& node, const ::onnx::NodeProto& proto,
                                     const std::string& name) {
  const ::onnx::AttributeProto* attribute = find_attribute(proto, name);
  if (!attribute || !attribute->has_g()) refuse_node(node, "attribute {} is missing", name);
  return attribute->g();
}
std::int64_t opset_in(const ::onnx::FunctionProto& function, std::int64_t outside) {
  for (const auto& set : function.opset_import()) {
    if (is_own_domain(set.domain())) return set.version();
  }
  return outside;
}
Node identity(const Node& of, const std::string& from, const std::string& to) {
  return {of.name, "Identity", {from}, {to}, {}};
}

Attributes with(const char* name, Attributes::Value value) {
  Attributes attributes;
  attributes.set(name, std::move(value));
  return attributes;
}

}  // namespace tensordsl::onnx
