// The convolution of oneDNN, where its development package was installed when this was built.
#pragma once

#include <functional>
#include <vector>

#include "apps/bench/benchmark.h"
#include "tensordsl/buffer.h"

namespace tensordsl::bench {

/// Measures another library's convolution, padded by half of its kernel, on the host's CPU: GFLOPS for `in`
/// [.., C, H, W] and `weights` [O, C, K, K]. Takes the faster of the library's own choice and of Winograd's
/// algorithm where it has that. Both tensors are reordered to the library's preferred layout before timing,
/// as ours are. `check` throws on a wrong result [O, H, W].
std::vector<Peer> convolution_peers(const Buffer& in, const Buffer& weights,
                                    const std::function<void(const Buffer&)>& check);

}  // namespace tensordsl::bench
