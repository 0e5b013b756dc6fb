#include "graph/memory/verify_memory_plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace tensordsl::graph {
namespace {

std::string verify_place(std::size_t i, const Lifetime& life, const MemoryPlan& plan,
                         const MemoryLimits& limits) {
  const auto& [slot, offset] = plan.places[i];
  if (slot < 0 || slot >= static_cast<int>(plan.slot_bytes.size()))
    return fmt::format("{} has slot {} of {}", i, slot, plan.slot_bytes.size());
  const std::int64_t room = plan.slot_bytes[static_cast<std::size_t>(slot)];
  if (offset < 0 || offset > room || life.bytes > room - offset)
    return fmt::format("{} is [{}, {}) of slot {}, which has {} bytes", i, offset, offset + life.bytes, slot,
                       room);
  if (offset % limits.alignment != 0)
    return fmt::format("{} is at {}, which is not a multiple of {}", i, offset, limits.alignment);
  if (offset > 0 && offset + life.bytes > limits.most_slot_bytes)
    return fmt::format("{} ends at {} of slot {}, beyond {}", i, offset + life.bytes, slot,
                       limits.most_slot_bytes);
  return "";
}

}  // namespace

std::string verify_memory_plan(const std::vector<Lifetime>& lives, const MemoryPlan& plan,
                               const MemoryLimits& limits) {
  if (plan.places.size() != lives.size())
    return fmt::format("found {} places for {}", plan.places.size(), lives.size());
  for (std::size_t i = 0; i < lives.size(); ++i) {
    std::string problem = verify_place(i, lives[i], plan, limits);
    if (!problem.empty()) return problem;
  }
  for (std::size_t a = 0; a < lives.size(); ++a) {
    for (std::size_t b = a + 1; b < lives.size(); ++b) {
      if (plan.places[a].slot != plan.places[b].slot) continue;
      const int step = std::max(lives[a].first, lives[b].first);
      const std::int64_t begin = std::max(plan.places[a].offset, plan.places[b].offset),
                         end = std::min(plan.places[a].offset + lives[a].bytes,
                                        plan.places[b].offset + lives[b].bytes);
      if (step <= std::min(lives[a].last, lives[b].last) && begin < end)
        return fmt::format("{} and {} share bytes [{}, {}) of slot {} at step {}", a, b, begin, end,
                           plan.places[a].slot, step);
    }
  }
  return "";
}

}  // namespace tensordsl::graph
