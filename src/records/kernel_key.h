// group's key -> what records are found by
#pragma once

#include <string_view>

#include "records/tuning_record.h"

namespace tensordsl::records {

/// `group_key`: graph/schedule/group_key.h. The numbers of its text that stand for themselves are the sizes:
/// "f32[3]" and "x0" hold one and none.
KernelKey kernel_key(std::string_view group_key);

/// How far the sizes of two kernels of one family are apart: the sum of |log2| of their quotients. Infinity
/// if they are of two families.
double distance(const KernelKey& a, const KernelKey& b);

}  // namespace tensordsl::records
