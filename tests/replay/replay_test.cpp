// A schedule that was printed as C++ and compiled gives the kernels that it was printed of.
#include <doctest/doctest.h>

#include "replay/cases.h"
#include "tensordsl/error.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl::replay {
namespace {

std::string kernels_of(const std::vector<Func>& outputs) {
  const Pipeline pipeline(outputs);
  return pipeline.emit("ir") + pipeline.emit("cl");
}

}  // namespace

TEST_CASE("a schedule printed as C++ compiles, and replays to the same kernels") {
  const auto cases = replay_cases();
  const auto functions = replayed_schedules();
  REQUIRE(cases.size() == functions.size());
  CHECK(cases.size() > 50);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    CAPTURE(cases[i].name);
    functions[i](cases[i].unscheduled);
    CHECK(kernels_of(cases[i].unscheduled) == kernels_of(cases[i].scheduled));
  }
}

TEST_CASE("a schedule written as JSON and read back replays to the same kernels") {
  for (const ReplayCase& c : replay_cases()) {
    CAPTURE(c.name);
    const std::string text = Schedule::of(c.scheduled).to_json();
    const Schedule read = Schedule::from_json(text);
    CHECK(read.to_json() == text);
    read.apply(c.unscheduled);
    CHECK(kernels_of(c.unscheduled) == kernels_of(c.scheduled));
  }
}

}  // namespace tensordsl::replay
