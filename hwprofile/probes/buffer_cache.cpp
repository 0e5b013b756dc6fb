// Measures the caches of buffers: a chain of dependent reads over growing footprints, and the rate at which
// all work-groups read it together.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "hwprofile/analysis/level_bandwidth.h"
#include "hwprofile/analysis/peak.h"
#include "hwprofile/probes/cache_sweep.h"
#include "hwprofile/probes/footprint_bandwidth.h"
#include "hwprofile/probes/probes.h"

namespace tensordsl::hwprofile {
namespace {

/// Four vectors at a time; each group goes round the footprint, a power of two of vectors, from a position of
/// its own.
KernelText buffer_read_kernel(int width, int group) {
  const std::string vector = width == 1 ? "float" : fmt::format("float{}", width);
  return {"read",
          fmt::format("__kernel void read(__global const {0}* restrict from, __global float* restrict to, "
                      "const int mask, const int apart, const int step, const int rounds) {{\n"
                      "  int at = get_group_id(0) * apart + get_local_id(0);\n"
                      "  {0} a = ({0})(0.0f), b = a, c = a, d = a;\n"
                      "  for (int i = 0; i < rounds; ++i) {{\n"
                      "    a += from[at & mask];\n"
                      "    b += from[(at + step) & mask];\n"
                      "    c += from[(at + 2 * step) & mask];\n"
                      "    d += from[(at + 3 * step) & mask];\n"
                      "    at += 4 * step;\n"
                      "  }}\n"
                      "  a += b + c + d;\n"
                      "  if ({1} == 12345678.0f) to[0] = 1.0f;\n"
                      "}}\n",
                      vector, sum_of_lanes("a", width)),
          {group, 1, 1},
          {buffer_argument("from"), buffer_argument("to"), scalar_argument("mask"), scalar_argument("apart"),
           scalar_argument("step"), scalar_argument("rounds")}};
}

constexpr std::int64_t kLeastBufferFootprint = 2048;

void measure_buffer_cache(Bench& bench, std::vector<Curve>& curves) {
  const DeviceInfo& info = bench.info();
  measure_caches(bench, ChaseMemory::Buffer, 2, curves);
  const std::int64_t largest = largest_chase(ChaseMemory::Buffer, info);
  if (largest < kLeastBufferFootprint) return;
  const auto from = filled_buffer(bench, largest), to = bench.device().allocate(64);
  const auto reader_of = [&](std::int64_t bytes, int width) {
    const std::int64_t vectors = bytes / 4 / width;
    const int group = busy_group(bench, [&](int size) { return buffer_read_kernel(width, size); });
    return FootprintReader{
        buffer_read_kernel(width, group),
        {from, to, static_cast<std::int32_t>(vectors - 1), apart_in(vectors, info), std::int32_t{group}},
        16.0 * width,
        static_cast<double>(bytes)};
  };
  // Footprints that are powers of two, as the mask wants them.
  std::vector<double> footprints;
  for (std::int64_t bytes = kLeastBufferFootprint; bytes <= largest; bytes *= 2)
    footprints.push_back(static_cast<double>(bytes));
  const int width = std::clamp(info.native_vector_width_float, 4, 16);
  std::map<double, std::int32_t> rounds;
  curves.push_back({"bandwidth", "footprint (B)", "GB/s",
                    bench.sweep(
                        footprints,
                        [&](double bytes) {
                          return footprint_bandwidth(
                              bench, reader_of(static_cast<std::int64_t>(bytes), width), rounds[bytes]);
                        },
                        25)});
  std::vector<double> widths{1, 2, 4, 8, 16};
  std::map<double, std::int32_t> rounds_of_width;
  const auto small =
      static_cast<std::int64_t>(std::min(8192.0, footprints.back()));  // bytes, that the first cache holds
  curves.push_back({"width", "elements of a vector", "GB/s", bench.sweep(widths, [&](double elements) {
                      return footprint_bandwidth(bench, reader_of(small, static_cast<int>(elements)),
                                                 rounds_of_width[elements]);
                    })});
}

void analyze_buffer_cache(const std::vector<Curve>& curves, const DeviceInfo&, HwProfile& profile) {
  FoundCaches found = find_caches(curves);
  profile.buffer_caches = std::move(found.caches);
  profile.dram_latency_ns = found.latency_beyond;
  if (const Curve* bandwidth = find_curve(curves, "bandwidth"))
    add_bandwidths(profile.buffer_caches, bandwidth->sweep);
  if (const Curve* width = find_curve(curves, "width")) {
    profile.vector_width.buffer = find_peak(width->sweep).at;
  }
}

}  // namespace

Probe buffer_cache_probe() {
  return {"buffer_cache",
          "caches of buffers: sizes, latencies, line, bandwidths; the vector that reads fastest", 4,
          measure_buffer_cache, analyze_buffer_cache};
}

}  // namespace tensordsl::hwprofile
