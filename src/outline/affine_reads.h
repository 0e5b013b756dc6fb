// The reads and operations of a definition, with Funcs that are substituted into it.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ir/nodes/function.h"

namespace tensordsl::outline {

/// A sum of multiples of a nest's variables. A quotient counts as the fraction that it is on average.
struct Affine {
  std::vector<std::pair<int, double>> terms{};
  double constant = 0;

  void add(const Affine& other, double factor);
  double coefficient_of(int variable) const;
};

/// The dimensions and axes of a definition, in terms of the nest's variables.
using Names = std::map<std::string, Affine>;

/// A read of a tensor with memory of its own.
struct Read {
  ir::FunctionPtr tensor;
  int component = ir::kWhole;
  std::vector<Affine> indices;
  bool is_bordered = false;  ///< true: some of its indices are clamped
};

/// Operations of one element: multiply-adds, other operations, and divisions or what takes as long.
struct Operations {
  double multiply_adds = 0, others = 0, special = 0;
};

/// Collects the reads of a definition's values, each index once, and adds up their operations; those of an
/// inlined Func count once for each element that is read. Reads of the Func that is being defined are left
/// out.
void collect(const std::vector<Expr>& values, const Names& names, std::vector<Read>& reads,
             Operations& operations);

}  // namespace tensordsl::outline
