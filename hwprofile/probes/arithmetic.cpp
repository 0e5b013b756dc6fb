// Peak rates of arithmetic: chains of independent operations in registers, on all compute units.
#include <fmt/format.h>

#include <algorithm>

#include "hwprofile/probes/bench.h"
#include "hwprofile/probes/probes.h"

namespace tensordsl::hwprofile {
namespace {

/// Enough to hide the latency of an operation, few enough to stay in registers.
int chains_of(int width) { return std::clamp(128 / width, 8, 12); }

struct Arithmetic {
  const char* curve;
  const char* type;
  const char* step;         // of chain {0}
  const char* unit;
  double operations;        // of one element and step
  bool needs_fp16;
};

constexpr Arithmetic kKinds[] = {{"f32", "float", "a{0} = a{0} * x + y;", "GFLOPS", 2, false},
                                 {"f16", "half", "a{0} = a{0} * x + y;", "GFLOPS", 2, true},
                                 {"i32", "int", "a{0} = a{0} * x + y;", "Gop/s", 2, false},
                                 {"divide", "int", "a{0} = a{0} / x + y;", "Gop/s", 1, false},
                                 {"modulo", "int", "a{0} = a{0} % x + y;", "Gop/s", 1, false}};

std::string kernel_text(const Arithmetic& kind, int width) {
  const std::string vector = width == 1 ? kind.type : fmt::format("{}{}", kind.type, width);
  std::string start, steps, sum, all;
  // All lanes are used, or a compiler would leave the others out.
  for (int lane = 0; lane < width; ++lane) all += width == 1 ? "sum" : fmt::format("{}sum.s{:x}", lane ? " + " : "", lane);
  for (int c = 0; c < chains_of(width); ++c) {
    start += fmt::format("  {0} a{1} = ({0})(get_local_id(0) + {1});\n", vector, c);
    steps += "    " + fmt::format(fmt::runtime(kind.step), c) + "\n";
    sum += fmt::format("{}a{}", c ? " + " : "", c);
  }
  return fmt::format(
      "{0}__kernel void arithmetic(__global int* restrict out, const int steps, const int factor, const int addend) {{\n"
      "  const {1} x = ({1})(factor), y = ({1})(addend);\n{2}"
      "  for (int i = 0; i < steps; ++i) {{\n{3}  }}\n"
      "  const {1} sum = {4};\n"
      "  if ((int)({5}) == 12345678) out[0] = 1;\n}}\n",
      kind.needs_fp16 ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n" : "", vector, start, steps, sum,
      all);
}

std::vector<Curve> measure(Bench& bench) {
  const DeviceInfo& info = bench.info();
  const int group = info.is_cpu ? 1 : static_cast<int>(std::min<std::int64_t>(256, info.max_group_size));
  const std::int64_t groups = info.compute_units * (info.is_cpu ? 8 : 16);
  const auto out = bench.device().allocate(64);
  std::vector<Curve> curves;
  bench.expect_sweeps(static_cast<int>(std::size(kKinds)));
  for (const Arithmetic& kind : kKinds) {
    if (kind.needs_fp16 && !info.has_fp16) continue;
    std::map<int, int> steps;  // of a launch that takes long enough, by width
    const auto run = [&](int width, int count) {
      Launch launch;
      launch.kernel = bench.kernel("arithmetic", kernel_text(kind, width), {group, 1, 1}, {"out"}, {"steps", "factor", "addend"});
      launch.arguments = {out, std::int32_t{count}, std::int32_t{3}, std::int32_t{7}};
      launch.groups = {groups, 1, 1};
      return bench.seconds_of(launch);
    };
    const auto rate = [&](double point) {
      const int width = static_cast<int>(point);
      int& count = steps[width];
      if (count == 0) {
        for (count = 64; count < (1 << 24); count *= 4) {
          if (run(width, count) > 1e-3) break;
        }
      }
      return kind.operations * width * chains_of(width) * count * static_cast<double>(groups * group) / run(width, count) * 1e-9;
    };
    curves.push_back({kind.curve, "elements of a vector", kind.unit, bench.sweep({1, 2, 4, 8, 16}, rate)});
  }
  return curves;
}

void analyse(const std::vector<Curve>& curves, const DeviceInfo&, HwProfile& profile, std::vector<Mark>& marks) {
  const auto peak_of = [&](const char* name) -> std::optional<Figure> {
    const Curve* curve = find_curve(curves, name);
    if (!curve) return std::nullopt;
    const Peak peak = find_peak(curve->sweep);
    marks.push_back({name, peak.at, "fastest"});
    return peak.height;
  };
  profile.fma_gflops.f32 = peak_of("f32");
  profile.fma_gflops.f16 = peak_of("f16");
  profile.integer_gops.i32 = peak_of("i32");
  // A multiply-add is two operations; a division and the addition with it take the time of 1 + cost of them.
  const auto cost_of = [&](const char* name) -> std::optional<Figure> {
    const auto rate = peak_of(name);
    if (!rate || !profile.integer_gops.i32) return std::nullopt;
    const Figure& base = *profile.integer_gops.i32;
    return Figure{base.value / 2 / rate->value, base.low / 2 / rate->high, base.high / 2 / rate->low, base.confident && rate->confident};
  };
  profile.integer_cost.divide = cost_of("divide");
  profile.integer_cost.modulo = cost_of("modulo");
}

}  // namespace

Probe arithmetic_probe() { return {"arithmetic", "peak rates of f32, f16 and i32, and what a division costs", measure, analyse}; }

}  // namespace tensordsl::hwprofile
