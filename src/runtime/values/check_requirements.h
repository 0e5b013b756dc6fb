// What kernels need of the sizes that they run with.
#pragma once

#include <vector>

#include "runtime/values/run_values.h"
#include "tensordsl/program.h"

namespace tensordsl::runtime {

/// Throws ShapeError if a read would be outside its tensor, or a factor too small. Those over counts that are
/// not known yet are left alone, and those in `checked`, by their places, which grows by what is checked
/// here.
void check_requirements(const Program& program, const RunValues& values, std::vector<bool>& checked);

/// The same of all.
void check_requirements(const Program& program, const ParamValues& values);

/// Throws ShapeError if no kernel could index the dimension. `as`: what the extent is over the Params; empty
/// if it is a number.
void require_extent(const std::string& tensor, int dimension, std::int64_t extent,
                    const std::string& as = "");

/// Returns the places in `checked` of those that have the Param.
std::vector<std::size_t> requirements_over(const Program& program, const std::string& param);

}  // namespace tensordsl::runtime
