// Tests the memory plans of every planner.
#include "graph/memory/plan_memory.h"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>

#include <map>

#include "graph/memory/memory_lower_bound.h"
#include "graph/memory/plan_flow.h"
#include "graph/memory/plan_greedy.h"
#include "graph/memory/plan_naive.h"
#include "graph/memory/plan_offsets.h"
#include "graph/memory/verify_memory_plan.h"
#include "support/random_lifetimes.h"

namespace tensordsl {

using namespace graph;
namespace {

constexpr MemoryLimits kBytes{.alignment = 1};

/// "0:0 1:8 | 12 4": each one's slot and offset, and the slots' sizes.
std::string text(const MemoryPlan& plan) {
  std::string all;
  for (const auto& [slot, offset] : plan.places) all += fmt::format("{}:{} ", slot, offset);
  return fmt::format("{}| {}", all, fmt::join(plan.slot_bytes, " "));
}

/// Each is read by the next launch, one by the launch after that too.
const std::vector<Lifetime> kNetwork{{32, 1, 3}, {28, 3, 7}, {36, 5, 9}, {16, 7, 11}, {8, 9, 13}};

/// Computes the peak by brute force, at every step.
std::int64_t most_at_a_step(const std::vector<Lifetime>& lives) {
  std::int64_t most = 0;
  for (const Lifetime& at : lives) {
    std::int64_t needed = 0;
    for (const Lifetime& life : lives) {
      if (life.first <= at.first && at.first <= life.last) needed += life.bytes;
    }
    most = std::max(most, needed);
  }
  return most;
}

}  // namespace

TEST_CASE("memory plan: naive, each tensor has a slot of its own") {
  CHECK(text(plan_naive(kNetwork, kBytes)) == "0:0 1:0 2:0 3:0 4:0 | 32 28 36 16 8");
}

TEST_CASE("memory plan: greedy, the largest choose first and take the smallest slot that is free") {
  CHECK(text(plan_greedy(kNetwork, kBytes)) == "0:0 1:0 0:0 2:0 1:0 | 36 28 16");
}

TEST_CASE("memory plan: a flow of least cost says which slot each takes over") {
  CHECK(text(plan_flow(kNetwork, kBytes)) == "0:0 1:0 0:0 2:0 1:0 | 36 28 16");
}

TEST_CASE("memory plan: greedy takes the slot that fits best now, the flow those that cost least in all") {
  const std::vector<Lifetime> lives{{8, 3, 5}, {1, 5, 7}, {7, 3, 3}, {7, 7, 9}};
  CHECK(text(plan_greedy(lives, kBytes)) == "0:0 2:0 1:0 1:0 | 8 7 1");
  CHECK(text(plan_flow(lives, kBytes)) == "0:0 1:0 1:0 0:0 | 8 7");
}

TEST_CASE("memory plan: at offsets, what is needed together lies side by side in one slot") {
  CHECK(text(plan_offsets(kNetwork, kBytes)) == "0:0 0:36 0:0 0:64 0:36 | 80");
  CHECK(text(plan_offsets({{8, 1, 3}, {4, 3, 5}, {6, 5, 7}}, kBytes)) == "0:0 0:8 0:0 | 12");
}

TEST_CASE("memory plan: offsets are multiples of the alignment, and slots end where their last tensor does") {
  CHECK(text(plan_offsets({{10, 1, 3}, {7, 1, 3}, {5, 1, 3}}, {.alignment = 16})) == "0:0 0:16 0:32 | 37");
}

TEST_CASE("memory plan: no slot is larger than the limit, but for a tensor that is") {
  CHECK(text(plan_offsets({{10, 1, 3}, {7, 1, 3}, {5, 1, 3}, {30, 1, 3}},
                          {.alignment = 1, .most_slot_bytes = 16})) == "1:0 2:0 1:10 0:0 | 30 15 7");
}

TEST_CASE("memory plan: 1,000 random sets of lifetimes by every planner") {
  std::mt19937 random(17);
  std::map<std::string, int> chosen;
  for (int round = 0; round < 1000; ++round) {
    CAPTURE(round);
    const auto lives = testing::random_lifetimes(random, random() % 40);
    MemoryLimits limits;
    limits.alignment = std::int64_t{1} << random() % 13;
    if (random() % 4 == 0) limits.most_slot_bytes = 1 << 17;
    const std::int64_t least = memory_lower_bound(lives);
    CHECK(least == most_at_a_step(lives));
    std::int64_t best = INT64_MAX;
    for (const MemoryPlanner& planner : memory_planners()) {
      CAPTURE(planner.name);
      const MemoryPlan plan = planner.plan(lives, limits);
      CHECK(verify_memory_plan(lives, plan, limits) == "");
      CHECK(plan.total_bytes() >= least);
      best = std::min(best, plan.total_bytes());
    }
    const ChosenPlan plan = plan_memory(lives, limits);
    CHECK(plan.plan.total_bytes() == best);
    ++chosen[plan.planner];
  }
  CHECK(chosen.size() == memory_planners().size());  // each is the best of some
}

TEST_CASE("memory plan: without offsets, where a device takes long over parts of buffers") {
  std::mt19937 random(5);
  MemoryLimits limits;
  limits.allows_offsets = false;
  for (int i = 0; i < 50; ++i) {
    const auto lives = testing::random_lifetimes(random, 30);
    const ChosenPlan chosen = plan_memory(lives, limits);
    CHECK(chosen.planner != "offsets");
    CHECK(std::ranges::all_of(chosen.plan.places, [](const MemoryPlan::Place& p) { return p.offset == 0; }));
  }
}

TEST_CASE("memory plan: of many tensors too, without the planner that takes too long") {
  std::mt19937 random(3);
  const auto lives = testing::random_lifetimes(random, 3000);
  const ChosenPlan chosen = plan_memory(lives);
  CHECK(chosen.planner != "flow");
  CHECK(verify_memory_plan(lives, chosen.plan, {}) == "");
  CHECK(chosen.plan.total_bytes() < plan_naive(lives, {}).total_bytes() / 4);
}

TEST_CASE("memory plan: of equal plans that of the simplest planner is taken; of nothing there is one") {
  CHECK(plan_memory({{8, 1, 3}, {8, 3, 5}}).planner == "naive");
  CHECK(plan_memory({{8, 1, 3}, {8, 3, 5}, {8, 5, 7}}).planner == "greedy");
  CHECK(plan_memory({}).plan.slot_bytes.empty());
}

TEST_CASE("memory plan: the verifier says what is wrong") {
  const std::vector<Lifetime> lives{{8, 1, 3}, {8, 3, 5}};
  const auto problem = [&](const MemoryPlan& plan) {
    return verify_memory_plan(lives, plan, {.alignment = 4, .most_slot_bytes = 32});
  };
  CHECK(problem({{{0, 0}, {0, 8}}, {16}}) == "");
  CHECK(problem({{{0, 0}, {0, 4}}, {16}}) == "0 and 1 share bytes [4, 8) of slot 0 at step 3");
  CHECK(problem({{{0, 0}, {0, 12}}, {16}}) == "1 is [12, 20) of slot 0, which has 16 bytes");
  CHECK(problem({{{0, 0}, {0, -4}}, {16}}) == "1 is [-4, 4) of slot 0, which has 16 bytes");
  CHECK(problem({{{0, 0}, {0, 10}}, {18}}) == "1 is at 10, which is not a multiple of 4");
  CHECK(problem({{{0, 0}, {1, 0}}, {16}}) == "1 has slot 1 of 1");
  CHECK(problem({{{0, 0}, {0, 36}}, {44}}) == "1 ends at 44 of slot 0, beyond 32");
  CHECK(problem({{{0, 0}}, {8}}) == "found 1 places for 2");
}

}  // namespace tensordsl
