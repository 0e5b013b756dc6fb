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

/// What gets a name before statement `statement` of a block.
struct NamedRead {
  std::size_t statement = 0;
  std::string name;
  BlockRead read;
};

/// `block` with the scalars that it reads for certain from consecutive places taken from vectors of up to 128
/// bits, which are appended to `named`. So are vectors of which others overlap, as those of stencils, if that
/// takes no more loads: each place is read once, and what is not aligned comes from what is. Statements of
/// eight lanes and more take none of these.
std::vector<ir::Stmt> combine_contiguous_reads(const std::vector<ir::Stmt>& block, const KernelMemory& memory,
                                               NameSupply& names, std::vector<NamedRead>& named);

}  // namespace tensordsl::lower
