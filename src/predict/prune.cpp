#include "predict/prune.h"

#include <fmt/format.h>

#include <algorithm>

#include "predict/device_figures.h"

namespace tensordsl::predict {
namespace {

double value_of(const std::optional<Measurement>& figure) { return figure ? figure->value : 0; }

double first_cache(const std::vector<CacheLevel>& caches) {
  const double bytes = caches.empty() ? 0 : value_of(caches.front().bytes);
  return bytes <= kLargestUnitCache ? bytes : 0;
}

double bandwidth(const std::vector<CacheLevel>& caches) {
  return caches.empty() ? 0 : value_of(caches.front().bandwidth_gbs);
}

bool breaks(Criterion criterion, const KernelUsage& u, const PruningLimits& l, double alpha) {
  const auto is_more = [](double found, double most) { return most > 0 && found > most; };
  switch (criterion) {
    case Criterion::Cache:
      return is_more(static_cast<double>(u.iteration_bytes),
                     u.reads_images && !u.reads_buffers ? l.image_cache_bytes : l.buffer_cache_bytes);
    case Criterion::Registers:
      if (!l.occupancy.empty())
        return static_cast<double>(u.group_items) >
               resident_items(l.occupancy, static_cast<double>(u.registers));
      return is_more(static_cast<double>(u.group_items * u.registers), l.registers_per_unit);
    case Criterion::Spills:
      return is_more(static_cast<double>(u.registers), l.registers_per_item);
    case Criterion::Buffers:
      return l.only_images_cached && u.reads_buffers;
    case Criterion::LocalMemory:
      return u.local_bytes > 0 &&
             (l.local_off_chip || is_more(static_cast<double>(u.group_items), alpha * l.alus));
    case Criterion::Warp:
      return u.group_items < l.warp;
    case Criterion::AccessWidth: {
      const int width = u.reads_images && !u.reads_buffers ? l.image_width : l.buffer_width;
      return u.access_elements < width;
    }
    case Criterion::Text:
      return is_more(u.instructions, l.instructions);
  }
  return false;
}

}  // namespace

std::string_view name_of(Criterion criterion) {
  switch (criterion) {
    case Criterion::Cache:
      return "cache";
    case Criterion::Registers:
      return "registers";
    case Criterion::Spills:
      return "spills";
    case Criterion::Buffers:
      return "buffers";
    case Criterion::LocalMemory:
      return "local memory";
    case Criterion::Warp:
      return "warp";
    case Criterion::AccessWidth:
      return "access width";
    case Criterion::Text:
      return "text";
  }
  return "";
}

PruningOptions& PruningOptions::switch_off(Criterion criterion) {
  is_on[static_cast<std::size_t>(criterion)] = false;
  return *this;
}

PruningCounts& PruningCounts::operator+=(const PruningCounts& other) {
  seen += other.seen;
  kept += other.kept;
  for (std::size_t i = 0; i < left_out.size(); ++i) left_out[i] += other.left_out[i];
  return *this;
}

PruningLimits limits_of(const HwProfile& profile) {
  PruningLimits limits;
  limits.buffer_cache_bytes = first_cache(profile.buffer_caches);
  limits.image_cache_bytes = first_cache(profile.image_caches);
  limits.registers_per_unit = value_of(profile.registers.pool);
  limits.occupancy = profile.registers.occupancy;
  limits.registers_per_item = value_of(profile.registers.per_item);
  limits.instructions = figures_of(profile).most_instructions;
  limits.alus = value_of(profile.alus_per_unit);
  limits.warp = static_cast<int>(value_of(profile.warp_size));
  limits.buffer_width = static_cast<int>(value_of(profile.vector_width.buffer));
  limits.image_width = static_cast<int>(value_of(profile.vector_width.image));
  // Such a cache shows as a size for images, and none for buffers, which are slower.
  limits.only_images_cached = limits.image_cache_bytes > 0 && first_cache(profile.buffer_caches) == 0 &&
                              bandwidth(profile.buffer_caches) > 0 &&
                              bandwidth(profile.image_caches) > bandwidth(profile.buffer_caches);
  limits.local_off_chip = profile.local_memory.on_chip && !profile.local_memory.on_chip->value;
  return limits;
}

Verdict judge(const KernelUsage& usage, const PruningLimits& limits, const PruningOptions& options) {
  const auto broken = std::ranges::find_if(kCriteria, [&](Criterion criterion) {
    return options.counts(criterion) && breaks(criterion, usage, limits, options.alpha);
  });
  return broken == kCriteria.end() ? Verdict{} : Verdict{false, *broken};
}

std::string explain(const Verdict& verdict, const KernelUsage& u, const PruningLimits& l) {
  if (verdict.is_kept) return "";
  const bool is_images = u.reads_images && !u.reads_buffers;
  switch (verdict.broken) {
    case Criterion::Cache:
      return fmt::format("an iteration reads {} bytes, more than the {:.0f} of the cache", u.iteration_bytes,
                         is_images ? l.image_cache_bytes : l.buffer_cache_bytes);
    case Criterion::Registers:
      if (!l.occupancy.empty()) {
        return fmt::format("{} work-items of {} registers exceed the {:.0f} that a compute unit holds",
                           u.group_items, u.registers,
                           resident_items(l.occupancy, static_cast<double>(u.registers)));
      }
      return fmt::format("{} work-items of {} registers exceed the {:.0f} of a compute unit", u.group_items,
                         u.registers, l.registers_per_unit);
    case Criterion::Spills:
      return fmt::format("{} registers exceed the {:.0f} of a work-item", u.registers, l.registers_per_item);
    case Criterion::Buffers:
      return "it reads buffers, but only images are cached";
    case Criterion::LocalMemory:
      return l.local_off_chip
                 ? std::string("its tiles are in local memory, which is not on chip")
                 : fmt::format("its tiles are in local memory, with {} work-items on {:.0f} ALUs",
                               u.group_items, l.alus);
    case Criterion::Warp:
      return fmt::format("{} work-items, but {} run in step", u.group_items, l.warp);
    case Criterion::AccessWidth:
      return fmt::format("it reads {} elements at a time; {} are fastest", u.access_elements,
                         is_images ? l.image_width : l.buffer_width);
    case Criterion::Text:
      return fmt::format("{:.0f} instructions exceed the {:.0f} of the instruction cache", u.instructions,
                         l.instructions);
  }
  return "";
}

bool keeps(const KernelUsage& usage, const PruningLimits& limits, const PruningOptions& options,
           PruningCounts& counts, std::int64_t alike) {
  const Verdict verdict = judge(usage, limits, options);
  counts.seen += alike;
  if (verdict.is_kept) {
    counts.kept += alike;
  } else {
    counts.left_out[static_cast<std::size_t>(verdict.broken)] += alike;
  }
  return verdict.is_kept;
}

}  // namespace tensordsl::predict
