// A chain of dependent reads through one kind of memory.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "hwprofile/probes/bench.h"

namespace tensordsl::hwprofile {

enum class ChaseMemory { Buffer, Image, Constant, Local };

/// Texels of an image that a chain is in: `bytes` of them, 16 each.
struct ChaseImage {
  std::int64_t columns = 0, rows = 0;
};
ChaseImage image_of(std::int64_t bytes, const DeviceInfo& info);

/// Returns the size of the largest chain that the device has room for.
std::int64_t largest_chase(ChaseMemory memory, const DeviceInfo& info);

/// One work-item follows the chain: nothing overlaps, so the time of a step is the latency.
class Chase {
 public:
  /// Makes a chain with one cycle through `order`: offsets in bytes, multiples of 4, for an image of 16;
  /// `bytes` is the size of the memory.
  Chase(Bench& bench, ChaseMemory memory, const std::vector<std::int64_t>& order, std::int64_t bytes);

  /// Returns the nanoseconds of a step once the caches hold their share of the chain.
  double latency();

 private:
  /// Measures from starting points all over a chain that caches hold in part.
  double latency_of_parts();
  double seconds(std::int64_t steps, std::int32_t start);
  void warm();
  std::vector<KernelArgumentValue> arguments(std::int32_t a, std::int32_t b) const;

  Bench& bench_;
  ChaseMemory memory_;
  std::int64_t bytes_;
  ChaseImage shape_;                  // shape of an image
  std::vector<std::int32_t> starts_;  // some of the chain's nodes
  std::int64_t nodes_;
  std::shared_ptr<DeviceBuffer> chain_, end_;
  std::shared_ptr<DeviceImage> image_;
  std::int64_t measured_ = 1 << 12;  // steps by which the long walk is longer
  std::mt19937 random_{1};
};

/// Returns 0, stride, 2 * stride, ... below `bytes`, in a fixed order that defeats prefetchers. All offsets
/// of a page, and all pages of a large page, are consecutive, so that address translation costs next to
/// nothing.
std::vector<std::int64_t> shuffled(std::int64_t bytes, std::int64_t stride);

}  // namespace tensordsl::hwprofile
