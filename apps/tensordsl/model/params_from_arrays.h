// x: [batch, 2*length] given as [4, 14] -> batch = 4, length = 7
#pragma once

#include <string>
#include <vector>

#include "apps/tensordsl/model/data_files.h"
#include "ir/nodes/size_conversion.h"
#include "tensordsl/model.h"
#include "tensordsl/program.h"
#include "tensordsl/size_expr.h"

namespace tensordsl::cli {

/// An input and its extents over Params.
struct SymbolicInput {
  std::string name;
  std::vector<SizeExpr> shape;
};

/// Returns the extents of an input or output of a Program or a model.
inline std::vector<SizeExpr> sizes_of(const Program::Value& value) { return value.shape; }
inline std::vector<SizeExpr> sizes_of(const ModelTensor& tensor) { return ir::to_sizes(tensor.shape); }

/// Adds the Params that follow from the shapes of the arrays that are given. Throws Error if an array has a
/// shape from which a Param should follow and that fits none; others are left to check_inputs().
void infer_params(const std::vector<SymbolicInput>& inputs, const Arrays& given, ParamValues& params);

/// Adds the Params that follow from arrays, like infer_params(), for the inputs of a model or a Program.
template <typename Value>
void infer_params_of(const std::vector<Value>& inputs, const Arrays& given, ParamValues& params) {
  std::vector<SymbolicInput> symbolic;
  for (const Value& input : inputs) symbolic.push_back({input.name, sizes_of(input)});
  infer_params(symbolic, given, params);
}

}  // namespace tensordsl::cli
