// Tests the operations of a Runner between the launches of a Program.
#include "runtime/program/run_order.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tensordsl/error.h"

using namespace tensordsl;

namespace {

using Place = Program::Loop::Place;

/// Describes the order of a Program with that many launches: "2 launches, count 0, host 0".
std::string order_of(std::size_t launches, const std::vector<std::size_t>& counts,
                     const std::vector<std::pair<std::size_t, std::size_t>>& host_steps,
                     const std::vector<std::pair<Place, Place>>& loops = {}) {
  Program program;
  program.launches.resize(launches);
  for (const std::size_t at : counts) program.counts.push_back({"n", 0, at, 1});
  for (const auto& [at, known] : host_steps) {
    program.host_steps.emplace_back();
    program.host_steps.back().launches = at;
    program.host_steps.back().counts = known;
  }
  for (const auto& [begin, end] : loops) {
    program.loops.emplace_back();
    program.loops.back().begin = begin;
    program.loops.back().end = end;
  }
  std::string text;
  std::vector<std::size_t> ends;
  const std::vector<runtime::RunStep> order = runtime::run_order(program);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const runtime::RunStep& step = order[i];
    while (!ends.empty() && ends.back() == i) {
      ends.pop_back();
      text += " }";
    }
    if (!text.empty()) text += text.ends_with('{') ? " " : ", ";
    switch (step.kind) {
      case runtime::RunStep::Kind::Launches:
        text += fmt::format("[{}, {})", step.first, step.last);
        break;
      case runtime::RunStep::Kind::Count:
        text += fmt::format("count {}", step.first);
        break;
      case runtime::RunStep::Kind::Host:
        text += fmt::format("host {}", step.first);
        break;
      case runtime::RunStep::Kind::Loop:
        text += fmt::format("loop {} {{", step.first);
        ends.push_back(step.last);
        break;
    }
  }
  return text;
}

}  // namespace

TEST_CASE("run order: launches with nothing between them are one step") {
  CHECK(order_of(3, {}, {}) == "[0, 3)");
  CHECK(order_of(0, {}, {}) == "[0, 0)");
}

TEST_CASE("run order: counts and host steps come where they say") {
  CHECK(order_of(4, {2}, {}) == "[0, 2), count 0, [2, 4)");
  CHECK(order_of(4, {4}, {}) == "[0, 4), count 0, [4, 4)");
  CHECK(order_of(4, {0, 3, 3}, {{1, 1}}) == "count 0, [0, 1), host 0, [1, 3), count 1, count 2, [3, 4)");
}

TEST_CASE("run order: at one place a host step that waits for no count comes first") {
  CHECK(order_of(2, {1}, {{1, 0}, {1, 1}}) == "[0, 1), host 0, count 0, host 1, [1, 2)");
}

TEST_CASE("run order: a loop has the steps that it repeats behind it, and launches come last") {
  CHECK(order_of(3, {}, {}, {{{1, 0, 0}, {2, 0, 0}}}) == "[0, 1), loop 0 { [1, 2) }, [2, 3)");
  CHECK(order_of(2, {}, {}, {{{0, 0, 0}, {2, 0, 0}}}) == "loop 0 { [0, 2) }, [2, 2)");
  CHECK(order_of(4, {}, {}, {{{0, 0, 0}, {3, 0, 0}}, {{1, 0, 0}, {2, 0, 0}}, {{3, 0, 0}, {4, 0, 0}}}) ==
        "loop 0 { [0, 1), loop 1 { [1, 2) }, [2, 3) }, loop 2 { [3, 4) }, [4, 4)");
}

TEST_CASE("run order: counts and host steps are before, in and behind a loop as its places say") {
  CHECK(order_of(2, {1}, {{1, 1}}, {{{1, 1, 0}, {2, 1, 1}}}) ==
        "[0, 1), count 0, loop 0 { host 0, [1, 2) }, [2, 2)");
  CHECK(order_of(2, {1, 2}, {}, {{{1, 1, 0}, {2, 2, 0}}}) ==
        "[0, 1), count 0, loop 0 { [1, 2), count 1 }, [2, 2)");
  CHECK(order_of(2, {1, 2}, {}, {{{1, 1, 0}, {2, 1, 0}}}) ==
        "[0, 1), count 0, loop 0 { [1, 2) }, count 1, [2, 2)");
}

TEST_CASE("run order: a loop that repeats nothing, or is out of order, is refused") {
  CHECK_THROWS_WITH_AS(order_of(2, {}, {}, {{{1, 0, 0}, {1, 0, 0}}}),
                       "the program is damaged: a loop has no steps; compile it again", Error);
  CHECK_THROWS_WITH_AS(
      order_of(2, {}, {}, {{{1, 0, 0}, {3, 0, 0}}}),
      "the program is damaged: its loops are not in the order of its launches; compile it again", Error);
}

TEST_CASE("run order: what is in no order is refused") {
  const char* const text =
      "the program is damaged: its counts, host steps and loops are not in the order of its launches; "
      "compile it again";
  CHECK_THROWS_WITH_AS(order_of(2, {2, 1}, {}), text, Error);
  CHECK_THROWS_WITH_AS(order_of(2, {3}, {}), text, Error);
  CHECK_THROWS_WITH_AS(
      order_of(2, {}, {{0, 1}}),
      "the program is damaged: a host step waits for more counts than there are; compile it again", Error);
}
