// Global memory: how fast it is read, written and copied where no cache helps.
#include <fmt/format.h>

#include <algorithm>

#include "hwprofile/analysis/peak.h"
#include "hwprofile/probes/footprint_bandwidth.h"
#include "hwprofile/probes/probes.h"

namespace tensordsl::hwprofile {
namespace {

constexpr int kVector = 4;

/// Returns one step of a stream, for one sum and one address.
std::string of_element(const char* body, const char* sum, const char* at) {
  return "    " + fmt::format(fmt::runtime(body), fmt::arg("sum", sum), fmt::arg("at", at)) + "\n";
}

/// Each work-item takes every 'items'-th vector, so that neighbors read neighbors; a CPU's work-items take a
/// contiguous part each. Four independent sums: one sum adds more slowly than memory is read.
KernelText stream_kernel(const char* body, int group) {
  return {"stream",
          "__kernel void stream(__global float4* restrict from, __global float4* restrict to, const int "
          "vectors, const int step, const int stretch) {\n"
          "  const int first = get_global_id(0) * stretch;\n"
          "  const int end = step == 1 ? min(vectors, first + stretch) : vectors;\n"
          "  float4 s0 = (float4)(0.0f), s1 = s0, s2 = s0, s3 = s0;\n"
          "  int i = first;\n"
          "  for (; i < end - 3 * step; i += 4 * step) {\n" +
              of_element(body, "s0", "i") + of_element(body, "s1", "i + step") +
              of_element(body, "s2", "i + 2 * step") + of_element(body, "s3", "i + 3 * step") +
              "  }\n"
              "  for (; i < end; i += step) {\n" +
              of_element(body, "s0", "i") +
              "  }\n"
              "  s0 += s1 + s2 + s3;\n"
              "  if (s0.x == 12345.0f) to[0] = s0;\n"
              "}\n",
          {group, 1, 1},
          {buffer_argument("from"), buffer_argument("to"), scalar_argument("vectors"),
           scalar_argument("step"), scalar_argument("stretch")}};
}

struct Stream {
  const char* curve;
  const char* body;
  double transfers;  // transfers of a vector
};

constexpr Stream kStreams[] = {
    {"read", "{sum} += from[{at}];", 1},
    {"write", "to[{at}] = (float4)(1.0f);", 1},
    {"copy", "to[{at}] = from[{at}];", 2},
    {"read halves", "{sum} += vload_half4({at}, (__global const half*)from);", 0.5}};

/// Bytes of each of the two buffers: far more than any cache, and no more than an eighth of the memory.
std::int64_t stream_bytes(const DeviceInfo& info) {
  const std::int64_t wanted = info.is_cpu ? 128 << 20 : 1 << 30;
  return std::min({wanted, info.max_allocation_bytes, info.global_memory_bytes / 8}) / 4096 * 4096;
}

void measure_memory(Bench& bench, std::vector<Curve>& curves) {
  const DeviceInfo& info = bench.info();
  const std::int64_t bytes = stream_bytes(info);
  constexpr std::int64_t kLeast = 1 << 16;  // less says nothing of memory
  if (bytes < kLeast) return;
  const auto from = filled_buffer(bench, bytes), to = filled_buffer(bench, bytes);
  const auto vectors = bytes / (4 * kVector);
  bench.expect_sweeps(static_cast<int>(std::size(kStreams)));
  for (const Stream& stream : kStreams) {
    const int group = busy_group(bench, [&](int size) { return stream_kernel(stream.body, size); });
    const auto kernel = bench.kernel(stream_kernel(stream.body, group));
    // Groups to a compute unit.
    const std::vector<double> points =
        info.is_cpu ? std::vector<double>{1, 2, 4} : std::vector<double>{4, 8, 16, 32, 64};
    const auto seconds = [&](double groups_of_unit) {
      Launch launch;
      launch.kernel = kernel;
      const auto groups = static_cast<std::int64_t>(groups_of_unit) * info.compute_units;
      const auto items = groups * group;
      const auto stretch = info.is_cpu ? (vectors + items - 1) / items : 1;
      launch.arguments = {from, to, static_cast<std::int32_t>(vectors),
                          static_cast<std::int32_t>(info.is_cpu ? 1 : items),
                          static_cast<std::int32_t>(stretch)};
      launch.groups = {groups, 1, 1};
      return bench.seconds_of(launch);
    };
    Curve curve{stream.curve, "work-groups of a compute unit", "GB/s", bench.sweep(points, seconds)};
    for (auto& round : curve.sweep.rounds) {
      for (double& sample : round) sample = static_cast<double>(bytes) * stream.transfers / sample * 1e-9;
    }
    curves.push_back(std::move(curve));
  }
}

void analyze_memory(const std::vector<Curve>& curves, const DeviceInfo&, HwProfile& profile) {
  const auto best = [&](const char* name, std::optional<Measurement>& figure) {
    const Curve* curve = find_curve(curves, name);
    if (!curve) return;
    const Peak peak = find_peak(curve->sweep);
    figure = peak.height;
  };
  best("read", profile.dram_gbs);
  best("write", profile.dram_write_gbs);
  best("copy", profile.copy_gbs);
  std::optional<Measurement> halves;
  best("read halves", halves);
  if (!halves || !profile.dram_gbs) return;
  // A byte holds twice as many halves as floats.
  const Measurement& floats = *profile.dram_gbs;
  profile.half_storage_speedup =
      Measurement{2 * halves->value / floats.value, 2 * halves->low / floats.high,
                  2 * halves->high / floats.low, halves->confident && floats.confident};
}

}  // namespace

Probe memory_probe() {
  return {"memory", "bandwidth of global memory: read, written, copied, and read as halves", 2,
          measure_memory, analyze_memory};
}

}  // namespace tensordsl::hwprofile
