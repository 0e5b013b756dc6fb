// store p[0] = in[x]*q  store p[1] = in[x + 1]*r   ->
// let t.0 = in[ramp(x, 1, 2)], of which both read a lane
// store p[ramp(0, 1, 2)] = in[ramp(x, 1, 2)] + in[ramp(x + 1, 1, 2)]   ->
// let t.0 = in[ramp(x, 1, 2)] { store p[ramp(0, 1, 2)] = t.0 + concat(slice(t.0, 1, 1), in[x + 2]) }
#pragma once

#include <string>
#include <vector>

#include "lower/name_supply.h"
#include "lower/passes/memory/block_reads.h"

namespace tensordsl::lower {

/// A read that gets a name before statement `statement` of a block.
struct NamedRead {
  std::size_t statement = 0;
  std::string name;
  BlockRead read;
};

/// Combines scalars that `block` reads unconditionally from consecutive addresses into vectors of up to 128
/// bits, and appends these to `named`. Overlapping vectors, such as those of stencils, are assembled from
/// aligned ones that read each address once, if that takes no more loads. Statements of eight lanes and more
/// are not changed.
std::vector<ir::Stmt> combine_contiguous_reads(const std::vector<ir::Stmt>& block, const KernelMemory& memory,
                                               NameSupply& names, std::vector<NamedRead>& named);

}  // namespace tensordsl::lower
