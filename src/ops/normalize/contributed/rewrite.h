// Helpers that the rules of ONNX Runtime's contributed operators share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ops/normalize/composition.h"

namespace tensordsl::ops::normalize::contributed {

/// A Composition of a node whose inputs it reads.
class Rewrite : public Composition {
 public:
  Rewrite(NodeContext& context, const Node& node)
      : Composition(context, node), context_(context), node_(node) {}

  const Node& node() const { return node_; }
  NodeContext& context() const { return context_; }

  bool has(std::size_t i) const { return !node_.input(i).empty(); }
  /// The name of input `i`; "" if it is absent.
  std::string input(std::size_t i) const { return node_.input(i); }
  /// Returns the type and shape of input `i`. Needs: has(i).
  const TensorInfo& info(std::size_t i) const { return context_.info(node_.inputs[i]); }
  const Shape& shape(std::size_t i) const { return info(i).shape; }
  /// True if the node lists output `i`.
  bool gives(std::size_t i) const { return i < node_.outputs.size() && !node_.outputs[i].empty(); }

  /// An attribute that is an integer or a number.
  std::int64_t integer(const char* name, std::int64_t fallback) const {
    return node_.attributes.get<std::int64_t>(name, fallback);
  }
  double number(const char* name, double fallback) const {
    return node_.attributes.get<double>(name, fallback);
  }
  /// An attribute that is 0 or 1. Throws ModelError on other values.
  bool flag(const char* name) const;
  /// Returns the attributes of the node that are in `names`.
  Attributes attributes(std::initializer_list<const char*> names) const;

  /// A constant without dimensions.
  std::string scalar(const std::string& step, Type type, double value);
  /// Input `i`, one number, without dimensions. Throws ModelError if it has more elements.
  std::string scalar(const std::string& step, std::size_t i);
  std::string cast(const std::string& step, const std::string& tensor, Type type);
  /// [N,C,..] becomes [N,..,C], and that the other again, of a tensor of `rank` dimensions.
  std::string channels_last(const std::string& step, const std::string& tensor, std::size_t rank);
  std::string channels_first(const std::string& step, const std::string& tensor, std::size_t rank);
  /// The sum of tensors that broadcast; those that are "" are left out.
  std::string sum(const std::string& step, const std::vector<std::string>& tensors);

  /// (x - zero) * scale; `zero` may be "".
  std::string dequantize(const std::string& step, const std::string& x, const std::string& scale,
                         const std::string& zero);
  /// x / scale, rounded to even, + zero, limited to the range of `type`.
  std::string quantize(const std::string& step, const std::string& x, const std::string& scale,
                       const std::string& zero, Type type);

  /// `tensor` through the activation of that name in ONNX, with the attributes that are given.
  std::string activation(const std::string& tensor, const std::string& name, Attributes attributes);

 private:
  NodeContext& context_;
  const Node& node_;
};

/// Checks that input `i` is of one of the types. Throws ModelError otherwise.
void require_type(const Rewrite& made, std::size_t i, std::initializer_list<Type> types);

}  // namespace tensordsl::ops::normalize::contributed
