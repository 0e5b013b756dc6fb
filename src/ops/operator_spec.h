// The operators that a graph is made of, in the one form that import brings every ONNX opset to:
//  - no node has a constant operand where an attribute says it better;
//  - Clip has attributes min and max (absent = unbounded), Pad has pads and value, Reshape has shape,
//    Squeeze, Unsqueeze and reductions have axes, CumSum has axis, Softmax and its like work along their one
//    axis;
//  - RNN, GRU and LSTM are nodes of one step each (ops/shapes/shape_rules.h), and products between them;
//    where the steps are an open number or many, nodes RNNStates, GRUStates and LSTMStates of all steps;
//  - Min and Max have two inputs, Sum is Add, and CastLike is Cast; a Concat of many inputs is one of
//    Concats;
//  - an Einsum has two operands at most; DFT, STFT, GridSample, DeformConv, DynamicQuantizeLinear, TopK,
//    Unique and a Resize that is antialiased are, where that is less work, steps (ops/tables/steps.cpp) and
//    operators between them;
//  - operands broadcast from the last dimension on;
//  - Loop and Scan are the nodes of their steps, one step after the other, or the nodes of one step between
//    marks (ops/loop_marks.h);
//  - operators that need only the shapes of inputs (Shape, ConstantOfShape, Range) have no inputs, but Sizes
//    as attributes.
// After shape inference every default is written out: axes count from 0, windows have kernel_shape, strides,
// dilations and explicit pads, Reshape's shape is its output's, reductions list all of their axes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ops/normalize/normalization.h"
#include "ops/operator_operands.h"
#include "ops/shapes/inferred_node.h"

namespace tensordsl::ops {

/// The operator sets of ONNX in which an operator has a form that its rules know, both included. None:
/// it is a step that rules make of other operators.
struct Opsets {
  std::int64_t first = 0, last = 0;
};

struct InputCount {
  std::size_t least = 1, most = 1;
  std::uint32_t optional = 0;  ///< bit i: input i, one of the first `least`, may be absent
};

/// Returns the Funcs of a node's outputs, in their order. Each is pure and has one dimension per dimension of
/// its output; Funcs that it reads besides the operands (a padded input, a sum) are found through its
/// definition.
using DefineOperator = std::vector<Func> (*)(const OperatorOperands&);

/// The specification of an operator.
struct OperatorSpec {
  std::string_view name;  ///< the key that operator_key() returns
  Opsets opsets{};
  InputCount inputs{};
  NormalizeNode normalize = nullptr;  ///< null: every operator set has the one form
  ShapeRule infer = nullptr;          ///< null, like define, if `normalize` makes other operators of it
  DefineOperator define = nullptr;    ///< null, too, for marks (ops/loop_marks.h), which compute nothing
  std::array<std::string_view, 12> attributes{};  ///< attributes that a node may have; "" is none
  std::size_t outputs = 1;  ///< largest number of outputs; further ones of a file may not be read
};

/// Returns the name that is unique among the operators of all domains: `op` in ONNX's own domain, and
/// "DOMAIN.op" in another one.
std::string operator_key(std::string_view domain, std::string_view op);
/// True if the key is of an operator of another domain than ONNX's own.
bool is_contributed(std::string_view key);

/// True if no file has such nodes.
inline bool is_step(const OperatorSpec& spec) { return spec.opsets.last == 0; }

/// Returns all operators that a file may have, in alphabetical order of their keys.
std::vector<OperatorSpec> operators();
/// Returns the operator or step called `name`; null if there is none.
const OperatorSpec* find_operator(std::string_view name);

/// Checks that `node`, whose operator has only a rule, has inputs and attributes as `spec` says. Throws
/// ModelError otherwise.
void check_node(const OperatorSpec& spec, const Node& node);

/// The shape rule of `spec`, after a check of the number of inputs and the names of the attributes.
/// Throws ModelError or ShapeError; the text does not name the node, the caller does.
InferredNode infer(const OperatorSpec& spec, const OperatorCall& call);

}  // namespace tensordsl::ops
