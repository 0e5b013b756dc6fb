// Operators as DSL definitions: what a node computes, written once, for every use of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ops/attributes.h"
#include "ops/tensor_info.h"
#include "tensordsl/func.h"

namespace tensordsl {

/// A node to define: its operands as Funcs or Inputs over their logical dimensions, in ONNX's order. A scalar
/// is a Func of one dimension of extent 1, because a Func needs an index.
struct OperatorOperands {
  std::string name;               ///< starts the names of the Funcs that are made; unique within a pipeline
  const Attributes& attributes;   ///< every default written out, as after shape inference
  std::vector<Func> inputs;       ///< an optional input that is absent is left out at the end
  std::vector<TensorInfo> infos;  ///< of the inputs, in the same order
  TensorInfo output;              ///< its type is what the output Func stores; f16 arithmetic is done in f32
};

/// The Funcs of a node. `output` is pure and has one dimension per output dimension; its reductions and
/// padded inputs are listed apart, because a schedule places them.
struct OperatorDefinition {
  Func output;
  std::vector<Func> reductions;  ///< Funcs with updates, in the order of evaluation (Conv: the sum)
  std::vector<Func> padded;      ///< inputs extended past their borders
};

using DefineOperator = OperatorDefinition (*)(const OperatorOperands&);

/// The definition of an ONNX operator; null if there is none (the operator never reaches code generation).
DefineOperator find_definition(std::string_view op);

/// True for operators that compute each output element from one element of each input at the same (or
/// broadcast) place: these are inlined into whatever produces their first input.
bool is_elementwise(std::string_view op);

}  // namespace tensordsl
