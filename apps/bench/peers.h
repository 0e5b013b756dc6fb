// The libraries that users would take instead, found at run time: nothing is needed to build.
#pragma once

#include "apps/bench/benchmark.h"
#include "tensordsl/buffer.h"

namespace tensordsl::bench {

/// GFLOPS of a*b by OpenBLAS and oneDNN on the host's CPU, as far as they are installed; both results are checked against
/// each other's definition of the first and last row.
std::vector<Peer> sgemm_peers(const Buffer& a, const Buffer& b, int size);

}  // namespace tensordsl::bench
