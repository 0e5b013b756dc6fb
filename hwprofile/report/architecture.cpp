#include "hwprofile/report/architecture.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "hwprofile/report/quantity.h"
#include "hwprofile/report/svg.h"

namespace tensordsl::hwprofile {
namespace {

constexpr double kWidth = 1060, kGap = 12, kPadding = 16;

/// A box with a heading and lines under it.
struct Box {
  std::string heading, style;
  std::vector<std::string> lines;

  double height() const { return 34 + 17 * static_cast<double>(lines.size()); }
};

void draw_box(Svg& svg, const Box& box, Place corner, double width, double height) {
  svg.rectangle(corner, width, height, box.style);
  svg.text({corner.x + 10, corner.y + 20}, box.heading, "box-heading");
  for (std::size_t i = 0; i < box.lines.size(); ++i)
    svg.text({corner.x + 10, corner.y + 39 + 17 * static_cast<double>(i)}, box.lines[i], "box-text");
}

/// Side by side, as high as the highest; gives the height.
double draw_row(Svg& svg, const std::vector<Box>& boxes, Place corner, double width) {
  double height = 0;
  for (const Box& box : boxes) height = std::max(height, box.height());
  const double each =
      (width - kGap * static_cast<double>(boxes.size() - 1)) / static_cast<double>(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i)
    draw_box(svg, boxes[i], {corner.x + (each + kGap) * static_cast<double>(i), corner.y}, each, height);
  return height;
}

Box cache_box(const std::string& heading, const CacheLevel& cache) {
  Box box{heading, "box cache", {"size " + quantity(cache.bytes, "B")}};
  if (cache.line_bytes) box.lines.push_back("line " + quantity(cache.line_bytes, "B"));
  box.lines.push_back("latency " + quantity(cache.latency_ns, "ns"));
  box.lines.push_back("bandwidth " + quantity(cache.bandwidth_gbs, "GB/s"));
  return box;
}

std::string yes_or_no(const std::optional<BoolMeasurement>& finding, const char* yes, const char* no) {
  if (!finding) return "?";
  return fmt::format("{}{}", finding->value ? yes : no, finding->confident ? "" : " (a guess)");
}

}  // namespace

std::string draw_architecture(const HwProfile& profile) {
  const auto box_with = [](std::string heading, std::string style, std::vector<std::string> lines) {
    return Box{std::move(heading), std::move(style), std::move(lines)};
  };
  std::vector<Box> inside{
      box_with("ALUs", "box alu",
               {quantity(profile.alus_per_unit, "") + " that start a multiply-add in a clock",
                "warp of " + quantity(profile.warp_size, ""),
                "f32 " + quantity(profile.fma_gflops.f32, "GFLOPS") + ", f16 " +
                    quantity(profile.fma_gflops.f16, "GFLOPS") + " (all units)"}),
      box_with(
          "registers", "box register",
          {quantity(profile.registers.per_item, "") + " of 32 bits for a work-item",
           "pool of " + quantity(profile.registers.pool, ""),
           yes_or_no(profile.registers.shared, "shared by all work-items", "dedicated to each work-item")}),
      box_with("local memory", "box local",
               {quantity(profile.local_memory.bytes, "B") + " for a work-group",
                yes_or_no(profile.local_memory.on_chip, "memory of its own", "part of memory"),
                "latency " + quantity(profile.local_memory.latency_ns, "ns") + ", " +
                    quantity(profile.local_memory.bandwidth_gbs, "GB/s")})};
  std::vector<Box> first;
  std::vector<std::vector<Box>> behind;
  const auto add_caches = [&](const char* name, const std::vector<CacheLevel>& caches) {
    for (std::size_t i = 0; i < caches.size(); ++i) {
      const Box box = cache_box(fmt::format("{}, cache {}", name, i + 1), caches[i]);
      if (i == 0) {
        first.push_back(box);
      } else {
        if (behind.size() < i) behind.emplace_back();
        behind[i - 1].push_back(box);
      }
    }
  };
  add_caches("buffers", profile.buffer_caches);
  add_caches("images", profile.image_caches);
  if (profile.constant_memory.cached_bytes || profile.constant_memory.bandwidth_gbs) {
    first.push_back(box_with("constants", "box cache",
                             {"read fast up to " + quantity(profile.constant_memory.cached_bytes, "B"),
                              "bandwidth " + quantity(profile.constant_memory.bandwidth_gbs, "GB/s")}));
  }
  const Box memory =
      box_with("memory", "box memory",
               {"read " + quantity(profile.dram_gbs, "GB/s") + ", write " +
                    quantity(profile.dram_write_gbs, "GB/s") + ", copy " + quantity(profile.copy_gbs, "GB/s"),
                "latency " + quantity(profile.dram_latency_ns, "ns"),
                "host to device " + quantity(profile.host_to_device_gbs, "GB/s") + ", device to host " +
                    quantity(profile.device_to_host_gbs, "GB/s")});
  const auto height_of = [](const std::vector<Box>& boxes) {
    double height = 0;
    for (const Box& box : boxes) height = std::max(height, box.height());
    return height;
  };
  const double unit_height =
      40 + height_of(inside) + (first.empty() ? 0 : kGap + height_of(first)) + kPadding;
  double height = 2 + unit_height + 12 + kGap + memory.height() + 4;
  for (const auto& level : behind) height += height_of(level) + kGap;
  Svg svg(kWidth, height, "Architecture of " + profile.device);
  // Two shadows stand for the other units.
  for (const double shift : {12.0, 6.0})
    svg.rectangle({2 + shift, 2 + shift}, kWidth - 20, unit_height, "box unit");
  svg.rectangle({2, 2}, kWidth - 20, unit_height, "box unit");
  svg.text({kPadding, 26},
           fmt::format("compute unit, one of {}; {} work-groups of one warp run on all of them",
                       quantity(profile.compute_units, ""), quantity(profile.concurrent_groups, "")),
           "box-heading");
  double y = 40;
  const double inner = kWidth - 20 - 2 * kPadding;
  y += draw_row(svg, inside, {kPadding, y}, inner) + kGap;
  if (!first.empty()) draw_row(svg, first, {kPadding, y}, inner);
  y = 2 + unit_height + 12 + kGap;
  for (const auto& level : behind) y += draw_row(svg, level, {2, y}, kWidth - 4) + kGap;
  draw_row(svg, {memory}, {2, y}, kWidth - 4);
  return svg.str();
}

}  // namespace tensordsl::hwprofile
