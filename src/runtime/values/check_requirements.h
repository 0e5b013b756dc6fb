// Checks the sizes of a run against the requirements of its kernels.
#pragma once

#include <vector>

#include "runtime/values/run_values.h"
#include "tensordsl/program.h"

namespace tensordsl::runtime {

/// Checks requirements of the Program. Throws ShapeError if a read would be outside its tensor, or a factor
/// is too small. Skips requirements that depend on unknown counts, and those in `checked`, which is indexed
/// by requirement and in which the call marks those that it checks.
void check_requirements(const Program& program, const RunValues& values, std::vector<bool>& checked);

/// Checks all requirements of the Program. Throws ShapeError if one does not hold.
void check_requirements(const Program& program, const ParamValues& values);

/// Checks that a kernel can index the dimension. Throws ShapeError otherwise. `as` is the text of the extent
/// over the Params; empty if it is a number.
void require_extent(const std::string& tensor, int dimension, std::int64_t extent,
                    const std::string& as = "");

/// Returns the indices in `checked` of those that have the Param.
std::vector<std::size_t> requirements_over(const Program& program, const std::string& param);

}  // namespace tensordsl::runtime
