// The interface of the rules that rewrite a node into the canonical form of its operator.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ops/node.h"
#include "ops/tensor_info.h"
#include "tensordsl/buffer.h"

namespace tensordsl::ops {

/// The model around a node, as far as a rule may ask and add to it.
class NodeContext {
 public:
  virtual ~NodeContext() = default;
  /// The opset in which the node is written: of the file, or of a function in it.
  virtual std::int64_t opset() const = 0;
  /// The type and shape of a tensor that is computed before the node.
  virtual const TensorInfo& info(const std::string& tensor) const = 0;
  /// The number of the type of its elements, TensorProto.DataType, as the file has it: the tensor may hold
  /// them in another type (ops/narrow_types.h).
  virtual std::int64_t element_type(const std::string& tensor) const = 0;
  /// Sets the element type of an output. An output without one takes the element type of the first input held
  /// in the same type.
  virtual void set_element_type(const std::string& tensor, std::int64_t number) = 0;
  /// The value of a tensor that is known now; null if it is computed while the model runs, or absent.
  virtual const Buffer* constant(const std::string& tensor) const = 0;
  /// Returns the elements of a tensor of integers that is a constant or follows only from symbolic
  /// dimensions; null if it is computed while the model runs, or absent.
  virtual const Sizes* sizes(const std::string& tensor) const = 0;
  /// The inputs of the model that `tensor` is computed from, in alphabetical order; itself, if it is one.
  virtual std::vector<std::string> inputs_behind(const std::string& tensor) const = 0;
  /// `base`, or `base` with a number, such that no tensor has that name; it is taken from now on.
  virtual std::string fresh_tensor(const std::string& base) = 0;
  virtual void add_constant(const std::string& tensor, Buffer value) = 0;
  /// An extent that `tensor` holds, which nodes that are given here make, before those that have it in a
  /// shape: one i32 or i64, from 0 to `bound`.
  virtual Size add_count(const std::string& tensor, const Size& bound) = 0;
};

/// Returns the nodes that replace `node`, in order; their last one makes its outputs. Rules are applied to
/// those whose operator has only a rule, when their inputs are known. Throws ModelError.
using NormalizeNode = std::vector<Node> (*)(NodeContext& context, Node node);

namespace normalize {

/// Reports an error of the node. Throws ModelError.
[[noreturn]] void refuse(const Node& node, const std::string& what);

/// Drops is_test, which says before opset 7 that the node is for inference. Throws ModelError if it says the
/// contrary.
void drop_is_test(const NodeContext& context, Node& node);

/// Returns the type and shape of input 0. Throws ModelError if it is absent.
const TensorInfo& data_info(const NodeContext& context, const Node& node);

/// Returns input `i`, which `what` names in messages. Throws ModelError if it is computed while the model
/// runs; the message names the inputs of the model that it depends on.
const Buffer& constant_operand(const NodeContext& context, const Node& node, std::size_t i,
                               std::string_view what);
/// Two for each dimension of a tensor: a begin and an end.
inline constexpr std::size_t kMostSizes = 2 * kMaxRank;
/// Returns constant_operand() as no more than `most` integers.
Ints constant_ints(const NodeContext& context, const Node& node, std::size_t i, std::string_view what,
                   std::size_t most = kMostSizes);
/// Returns the operand as no more than `most` sizes, which may have symbolic dimensions in them.
Sizes size_operand(const NodeContext& context, const Node& node, std::size_t i, std::string_view what,
                   std::size_t most = kMostSizes);
/// Returns size_operand() of one element.
Size size_scalar(const NodeContext& context, const Node& node, std::size_t i, std::string_view what);
/// Returns constant_operand() as numbers.
std::vector<double> constant_numbers(const NodeContext& context, const Node& node, std::size_t i,
                                     std::string_view what);
/// Returns constant_operand() as one number.
double constant_scalar(const NodeContext& context, const Node& node, std::size_t i, std::string_view what);

/// `axis` of a tensor of `rank` dimensions, counted from 0. Throws ModelError about the node.
std::size_t axis_from_start(const Node& node, std::int64_t axis, std::size_t rank);

/// A node that takes part of the work of `of`: "NAME.step", from `inputs` to a tensor "OUTPUT.step" of its
/// own.
Node step_of(NodeContext& context, const Node& of, const std::string& step, std::string op,
             std::vector<std::string> inputs);

}  // namespace normalize
}  // namespace tensordsl::ops
