// The convolution of oneDNN, where its development package was installed when this was built.
#pragma once

#include <functional>
#include <vector>

#include "apps/bench/benchmark.h"
#include "tensordsl/buffer.h"

namespace tensordsl::bench {

/// GFLOPS of a convolution padded by half of its kernel on the host's CPU, of `in` [.., C, H, W] and
/// `weights` [O, C, K, K], by the faster of what the library chooses and its Winograd algorithm, if any.
/// Both are put into the order that the library prefers before the time is taken, as ours are. `check` throws
/// on a wrong result [O, H, W].
std::vector<Peer> convolution_peers(const Buffer& in, const Buffer& weights,
                                    const std::function<void(const Buffer&)>& check);

}  // namespace tensordsl::bench
