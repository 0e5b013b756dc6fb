// Builds the nodes of other operators that replace a node, step by step.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "ops/normalize/normalization.h"

namespace tensordsl::ops::normalize {

/// {{"axis", 1}, ..}
Attributes attributes_of(std::initializer_list<std::pair<const char*, Attributes::Value>> values);

/// Adds nodes that replace one. All of them are in the form of ops/operator_spec.h, or of operators that have
/// only a rule: other rules are not applied to them again.
class Composition {
 public:
  Composition(NodeContext& context, const Node& of) : context_(context), of_(of) {}

  /// A node called "NAME.step" that makes a tensor "OUTPUT.step" of its own, whose name is given back.
  std::string add(const std::string& step, const std::string& op, std::vector<std::string> inputs,
                  Attributes attributes = {});
  /// Adds a node like add(), with `count` outputs, "OUTPUT.step", "OUTPUT.step.1" and so on. Returns their
  /// names.
  std::vector<std::string> add_outputs(const std::string& step, const std::string& op,
                                       std::vector<std::string> inputs, Attributes attributes,
                                       std::size_t count);
  std::string constant(const std::string& step, Buffer value);
  /// `tensor` becomes output `i` of the node, if it has that.
  void give(std::size_t i, const std::string& tensor);

  std::string reshape(const std::string& step, const std::string& tensor, const Shape& shape);
  std::string transpose(const std::string& step, const std::string& tensor, const Ints& perm);
  /// Elements from `begin` on along `axis`, but the last `left` ones, of a tensor of `rank` dimensions.
  /// Below 0 they are zeros that it gets there.
  std::string part(const std::string& step, const std::string& tensor, std::size_t rank, std::size_t axis,
                   const Size& begin, const Size& left);
  /// Elements from `begin` to `end` along `axis`, which are all inside.
  std::string slice(const std::string& step, const std::string& tensor, std::int64_t axis, const Size& begin,
                    const Size& end);
  /// Concatenates tensors along `axis`. Each must have elements.
  std::string concat(const std::string& step, std::vector<std::string> tensors, std::int64_t axis);

  std::vector<Node> take() { return std::move(nodes_); }

 private:
  NodeContext& context_;
  const Node& of_;
  std::vector<Node> nodes_;
};

}  // namespace tensordsl::ops::normalize
