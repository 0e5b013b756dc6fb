// Peak rates of arithmetic: chains of independent operations in registers, on all compute units.
#include <fmt/format.h>

#include <algorithm>

#include "hwprofile/analysis/autobroadcast.h"
#include "hwprofile/analysis/peak.h"
#include "hwprofile/probes/footprint_bandwidth.h"
#include "hwprofile/probes/probes.h"

namespace tensordsl::hwprofile {
namespace {

/// Enough to hide the latency of an operation, few enough to stay in registers.
int chains_of(int width) { return std::clamp(128 / width, 8, 12); }

struct Arithmetic {
  const char* curve;
  const char* type;
  const char* step;  // statement of chain {0}
  const char* unit;
  double operations;      // operations of one element and step
  const char* extension;  // extension that it needs; none if empty
  const char* options;
  std::vector<double> widths;
  int lanes = 1;  // elements of a scalar of `type`
};

/// Returns an instruction of matrix units, as the kernels have it: of a chain's 16 x 8 sums, a work-item has
/// 4.
Arithmetic matrix_arithmetic() {
  constexpr double kOperations = 2.0 * 16 * 8 * 16 / 32;
  return {"matrix",
          "float4",
          "asm volatile(\"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {{%0, %1, %2, %3}}, "
          "{{%4, %4, %5, %5}}, {{%4, %5}}, {{%0, %1, %2, %3}};\" : \"+f\"(a{0}.x), \"+f\"(a{0}.y), "
          "\"+f\"(a{0}.z), \"+f\"(a{0}.w) : \"r\"(as_uint(x.x)), \"r\"(as_uint(y.x)));",
          "GFLOPS",
          kOperations,
          "",
          "-cl-std=CL1.2",
          {1},
          4};
}

/// Returns the kinds of arithmetic; of several dot products the first that the device has.
std::vector<Arithmetic> kinds_of(const DeviceInfo& info) {
  constexpr const char* kC12 = "-cl-std=CL1.2";
  const std::vector<double> all{1, 2, 4, 8, 16};
  std::vector<Arithmetic> kinds{
      {"f32", "float", "a{0} = a{0} * x + y;", "GFLOPS", 2, "", kC12, all},
      {"f16", "half", "a{0} = a{0} * x + y;", "GFLOPS", 2, "cl_khr_fp16", kC12, all},
      {"i32", "int", "a{0} = a{0} * x + y;", "Gop/s", 2, "", kC12, all},
      {"divide", "int", "a{0} = a{0} / x + y;", "Gop/s", 1, "", kC12, all},
      {"modulo", "int", "a{0} = a{0} % x + y;", "Gop/s", 1, "", kC12, all},
      {"i8_dot",
       "int",
       "a{0} = arm_dot_acc(as_char4(a{0}), as_char4(x), y);",
       "Gop/s",
       8,
       "cl_arm_integer_dot_product_accumulate_int8",
       kC12,
       {1}},
      {"i8_dot",
       "int",
       "a{0} = y + dot(as_char4(a{0}), as_char4(x));",
       "Gop/s",
       8,
       "cl_khr_integer_dot_product",
       "-cl-std=CL3.0",
       {1}},
      {"i8_dot",
       "int",
       "a{0} = y + arm_dot(as_char4(a{0}), as_char4(x));",
       "Gop/s",
       8,
       "cl_arm_integer_dot_product_int8",
       kC12,
       {1}}};
  std::vector<Arithmetic> possible;
  for (const Arithmetic& kind : kinds) {
    const bool is_there = !*kind.extension || std::find(info.extensions.begin(), info.extensions.end(),
                                                        kind.extension) != info.extensions.end();
    const bool is_first = possible.empty() || std::string_view(possible.back().curve) != kind.curve;
    if (is_there && is_first) possible.push_back(kind);
  }
  if (info.has_matrix_units) possible.push_back(matrix_arithmetic());
  return possible;
}

std::string pragma(const char* extension) {
  return *extension ? fmt::format("#pragma OPENCL EXTENSION {} : enable\n", extension) : "";
}

KernelText peak_kernel(const Arithmetic& kind, int width, int group) {
  const std::string vector = width == 1 ? kind.type : fmt::format("{}{}", kind.type, width);
  std::string start, steps, sum;
  for (int c = 0; c < chains_of(width); ++c) {
    start += fmt::format("  {0} a{1} = ({0})(get_local_id(0) + {1});\n", vector, c);
    steps += "    " + fmt::format(fmt::runtime(kind.step), c) + "\n";
    sum += fmt::format("{}a{}", c ? " + " : "", c);
  }
  return {
      "arithmetic",
      fmt::format("{0}__kernel void arithmetic(__global int* restrict out, const int steps, const int "
                  "factor, const int addend) {{\n"
                  "  const {1} x = ({1})(factor), y = ({1})(addend);\n{2}"
                  "  for (int i = 0; i < steps; ++i) {{\n{3}  }}\n"
                  "  const {1} sum = {4};\n"
                  "  if ((int)({5}) == 12345678) out[0] = 1;\n}}\n",
                  pragma(kind.extension), vector, start, steps, sum, sum_of_lanes("sum", kind.lanes * width)),
      {group, 1, 1},
      {buffer_argument("out"), scalar_argument("steps"), scalar_argument("factor"),
       scalar_argument("addend")},
      kind.options};
}

constexpr int kBroadcastChains = 8, kBroadcastWidth = 4;

/// The innermost loop of a matrix product: a vector times one lane of another vector, which has to be spread
/// over all lanes first where the hardware cannot do so by itself. For comparison, the same with the whole
/// vector, which is never spread.
KernelText broadcast_kernel(bool is_scalar, int group) {
  std::string start, steps, sum;
  for (int c = 0; c < kBroadcastChains; ++c) {
    start += fmt::format("  float4 a{0} = (float4)(get_local_id(0) + {0});\n", c);
    steps += is_scalar ? fmt::format("    a{} += x * b.s{};\n", c, c % kBroadcastWidth)
                       : fmt::format("    a{} += x * b;\n", c);
    sum += fmt::format("{}a{}", c ? " + " : "", c);
  }
  return {"broadcast",
          fmt::format(
              "__kernel void broadcast(__global int* restrict out, const int steps, const int factor) {{\n"
              "  const float4 x = (float4)(factor, factor + 1, factor + 2, factor + 3);\n"
              "  float4 b = x * 0.5f;\n{}"
              "  for (int i = 0; i < steps; ++i) {{\n{}    b += x;\n  }}\n"
              "  const float4 sum = {};\n"
              "  if ((int)({}) == 12345678) out[0] = 1;\n}}\n",
              start, steps, sum, sum_of_lanes("sum", kBroadcastWidth)),
          {group, 1, 1},
          {buffer_argument("out"), scalar_argument("steps"), scalar_argument("factor")}};
}

void measure_arithmetic(Bench& bench, std::vector<Curve>& curves) {
  const DeviceInfo& info = bench.info();
  constexpr double kLongEnough = 1e-3;
  const std::int64_t groups = info.compute_units * (info.is_cpu ? 8 : 16);
  const auto out = bench.device().allocate(64);
  const auto seconds_of = [&](const KernelText& text, std::vector<KernelArgumentValue> scalars) {
    Launch launch;
    launch.kernel = bench.kernel(text);
    launch.arguments = {out};
    launch.arguments.insert(launch.arguments.end(), scalars.begin(), scalars.end());
    launch.groups = {groups, 1, 1};
    return bench.seconds_of(launch);
  };
  const std::vector<Arithmetic> kinds = kinds_of(info);
  bench.expect_sweeps(static_cast<int>(kinds.size()) + 1);
  for (Arithmetic kind : kinds) {
    std::map<int, int> group_of;  // by width
    for (const double point : kind.widths) {
      const int width = static_cast<int>(point);
      group_of[width] = busy_group(bench, [&](int group) { return peak_kernel(kind, width, group); });
    }
    // Widths that the compiler refuses, in spite of a listed extension, are left out.
    std::erase_if(kind.widths, [&](double point) {
      const int width = static_cast<int>(point);
      return !bench.can_build(peak_kernel(kind, width, group_of[width]));
    });
    if (kind.widths.empty()) continue;
    std::map<int, std::int32_t> steps;  // by width
    const auto rate = [&](double point) {
      const int width = static_cast<int>(point), group = group_of[width];
      const auto items = static_cast<double>(groups * group);
      const auto run = [&](std::int32_t count) {
        return seconds_of(peak_kernel(kind, width, group), {count, std::int32_t{3}, std::int32_t{7}});
      };
      std::int32_t& count = steps[width];
      if (count == 0) count = bench.calibrated(8, 1 << 24, kLongEnough, run);
      return kind.operations * width * chains_of(width) * count * items / run(count) * 1e-9;
    };
    curves.push_back({kind.curve, "elements of a vector", kind.unit, bench.sweep(kind.widths, rate)});
  }
  // Both kernels run in groups of one size.
  const int group = std::min(busy_group(bench, [](int size) { return broadcast_kernel(false, size); }),
                             busy_group(bench, [](int size) { return broadcast_kernel(true, size); }));
  const auto items = static_cast<double>(groups * group);
  std::int32_t steps = 0;
  const auto broadcast_rate = [&](double point) {
    const auto run = [&](std::int32_t count) {
      return seconds_of(broadcast_kernel(point == 1, group), {count, std::int32_t{3}});
    };
    if (steps == 0) steps = bench.calibrated(8, 1 << 24, kLongEnough, run);
    return 2.0 * kBroadcastWidth * kBroadcastChains * steps * items / run(steps) * 1e-9;
  };
  curves.push_back({"broadcast", "0: vector x vector, 1: vector x lane", "GFLOPS",
                    bench.sweep({0, 1}, broadcast_rate, 25)});
}

void analyze_arithmetic(const std::vector<Curve>& curves, const DeviceInfo&, HwProfile& profile) {
  const auto peak_of = [&](const char* name) -> std::optional<Measurement> {
    const Curve* curve = find_curve(curves, name);
    if (!curve) return std::nullopt;
    const Peak peak = find_peak(curve->sweep);
    return peak.height;
  };
  profile.fma_gflops.f32 = peak_of("f32");
  profile.fma_gflops.f16 = peak_of("f16");
  profile.matrix_gflops = peak_of("matrix");
  profile.integer_gops.i32 = peak_of("i32");
  profile.integer_gops.i8_dot = peak_of("i8_dot");
  // A multiply-add is two operations; the cost is the time of a division and its addition, in multiply-adds.
  const auto cost_of = [&](const char* name) -> std::optional<Measurement> {
    const auto rate = peak_of(name);
    if (!rate || !profile.integer_gops.i32) return std::nullopt;
    const Measurement& base = *profile.integer_gops.i32;
    return Measurement{base.value / 2 / rate->value, base.low / 2 / rate->high, base.high / 2 / rate->low,
                       base.confident && rate->confident};
  };
  profile.integer_cost.divide = cost_of("divide");
  profile.integer_cost.modulo = cost_of("modulo");
  if (const Curve* curve = find_curve(curves, "broadcast")) {
    if (curve->sweep.points.size() != 2) return;
    const Estimate faster = ratio(curve->sweep, 1, 0);
    constexpr double kLeast = kLeastAutobroadcastSpeedup;
    profile.autobroadcast_pays =
        BoolMeasurement{faster.median > kLeast, faster.low > kLeast || faster.high < kLeast};
    profile.autobroadcast_speedup = Measurement{faster.median, faster.low, faster.high, is_known(faster)};
  }
}

}  // namespace

Probe arithmetic_probe() {
  return {
      "arithmetic",
      "peak rates of f32, f16, matrix units, i32 and i8 dot products; what a division and a broadcast cost",
      2, measure_arithmetic, analyze_arithmetic};
}

}  // namespace tensordsl::hwprofile
