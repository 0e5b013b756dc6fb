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

/// Checks values of Params. Throws Error if the pipeline has no Param of a name (the message lists those that
/// it has), or if a Param cannot have its value.
void check_params(const std::vector<ir::FunctionPtr>& outputs, const ParamValues& params);
/// Checks names of Inputs. Throws Error if the pipeline has no Input of a name; the message lists those that
/// it has.
void check_inputs(const std::vector<ir::FunctionPtr>& outputs, const std::map<std::string, Buffer>& inputs);
/// Checks the index of an element. Throws DefinitionError, which starts with `call`, if there is not one
/// index for each dimension, and ShapeError if there is no such element of an Input.
void check_index(const std::string& call, const ir::Function& function,
                 const std::vector<std::int64_t>& index, const std::map<std::string, Buffer>& inputs);
/// Checks requested outputs. Throws DefinitionError if an output has no definition, and Error if `shapes`
/// names something else than an output.
void check_outputs(const std::vector<ir::FunctionPtr>& outputs,
                   const std::map<std::string, std::vector<std::int64_t>>& shapes);
/// Checks the shape of an output against its bound(), whose extents may be omitted, and its rank. Throws
/// ShapeError if it may not have this shape.
void check_shape(const ir::FunctionPtr& output, const ParamValues& params,
                 const std::vector<std::int64_t>& shape);

/// Checks a constant for an Input. Throws Error if there is no such Input, ShapeError if the value is not of
/// its type and shape, or the shape contains Params.
void check_constant(const std::vector<ir::FunctionPtr>& outputs, const std::string& input,
                    const Buffer& value);

}  // namespace tensordsl
