// The description of a kernel that every backend gives in addition to its text.
#pragma once

#include <set>
#include <string>

#include "codegen/c_names.h"
#include "lower/lowered.h"
#include "tensordsl/kernel_source.h"

namespace tensordsl {

/// Describes a kernel: arguments in their order, work sizes and resources. `names` gives the entry a name
/// that is not in `taken_entries`. The text is empty.
KernelSource describe_kernel(const lower::LoweredKernel& kernel, const std::set<std::string>& taken_entries,
                             codegen::CNames& names);

}  // namespace tensordsl
