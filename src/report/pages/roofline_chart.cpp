#include "report/pages/roofline_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "report/pages/figure_text.h"

namespace tensordsl::report {

std::optional<LineChart> roofline_chart(const HwProfile& profile) {
  std::vector<std::pair<std::string, double>> memories;  // GB/s
  const auto add = [&](const std::string& name, const std::optional<Measurement>& bandwidth) {
    if (bandwidth && bandwidth->value > 0)
      memories.emplace_back(fmt::format("{}, {}", name, figure_text(bandwidth, "GB/s")), bandwidth->value);
  };
  add("memory", profile.dram_gbs);
  for (std::size_t i = 0; i < profile.buffer_caches.size(); ++i)
    add(fmt::format("buffers, cache {}", i + 1), profile.buffer_caches[i].bandwidth_gbs);
  for (std::size_t i = 0; i < profile.image_caches.size(); ++i)
    add(fmt::format("images, cache {}", i + 1), profile.image_caches[i].bandwidth_gbs);
  add("local memory", profile.local_memory.bandwidth_gbs);
  if (memories.empty() || !profile.fma_gflops.f32 || profile.fma_gflops.f32->value <= 0) return std::nullopt;
  const double peak = profile.fma_gflops.f32->value;
  std::stable_sort(memories.begin(), memories.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  // Covers the range from where the fastest memory is far below the peak to where the slowest reaches it.
  const double first = std::pow(2, std::floor(std::log2(peak / memories.front().second)) - 4);
  const double last = std::pow(2, std::ceil(std::log2(peak / memories.back().second)) + 2);
  LineChart chart;
  chart.title = "Roofline of f32 multiply-adds";
  chart.x = {{"operations for each byte", ""}, AxisScale::Logarithmic};
  chart.y = {{"rate", "GFLOPS"}, AxisScale::Logarithmic};
  chart.marks = {{Mark::At::Y, peak, "fma_gflops.f32 = " + figure_text(profile.fma_gflops.f32, "GFLOPS")}};
  for (const auto& [name, bandwidth] : memories) {
    std::vector<Point> roof;
    const double ridge = peak / bandwidth;
    for (double x = first; x <= last * 1.001; x *= 2) {
      if (x / 2 < ridge && ridge < x) roof.push_back(Point::exact(ridge, peak));
      roof.push_back(Point::exact(x, std::min(peak, x * bandwidth)));
    }
    chart.series.push_back({name, {std::move(roof)}});
  }
  return chart;
}

}  // namespace tensordsl::report
