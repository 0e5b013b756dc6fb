// Tiles that are read in runs with gaps between them, as interleaved loops do.
#pragma once

#include <optional>
#include <string>

#include "lower/stages.h"

namespace tensordsl::lower {

/// Elements first + g*stride + [0, length), for g in [0, count).
struct Runs {
  int length = 0, stride = 0, count = 0;
};

/// Returns the runs that hold all that `body` reads of a dimension of `tensor`, from `first` on:
///   for g in [0, 2) { for v in [0, 4) { ... t[x*4 + g*64 + v] } }, first = x*4   ->   2 runs of 4, 64 apart
/// Returns nothing if the reads leave no gaps, or none are proven. Needs one index per dimension.
std::optional<Runs> runs_of_reads(const ir::Stmt& body, const std::string& tensor, std::size_t dimension,
                                  const Expr& first);

/// Returns `box` without the gaps that the loops of `body` leave: they are neither computed nor stored.
Box without_gaps(const Producer& producer, const ir::Stmt& body, const Box& box);

}  // namespace tensordsl::lower
