// store p[0] = in[x]*q  store p[1] = in[x + 1]*r   ->
// let t.0 = in[ramp(x, 1, 2)], of which both read a lane
#pragma once

#include <string>
#include <vector>

#include "lower/block_reads.h"
#include "lower/name_supply.h"

namespace tensordsl::lower {

/// What gets a name before statement `statement` of a block.
struct NamedRead {
  std::size_t statement = 0;
  std::string name;
  BlockRead read;
};

/// `block` with the scalars that it reads for certain from consecutive places taken from vectors of up to 128
/// bits, which are appended to `named`. Statements of eight lanes and more take none of these.
std::vector<ir::Stmt> combine_contiguous_reads(const std::vector<ir::Stmt>& block, const KernelMemory& memory,
                                               NameSupply& names, std::vector<NamedRead>& named);

}  // namespace tensordsl::lower
