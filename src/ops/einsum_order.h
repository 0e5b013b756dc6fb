// "ij,jk,kl->il"   ->   "ij,jk->ik", then "ik,kl->il"
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ops/einsum_equation.h"

namespace tensordsl::ops {

/// An Einsum of one or two operands. The operands of the whole equation have the numbers 0 to n - 1, the
/// result of step s has n + s.
struct EinsumStep {
  std::vector<std::size_t> operands;
  std::string equation;
};

/// Returns steps whose last one computes `equation`. An operand is summed first over the labels that no other
/// operand has. Then the two operands are multiplied whose product takes least memory beyond what the two
/// take, those that share a label before those that do not: the greedy order of opt_einsum. An open extent
/// counts as the largest known one, so that it never makes a product seem small. Empty if one step is as good
/// as several, or if there are more labels than letters.
std::vector<EinsumStep> einsum_steps(const EinsumEquation& equation);

}  // namespace tensordsl::ops
