// The convolution of oneDNN, where its development package was installed when this was built.
#pragma once

#include <functional>
#include <vector>

#include "apps/bench/benchmark.h"
#include "tensordsl/buffer.h"

namespace tensordsl::bench {

/// GFLOPS of a 3x3 convolution with padding 1 on the host's CPU, of `in` [C, H, W] and `weights` [O, C, 3,
/// 3], both put into the order that the library prefers before the time is taken, as ours are. `check` throws
/// on a wrong result [O, H, W].
std::vector<Peer> convolution_peers(const Buffer& in, const Buffer& weights,
                                    const std::function<void(const Buffer&)>& check);

}  // namespace tensordsl::bench
