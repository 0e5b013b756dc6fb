#include "apps/bench/convolution/convolution_peers.h"

namespace tensordsl::bench {

std::vector<Peer> convolution_peers(const Buffer&, const Buffer&, const std::function<void(const Buffer&)>&) {
  return {};
}

}  // namespace tensordsl::bench
