// A kernel as a module of LLVM's assembly language (opaque pointers, LLVM 15 and later).
//
//   define void @add_kernel(ptr %arguments, i64 %first, i64 %last)
//
// runs the work-groups from `first` up to, not including, `last`, in the order in which dimension 0 varies
// fastest. `arguments` points to slots of eight bytes: one for a buffer (its address) or a scalar (its
// value), four for an image (the address of its texels, columns, rows, layers); after them the numbers of
// work-groups in dimensions 0 and 1. Texels lie row by row, layer by layer, without gaps.
#pragma once

#include <set>
#include <string>

#include "lower/lowered.h"
#include "tensordsl/kernel_source.h"

namespace tensordsl::llvm_ir {

/// Slots of an image among the arguments.
inline constexpr int kImageSlots = 4;

/// Limit of the arrays of a kernel's work-groups, on a thread's stack.
inline constexpr std::int64_t kStackBytes = 8 << 20;

/// Returns the LLVM text of a kernel. Throws ScheduleError if the arrays of a work-group are larger than
/// kStackBytes.
KernelSource emit(const lower::LoweredKernel& kernel, const std::set<std::string>& taken_entries);

}  // namespace tensordsl::llvm_ir
