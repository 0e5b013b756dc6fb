// Loops of a kernel's OpenCL text with their trip counts, and the loops of machine code that they became.
#pragma once

#include <string>
#include <vector>

#include "apps/bench/isa/machine_code.h"

namespace tensordsl::bench {

/// A loop of the text, or one of machine code, with the loops in it.
struct LoopTree {
  double trips = 1;
  std::vector<LoopTree> inner;
};

/// Returns the loops of the function `entry` in `text`, under a root of one trip. A bound that the text does
/// not tell counts as 64 trips, as the extents of open sizes do elsewhere.
///
///   for (int k = 0; k < 96; ++k) {    96 trips
LoopTree loops_of_text(const std::string& text, const std::string& entry);

/// Returns the number of times that each instruction runs in a work-item. Compilers unroll loops of few
/// trips: the loops of machine code are those of the text in their order, chosen so that unrolling the others
/// takes the fewest copies of their bodies. If the text has not enough loops, all code runs once.
std::vector<double> times_of_instructions(const MachineCode& code, const LoopTree& text);

}  // namespace tensordsl::bench
