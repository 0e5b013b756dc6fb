#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "ops/operator_operands.h"
#include "tensordsl/buffer.h"

namespace tensordsl::onnx {

/// The constants of a graph that is being defined.
struct GraphConstants {
  /// The value of an input of the node; null if it is none, or absent.
  std::function<const Buffer*(std::size_t input)> value;
  /// A new constant, called so or nearly so.
  std::function<Func(const std::string& name, Buffer value)> add;
};

/// QLinearConv(.., w: u8, w_scale, w_zero = 128, ..)  ->  QLinearConv(.., w - 128: i8, w_scale, none, ..)
/// and MatMulInteger(a, b, 0, 0)  ->  MatMulInteger(a, b)
/// and MatMulInteger(a, b, a_zero)  ->  MatMulInteger(a, b, a_zero, none, sums of the columns of b)
/// Of the operands of ConvInteger, MatMulInteger, QLinearConv and QLinearMatMul: zero points of constant
/// weights are in the weights, where all of these fit into an i8 then, and zero points that are constant
/// zeros are left out. With a zero point of the other factor alone, the sums of constant weights are one
/// input more than the operator has, which its definition knows.
/// Needs: operands as the node has them.  Gives: sums of products of numbers as they are in memory.
void fold_zero_points(std::string_view op, ops::OperatorOperands& operands, const GraphConstants& constants);

}  // namespace tensordsl::onnx
