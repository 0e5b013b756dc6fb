// x: [batch, 2*length] given as [4, 14] -> batch = 4, length = 7
#pragma once

#include <string>
#include <vector>

#include "apps/tensordsl/data_files.h"
#include "tensordsl/expr.h"

namespace tensordsl::cli {

/// An input and its extents over Params.
struct SymbolicInput {
  std::string name;
  std::vector<Expr> shape;
};

/// Adds the Params that follow from the shapes of the arrays that are given. Shapes that do not fit are left
/// to check_inputs().
void infer_params(const std::vector<SymbolicInput>& inputs, const Arrays& given, ParamValues& params);

}  // namespace tensordsl::cli
