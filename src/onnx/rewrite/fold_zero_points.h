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
  /// Returns the value of an input of the node; null if it is not a constant, or absent.
  std::function<const Buffer*(std::size_t input)> value;
  /// A new constant, called so or nearly so.
  std::function<Func(const std::string& name, Buffer value)> add;
};

/// QLinearConv(.., w: u8, w_scale, w_zero = 128, ..)  ->  QLinearConv(.., w - 128: i8, w_scale, none, ..)
/// and MatMulInteger(a, b, 0, 0)  ->  MatMulInteger(a, b)
/// and MatMulInteger(a, b, a_zero)  ->  MatMulInteger(a, b, a_zero, none, sums of the columns of b)
/// Folds zero points of the operands of ConvInteger, MatMulInteger, QLinearConv and QLinearMatMul. A zero
/// point of constant weights is subtracted from them if all results fit i8; zero points that are constant
/// zeros are removed. If only the other factor has a zero point, the sums of constant weights are added as
/// one more input than the operator has, which its definition supports. Needs: operands as the node has them.
/// Gives: sums of products of the stored numbers.
void fold_zero_points(std::string_view op, ops::OperatorOperands& operands, const GraphConstants& constants);

}  // namespace tensordsl::onnx
