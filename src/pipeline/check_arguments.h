// Checks the arguments of realize() and prepare().
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ir/nodes/function.h"
#include "tensordsl/buffer.h"
#include "tensordsl/param_value.h"

namespace tensordsl {

/// Throws Error if a name is not that of a Param of the pipeline, the message lists them, or if a Param
/// cannot have the value.
void check_params(const std::vector<ir::FunctionPtr>& outputs, const ParamValues& params);
/// Throws Error if a name is not that of an Input of the pipeline; the message lists them.
void check_inputs(const std::vector<ir::FunctionPtr>& outputs, const std::map<std::string, Buffer>& inputs);
/// Throws DefinitionError, which starts with `call`, if there is not one index for each dimension, and
/// ShapeError if there is no such element of an Input.
void check_index(const std::string& call, const ir::Function& function,
                 const std::vector<std::int64_t>& index, const std::map<std::string, Buffer>& inputs);
/// Throws DefinitionError if an output has no definition, and Error if a name of `shapes` is not that of one.
void check_outputs(const std::vector<ir::FunctionPtr>& outputs,
                   const std::map<std::string, std::vector<std::int64_t>>& shapes);
/// Throws ShapeError if `shape` is not one that it may
/// have: by its bound(), from which it may be left away, or of its rank.
void check_shape(const ir::FunctionPtr& output, const ParamValues& params,
                 const std::vector<std::int64_t>& shape);

/// Throws Error if there is no such Input, ShapeError if the value is not of its type and shape, or that
/// shape is not of numbers.
void check_constant(const std::vector<ir::FunctionPtr>& outputs, const std::string& input,
                    const Buffer& value);

}  // namespace tensordsl
