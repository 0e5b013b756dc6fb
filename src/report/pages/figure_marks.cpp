#include "report/pages/figure_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hwprofile/named_fields.h"
#include "report/pages/figure_text.h"

namespace tensordsl::report {
namespace {

using At = Mark::At;
using hwprofile::Curve;

struct ShownFigure {
  std::string_view probe, curve, figure;  // "[*]": of every level
  At at;
};

constexpr std::array kShownFigures{
    ShownFigure{"launch", "completed", "launch_completed_us", At::Y},
    ShownFigure{"transfer", "to device", "host_to_device_gbs", At::Y},
    ShownFigure{"transfer", "to host", "device_to_host_gbs", At::Y},
    ShownFigure{"arithmetic", "f32", "fma_gflops.f32", At::Y},
    ShownFigure{"arithmetic", "f16", "fma_gflops.f16", At::Y},
    ShownFigure{"arithmetic", "matrix", "matrix_gflops", At::Y},
    ShownFigure{"arithmetic", "i32", "integer_gops.i32", At::Y},
    ShownFigure{"arithmetic", "i8_dot", "integer_gops.i8_dot", At::Y},
    ShownFigure{"warp", "group size", "warp_size", At::X},
    ShownFigure{"warp", "branch", "warp_size", At::X},
    ShownFigure{"parallelism", "units", "compute_units", At::X},
    ShownFigure{"parallelism", "groups", "concurrent_groups", At::X},
    ShownFigure{"parallelism", "alus", "alus_per_unit", At::X},
    ShownFigure{"registers", "registers", "registers.per_item", At::X},
    ShownFigure{"memory", "read", "dram_gbs", At::Y},
    ShownFigure{"memory", "write", "dram_write_gbs", At::Y},
    ShownFigure{"memory", "copy", "copy_gbs", At::Y},
    ShownFigure{"buffer_cache", "latency", "buffer_caches[*].bytes", At::X},
    ShownFigure{"buffer_cache", "latency", "dram_latency_ns", At::Y},
    ShownFigure{"buffer_cache", "bandwidth", "buffer_caches[*].bytes", At::X},
    ShownFigure{"buffer_cache", "width", "vector_width.buffer", At::X},
    ShownFigure{"image_cache", "latency", "image_caches[*].bytes", At::X},
    ShownFigure{"image_cache", "bandwidth", "image_caches[*].bytes", At::X},
    ShownFigure{"image_cache", "bandwidth", "image_gbs", At::Y},
    ShownFigure{"local_memory", "latency", "local_memory.latency_ns", At::Y},
    ShownFigure{"constant_memory", "latency", "constant_memory.cached_bytes", At::X}};

struct Figure {
  std::string name, unit;
  Measurement value;
};

class Figures : public hwprofile::NamedFields<Figures> {
 public:
  std::vector<Figure> all;

  void numbers(const char*, const std::vector<int>&) {}
  void steps(const char*, const std::vector<OccupancyStep>&) {}
  void field(const char* name, const char* unit, const std::optional<Measurement>& f) {
    if (f) all.push_back({full_name(name), unit, *f});
  }
  void field(const char*, const char*, const std::optional<BoolMeasurement>&) {}
};

/// True if `name` is `shown`, in which "[*]" stands for any level.
bool is_shown(std::string_view name, std::string_view shown) {
  const std::size_t any = shown.find("[*]");
  if (any == std::string_view::npos) return name == shown;
  const std::size_t close = name.find(']');
  return close != std::string_view::npos && name.substr(0, any + 1) == shown.substr(0, any + 1) &&
         name.substr(close) == shown.substr(any + 2);
}

/// Returns the factor of a value in `unit` on an axis in `axis_unit`.
double factor_between(std::string_view unit, std::string_view axis_unit) {
  if (axis_unit != "s") return 1;
  return unit == "us" ? 1e-6 : unit == "ns" ? 1e-9 : 1;
}

}  // namespace

Quantity quantity_of_axis(const std::string& axis) {
  for (const auto& [unit, name] : {std::pair{"s", "time"},
                                   {"ns", "time"},
                                   {"GB/s", "bandwidth"},
                                   {"GFLOPS", "rate"},
                                   {"Gop/s", "rate"}}) {
    if (axis == unit) return {name, unit};
  }
  const auto open = axis.rfind(" ("), close = axis.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close < open) return {axis, ""};
  return {axis.substr(0, open), axis.substr(open + 2, close - open - 2)};
}

std::vector<Mark> figure_marks(std::string_view probe, const Curve& curve, const HwProfile& profile) {
  Figures figures;
  visit_fields(profile, figures);
  std::vector<Mark> marks;
  for (const ShownFigure& shown : kShownFigures) {
    if (shown.probe != probe || shown.curve != curve.name) continue;
    const std::string unit = quantity_of_axis(shown.at == At::X ? curve.x : curve.y).unit;
    for (const Figure& figure : figures.all) {
      if (!is_shown(figure.name, shown.figure)) continue;
      marks.push_back({shown.at, figure.value.value * factor_between(figure.unit, unit),
                       fmt::format("{} = {}", figure.name, figure_text(figure.value, figure.unit))});
    }
  }
  return marks;
}

}  // namespace tensordsl::report
