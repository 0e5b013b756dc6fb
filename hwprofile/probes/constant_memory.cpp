// Constant memory: how much of it is read fast, and how fast when all work-items read the same element.
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

/// Every work-item reads the same four vectors.
KernelText constant_read_kernel(int group) {
  return {
      "read",
      fmt::format("__kernel void read(__constant float4* from, __global float* restrict to, const int mask, "
                  "const int rounds) {{\n"
                  "  float4 a = (float4)(0.0f), b = a, c = a, d = a;\n"
                  "  for (int i = 0; i < rounds; ++i) {{\n"
                  "    a += from[(4 * i) & mask];\n"
                  "    b += from[(4 * i + 1) & mask];\n"
                  "    c += from[(4 * i + 2) & mask];\n"
                  "    d += from[(4 * i + 3) & mask];\n"
                  "  }}\n"
                  "  a += b + c + d;\n"
                  "  if ({} == 12345678.0f) to[0] = 1.0f;\n"
                  "}}\n",
                  sum_of_lanes("a", 4)),
      {group, 1, 1},
      {buffer_argument("from"), buffer_argument("to"), scalar_argument("mask"), scalar_argument("rounds")}};
}

void measure_constant_memory(Bench& bench, std::vector<Curve>& curves) {
  const DeviceInfo& info = bench.info();
  const std::int64_t bytes = largest_chase(ChaseMemory::Constant, info);
  constexpr double kLeast = 512;
  if (static_cast<double>(bytes) < 8 * kLeast) return;
  bench.expect_sweeps(3);
  std::map<double, Chase> chases;
  const auto latency = [&](double footprint) {
    constexpr std::int64_t kLine = 64;
    const std::int64_t of_lines = static_cast<std::int64_t>(footprint) / kLine * kLine;
    auto it = chases.find(footprint);
    if (it == chases.end())
      it = chases.try_emplace(footprint, bench, ChaseMemory::Constant, shuffled(of_lines, kLine), of_lines)
               .first;
    return it->second.latency();
  };
  const auto seen =
      find_levels(bench.sweep(footprints_around({}, kLeast, static_cast<double>(bytes)), latency, 3));
  const std::vector<double> footprints = footprints_around(seen, kLeast, static_cast<double>(bytes));
  curves.push_back({"latency", "footprint (B)", "latency (ns)", bench.sweep(footprints, latency, 25)});
  constexpr int kVectors = 64;
  const auto from = filled_buffer(bench, 16 * kVectors), to = bench.device().allocate(64);
  std::int32_t rounds = 0;
  const FootprintReader reader{constant_read_kernel(busy_group(bench, constant_read_kernel)),
                               {from, to, std::int32_t{kVectors - 1}},
                               64,
                               16.0 * kVectors};
  curves.push_back({"bandwidth", "all work-groups", "GB/s",
                    bench.sweep({1}, [&](double) { return footprint_bandwidth(bench, reader, rounds); })});
}

void analyze_constant_memory(const std::vector<Curve>& curves, const DeviceInfo&, HwProfile& profile) {
  if (const Curve* bandwidth = find_curve(curves, "bandwidth"))
    profile.constant_memory.bandwidth_gbs = find_peak(bandwidth->sweep).height;
  const Curve* latency = find_curve(curves, "latency");
  if (!latency) return;
  const HierarchyLevel first = find_levels(latency->sweep).front();
  if (!first.has_end) return;
  profile.constant_memory.cached_bytes = first.capacity;
}

}  // namespace

Probe constant_memory_probe() {
  return {"constant_memory",
          "constant memory: what is read fast, and the bandwidth of reads that all work-items share", 1,
          measure_constant_memory, analyze_constant_memory};
}

}  // namespace tensordsl::hwprofile
