// Finds the memory that loops read from end to end, which a processor is told of ahead of time:
// for k { .. w[ramp(k*32 + a, 1, 16)] .. w[ramp(k*32 + a + 16, 1, 16)] .. }   ->   w: k*32 + a, ..
// Where a work-group is one thread of a processor, nothing else hides how long memory takes. Its own
// prefetching ends at the page, and weights are read once in a run: they come from beyond a core's caches.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ir/nodes/stmt.h"
#include "lower/lowered.h"

namespace tensordsl::opencl {

/// A cache line that an iteration asks for.
struct StreamedLine {
  std::string buffer;
  Expr index;  // of an element in the line
};

/// Returns the lines that each iteration of a loop asks for at its beginning. A loop reads all that it passes
/// of their buffers, in whole vectors. Nothing unless a work-group is one work-item.
std::map<const ir::StmtNode*, std::vector<StreamedLine>> streamed_reads(const lower::LoweredKernel& kernel);

/// The macro that asks for the line at an address, or for nothing where no processor is compiled for.
inline constexpr const char* kReadAhead = "read_ahead";
std::string read_ahead_macro();

}  // namespace tensordsl::opencl
