// Finds the memory that loops read from end to end, which a processor is told of ahead of time:
// for k in [0, 64) { x[k + a], x[k + a + 64]; w[ramp(k*16 + b, 1, 16)] }   ->
// w: k*16 + b + two pages, which this loop will read; x: k*2 + a + 128, which the next tile will read; and of
// w also a share of what the work-groups after those that read the same of it will read
// Where a work-group is one thread of a processor, nothing else hides how long memory takes. Weights are read
// once in a run, from beyond a core's caches, and another core has written half of a tensor. A processor's
// own prefetching ends at the page, and does not know which rows the next tile has.
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
  Expr index;           // of an element in the line
  bool is_soon = true;  // it is read by this loop; else by a later work-group
};

/// Returns the lines that each iteration of a loop asks for at its beginning. The loop reads all that it
/// passes of their buffers: in whole vectors, or in the rows of a tile that lie end to end. Nothing for loops
/// that write a buffer, and unless a work-group is one work-item.
std::map<const ir::StmtNode*, std::vector<StreamedLine>> streamed_reads(const lower::LoweredKernel& kernel);

/// The macro that asks for the line at an address, or for nothing where no processor is compiled for.
inline constexpr const char* kReadAhead = "read_ahead";
std::string read_ahead_macro();

}  // namespace tensordsl::opencl
