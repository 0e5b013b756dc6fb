// The sums that convolutions and matrix products of numbers and of quantized numbers are.
#pragma once

#include <vector>

#include "ops/operator_operands.h"

namespace tensordsl::ops::definitions {

/// `value` in the type it is summed in, less `zero` if that is defined: the number that a quantized one
/// represents.
Expr less_zero(const Expr& value, const Expr& zero);

/// NAME_sum over (k.., ci) of the products of the windows of input 0 and the weights, input `weights`, each
/// less its zero point; undefined: none. An element outside the input is `border`.
Func conv_sum(const OperatorOperands& operands, const std::vector<Var>& vars, std::size_t weights,
              const Expr& border, const Expr& input_zero, const Expr& weights_zero);

/// The factors of a matrix product.
struct MatrixElements {
  std::vector<Expr> a, b;  ///< [..,row,k] and [..,k,column]
};

/// The elements of inputs `a` and `b` that are multiplied for the output element at `vars`.
MatrixElements matrix_elements(const OperatorOperands& operands, const std::vector<Var>& vars, std::size_t a,
                               std::size_t b, const RDom& k);

}  // namespace tensordsl::ops::definitions
