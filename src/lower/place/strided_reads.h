// Runs of elements with gaps between them, which interleaved loops read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ir/stmt.h"

namespace tensordsl::lower {

/// Elements first + g*stride + [0, length), for g in [0, count).
struct Runs {
  int length = 0, stride = 0, count = 0;
};

/// The runs that hold all that `body` reads of a dimension of `tensor`, from `first` on:
///   for g in [0, 2) { for v in [0, 4) { ... t[x*4 + g*64 + v] } }, first = x*4   ->   2 runs of 4, 64 apart
/// Empty if the reads leave no such gaps, or this cannot be told. Needs one index per dimension.
std::optional<Runs> runs_of_reads(const ir::Stmt& body, const std::string& tensor, std::size_t dimension,
                                  const Expr& first);

}  // namespace tensordsl::lower
