// The libraries that users would take instead, found at run time: nothing is needed to build.
#pragma once

#include "apps/bench/benchmark.h"
#include "tensordsl/buffer.h"

namespace tensordsl::bench {

/// GFLOPS of a*b by OpenBLAS and oneDNN on the host's CPU and by CLBlast on the device, as far as they are
/// installed. One whose corners of the product are wrong is left out.
std::vector<Peer> sgemm_peers(const DeviceInfo& device, const Buffer& a, const Buffer& b, int size);

}  // namespace tensordsl::bench
