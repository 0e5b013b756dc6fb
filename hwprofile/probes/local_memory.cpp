// Local memory: latency, bandwidth, and whether it is memory of its own.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "hwprofile/analysis/hierarchy.h"
#include "hwprofile/analysis/peak.h"
#include "hwprofile/probes/chase.h"
#include "hwprofile/probes/footprint_bandwidth.h"
#include "hwprofile/probes/probes.h"

namespace tensordsl::hwprofile {
namespace {

/// Neighbors read neighbors: no two work-items of a warp meet in a bank.
KernelText local_read_kernel(int vectors, int group) {
  return {"read",
          fmt::format("__kernel void read(__global float* restrict to, const int mask, const int rounds) {{\n"
                      "  __local float4 tile[{0}];\n"
                      "  for (int i = get_local_id(0); i < {0}; i += {1}) tile[i] = (float4)(i);\n"
                      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                      "  int at = get_local_id(0);\n"
                      "  float4 a = (float4)(0.0f), b = a, c = a, d = a;\n"
                      "  for (int i = 0; i < rounds; ++i) {{\n"
                      "    a += tile[at & mask];\n"
                      "    b += tile[(at + {1}) & mask];\n"
                      "    c += tile[(at + 2 * {1}) & mask];\n"
                      "    d += tile[(at + 3 * {1}) & mask];\n"
                      "    at += 4 * {1};\n"
                      "  }}\n"
                      "  a += b + c + d;\n"
                      "  if ({2} == 12345678.0f) to[0] = 1.0f;\n"
                      "}}\n",
                      vectors, group, sum_of_lanes("a", 4)),
          {group, 1, 1},
          {buffer_argument("to"), scalar_argument("mask"), scalar_argument("rounds")}};
}

Curve measure_latency(Bench& bench, const char* name, ChaseMemory memory,
                      const std::vector<double>& footprints) {
  std::map<double, Chase> chases;
  const auto latency = [&](double footprint) {
    const auto bytes = static_cast<std::int64_t>(footprint);
    auto it = chases.find(footprint);
    if (it == chases.end())
      it = chases.try_emplace(footprint, bench, memory, shuffled(bytes, 16), bytes).first;
    return it->second.latency();
  };
  return {name, "footprint (B)", "latency (ns)", bench.sweep(footprints, latency, 25)};
}

void measure_local_memory(Bench& bench, std::vector<Curve>& curves) {
  const DeviceInfo& info = bench.info();
  // Both memories are measured at the same footprints.
  const std::int64_t bytes = std::min(largest_chase(ChaseMemory::Local, info), info.max_allocation_bytes);
  std::vector<double> footprints;
  for (double f = 512; f <= static_cast<double>(bytes); f *= 2) footprints.push_back(f);
  if (footprints.size() < 4) return;
  if (footprints.back() < 0.9 * static_cast<double>(bytes)) footprints.push_back(static_cast<double>(bytes));
  bench.expect_sweeps(3);
  curves.push_back(measure_latency(bench, "latency", ChaseMemory::Local, footprints));
  curves.push_back(measure_latency(bench, "latency of a buffer", ChaseMemory::Buffer, footprints));
  const auto to = bench.device().allocate(64);
  constexpr int kVectors = 512;  // 8 KiB: several groups of a compute unit find room
  const int vectors = bytes >= 16 * kVectors ? kVectors : 32;
  const int group = busy_group(bench, [&](int size) { return local_read_kernel(vectors, size); });
  std::int32_t rounds = 0;
  const FootprintReader reader{
      local_read_kernel(vectors, group), {to, std::int32_t{vectors - 1}}, 64, 16.0 * vectors};
  curves.push_back({"bandwidth", "all work-groups", "GB/s",
                    bench.sweep({1}, [&](double) { return footprint_bandwidth(bench, reader, rounds); })});
}

void analyze_local_memory(const std::vector<Curve>& curves, const DeviceInfo&, HwProfile& profile) {
  if (const Curve* bandwidth = find_curve(curves, "bandwidth"))
    profile.local_memory.bandwidth_gbs = find_peak(bandwidth->sweep).height;
  const Curve* local = find_curve(curves, "latency");
  const Curve* buffer = find_curve(curves, "latency of a buffer");
  if (!local || !buffer || local->sweep.points != buffer->sweep.points) return;
  const auto levels = find_levels(local->sweep);
  profile.local_memory.latency_ns = levels.front().cost;
  // Local memory of its own has one latency however much of it is used, and another one than a buffer of the
  // same size.
  std::vector<double> ratios;
  const auto l = estimates(local->sweep), b = estimates(buffer->sweep);
  for (std::size_t i = 0; i < l.size(); ++i) ratios.push_back(l[i].median / b[i].median);
  const Estimate ratio = estimate(std::move(ratios));
  constexpr double kLikeABuffer = 0.93;
  const bool is_flat = levels.size() == 1, is_faster = ratio.median < kLikeABuffer;
  const bool is_clear = is_faster ? ratio.high < kLikeABuffer : ratio.low > kLikeABuffer;
  profile.local_memory.on_chip =
      BoolMeasurement{is_flat && is_faster,
                      is_flat ? is_clear : levels.front().capacity.confident || (!is_faster && is_clear)};
}

}  // namespace

Probe local_memory_probe() {
  return {"local_memory", "local memory: latency, bandwidth, and whether it is memory of its own", 1,
          measure_local_memory, analyze_local_memory};
}

}  // namespace tensordsl::hwprofile
