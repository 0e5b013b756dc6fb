// Global memory: how fast it is read, written and copied where no cache helps.
#include <algorithm>

#include "hwprofile/analysis/peak.h"
#include "hwprofile/probes/footprint_bandwidth.h"
#include "hwprofile/probes/probes.h"

namespace tensordsl::hwprofile {
namespace {

constexpr int kVector = 4;

/// Each work-item takes every 'items'-th vector, so that neighbors read neighbors; a CPU's work-items take a
/// stretch each.
KernelText stream_kernel(const std::string& body, int group) {
  return {"stream",
          "__kernel void stream(__global float4* restrict from, __global float4* restrict to, const int "
          "vectors, const int step, const int stretch) {\n"
          "  const int first = get_global_id(0) * stretch;\n"
          "  float4 sum = (float4)(0.0f);\n"
          "  for (int i = first; i < vectors && i < first + (step == 1 ? stretch : vectors); i += step) {\n" +
              body +
              "  }\n"
              "  if (sum.x == 12345.0f) to[0] = sum;\n"
              "}\n",
          {group, 1, 1},
          {buffer_argument("from"), buffer_argument("to"), scalar_argument("vectors"),
           scalar_argument("step"), scalar_argument("stretch")}};
}

struct Stream {
  const char* curve;
  const char* body;
  double transfers;  // of a vector
};

constexpr Stream kStreams[] = {
    {"read", "    sum += from[i];\n", 1},
    {"write", "    to[i] = (float4)(1.0f);\n", 1},
    {"copy", "    to[i] = from[i];\n", 2},
    {"read halves", "    sum += vload_half4(i, (__global const half*)from);\n", 0.5}};

/// Bytes of each of the two buffers: far more than any cache, and no more than an eighth of the memory.
std::int64_t stream_bytes(const DeviceInfo& info) {
  const std::int64_t wanted = info.is_cpu ? 128 << 20 : 1 << 30;
  return std::min({wanted, info.max_allocation_bytes, info.global_memory_bytes / 8}) / 4096 * 4096;
}

void measure(Bench& bench, std::vector<Curve>& curves) {
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

void analyze(const std::vector<Curve>& curves, const DeviceInfo&, HwProfile& profile,
             std::vector<Mark>& marks) {
  const auto best = [&](const char* name, std::optional<Measurement>& figure) {
    const Curve* curve = find_curve(curves, name);
    if (!curve) return;
    const Peak peak = find_peak(curve->sweep);
    figure = peak.height;
    marks.push_back({name, peak.at.value, "fastest"});
  };
  best("read", profile.dram_gbs);
  best("write", profile.dram_write_gbs);
  best("copy", profile.copy_gbs);
  std::optional<Measurement> halves;
  best("read halves", halves);
  if (!halves || !profile.dram_gbs) return;
  // Of halves there are twice as many to a byte.
  const Measurement& floats = *profile.dram_gbs;
  profile.half_storage_speedup =
      Measurement{2 * halves->value / floats.value, 2 * halves->low / floats.high,
                  2 * halves->high / floats.low, halves->confident && floats.confident};
}

}  // namespace

Probe memory_probe() {
  return {"memory", "bandwidth of global memory: read, written, copied, and read as halves", 2, measure,
          analyze};
}

}  // namespace tensordsl::hwprofile
