#include "graph/memory/plan_offsets.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

#include "graph/memory/memory_lower_bound.h"

namespace tensordsl::graph {
namespace {

using Order = std::vector<std::size_t>;
using Lifetimes = std::vector<Lifetime>;

struct Placed {
  std::int64_t offset = 0, end = 0;
  int first = 0, last = 0;
};

/// The tensors in one slot, by offset.
class Slot {
 public:
  /// Returns the smallest gap that is large enough, or the offset after all tensors; nullopt beyond `limit`.
  std::optional<std::int64_t> place_for(const Lifetime& life, std::int64_t alignment,
                                        std::int64_t limit) const {
    std::int64_t begin = 0, smallest = INT64_MAX;
    std::optional<std::int64_t> best;
    for (const Placed& other : placed_) {
      if (other.last < life.first || life.last < other.first) continue;
      const std::int64_t gap = other.offset - begin;
      if (gap >= life.bytes && gap < smallest) {
        smallest = gap;
        best = begin;
      }
      begin = std::max(begin, (other.end + alignment - 1) / alignment * alignment);
    }
    if (!best) best = begin;
    if (*best > 0 && *best + life.bytes > limit) return std::nullopt;
    return best;
  }

  void place(const Lifetime& life, std::int64_t offset) {
    const Placed placed{offset, offset + life.bytes, life.first, life.last};
    placed_.insert(std::ranges::upper_bound(placed_, offset, {}, &Placed::offset), placed);
    bytes_ = std::max(bytes_, placed.end);
  }

  std::int64_t bytes() const { return bytes_; }

 private:
  std::vector<Placed> placed_;
  std::int64_t bytes_ = 0;
};

MemoryPlan pack(const Lifetimes& lives, const Order& order, const MemoryLimits& limits) {
  MemoryPlan plan;
  plan.places.resize(lives.size());
  std::vector<Slot> slots;
  for (const std::size_t i : order) {
    std::optional<std::int64_t> offset;
    for (std::size_t s = 0; !offset; ++s) {
      if (s == slots.size()) slots.emplace_back();
      offset = slots[s].place_for(lives[i], limits.alignment, limits.most_slot_bytes);
      if (!offset) continue;
      slots[s].place(lives[i], *offset);
      plan.places[i] = {static_cast<int>(s), *offset};
    }
  }
  for (const Slot& slot : slots) plan.slot_bytes.push_back(slot.bytes());
  return plan;
}

/// Returns the bytes needed at each step.
std::map<int, std::int64_t> breadths(const Lifetimes& lives) {
  std::map<int, std::int64_t> change, breadth;
  for (const Lifetime& life : lives) {
    change[life.first] += life.bytes;
    change[life.last + 1] -= life.bytes;
  }
  std::int64_t needed = 0;
  for (const auto& [step, bytes] : change) breadth[step] = needed += bytes;
  return breadth;
}

/// The most that is needed at a step of each.
std::vector<std::int64_t> widest(const Lifetimes& lives) {
  const std::map<int, std::int64_t> breadth = breadths(lives);
  std::vector<std::int64_t> most;
  for (const Lifetime& life : lives) {
    std::int64_t widest = 0;
    for (auto at = breadth.lower_bound(life.first); at != breadth.end() && at->first <= life.last; ++at)
      widest = std::max(widest, at->second);
    most.push_back(widest);
  }
  return most;
}

/// Orders lifetimes, the least keys first.
template <typename Key>
Order by(std::size_t count, const Key& key) {
  Order order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, key);
  return order;
}

}  // namespace

MemoryPlan plan_offsets(const Lifetimes& lives, const MemoryLimits& limits) {
  const std::int64_t least = memory_lower_bound(lives);
  const std::vector<std::int64_t> breadth = widest(lives);
  const auto bytes = [&](std::size_t i) { return -lives[i].bytes; };
  const auto steps = [&](std::size_t i) { return lives[i].first - lives[i].last; };
  const auto work = [&](std::size_t i) { return bytes(i) * (1 - steps(i)); };
  const std::vector<std::function<Order()>> orders{
      [&] { return by(lives.size(), bytes); },
      [&] { return by(lives.size(), [&](std::size_t i) { return std::tuple(-breadth[i], bytes(i)); }); },
      [&] {
        return by(lives.size(), [&](std::size_t i) { return std::tuple(-breadth[i], lives[i].first); });
      },
      [&] { return by(lives.size(), [&](std::size_t i) { return std::tuple(steps(i), bytes(i)); }); },
      [&] { return by(lives.size(), work); },
      [&] { return by(lives.size(), [&](std::size_t i) { return std::tuple(lives[i].first, bytes(i)); }); },
      [&] { return by(lives.size(), [&](std::size_t i) { return std::tuple(-lives[i].last, bytes(i)); }); }};
  std::optional<MemoryPlan> best;
  for (const auto& order : orders) {
    MemoryPlan plan = pack(lives, order(), limits);
    if (!best || plan.total_bytes() < best->total_bytes()) best = std::move(plan);
    if (best->total_bytes() == least) break;
  }
  return *best;
}

}  // namespace tensordsl::graph
