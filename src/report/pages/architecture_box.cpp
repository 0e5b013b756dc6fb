#include "report/pages/architecture_box.h"

#include <fmt/format.h>

#include "report/pages/figure_text.h"

namespace tensordsl::report {
namespace {

constexpr const char *kAlu = "var(--series-2)", *kRegister = "var(--series-4)", *kLocal = "var(--series-3)",
                     *kCache = "var(--series-1)", *kMemory = "var(--series-5)";

Box cache_box(const std::string& heading, const CacheLevel& cache) {
  Box box{heading, {"size " + figure_text(cache.bytes, "B")}, {}, kCache};
  if (cache.line_bytes) box.lines.push_back("line " + figure_text(cache.line_bytes, "B"));
  box.lines.push_back("latency " + figure_text(cache.latency_ns, "ns"));
  box.lines.push_back("bandwidth " + figure_text(cache.bandwidth_gbs, "GB/s"));
  return box;
}

std::string yes_or_no(const std::optional<BoolMeasurement>& finding, const char* yes, const char* no) {
  if (!finding) return "?";
  return fmt::format("{}{}", finding->value ? yes : no, finding->confident ? "" : " (a guess)");
}

std::vector<Box> boxes_of_unit(const HwProfile& p) {
  const Box alus{"ALUs",
                 {figure_text(p.alus_per_unit, "") + " that start a multiply-add in a clock",
                  "warp of " + figure_text(p.warp_size, ""),
                  "f32 " + figure_text(p.fma_gflops.f32, "GFLOPS") + ", f16 " +
                      figure_text(p.fma_gflops.f16, "GFLOPS") + " (all units)"},
                 {},
                 kAlu};
  const Box registers{
      "registers",
      {figure_text(p.registers.per_item, "") + " of 32 bits for a work-item",
       "pool of " + figure_text(p.registers.pool, ""),
       yes_or_no(p.registers.shared, "shared by all work-items", "dedicated to each work-item")},
      {},
      kRegister};
  const Box local{"local memory",
                  {figure_text(p.local_memory.bytes, "B") + " for a work-group",
                   yes_or_no(p.local_memory.on_chip, "memory of its own", "part of memory"),
                   "latency " + figure_text(p.local_memory.latency_ns, "ns") + ", " +
                       figure_text(p.local_memory.bandwidth_gbs, "GB/s")},
                  {},
                  kLocal};
  return {alus, registers, local};
}

}  // namespace

Box architecture_box(const HwProfile& p) {
  Box unit{fmt::format("compute unit, one of {}; {} work-groups of one warp run on all of them",
                       figure_text(p.compute_units, ""), figure_text(p.concurrent_groups, "")),
           {},
           {boxes_of_unit(p)},
           ""};
  std::vector<Box> first;
  std::vector<std::vector<Box>> behind;
  const auto add_caches = [&](const char* name, const std::vector<CacheLevel>& caches) {
    for (std::size_t i = 0; i < caches.size(); ++i) {
      if (behind.size() < i) behind.emplace_back();
      (i == 0 ? first : behind[i - 1])
          .push_back(cache_box(fmt::format("{}, cache {}", name, i + 1), caches[i]));
    }
  };
  add_caches("buffers", p.buffer_caches);
  add_caches("images", p.image_caches);
  if (p.constant_memory.cached_bytes || p.constant_memory.bandwidth_gbs) {
    first.push_back({"constants",
                     {"read fast up to " + figure_text(p.constant_memory.cached_bytes, "B"),
                      "bandwidth " + figure_text(p.constant_memory.bandwidth_gbs, "GB/s")},
                     {},
                     kCache});
  }
  if (!first.empty()) unit.rows.push_back(first);
  const Box memory{"memory",
                   {"read " + figure_text(p.dram_gbs, "GB/s") + ", write " +
                        figure_text(p.dram_write_gbs, "GB/s") + ", copy " + figure_text(p.copy_gbs, "GB/s"),
                    "latency " + figure_text(p.dram_latency_ns, "ns"),
                    "host to device " + figure_text(p.host_to_device_gbs, "GB/s") + ", device to host " +
                        figure_text(p.device_to_host_gbs, "GB/s")},
                   {},
                   kMemory};
  Box device{p.device, {}, {{unit}}, ""};
  for (const auto& level : behind) device.rows.push_back(level);
  device.rows.push_back({memory});
  return device;
}

}  // namespace tensordsl::report
