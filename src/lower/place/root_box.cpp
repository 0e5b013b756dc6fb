#include "lower/place/root_box.h"

#include <fmt/format.h>

#include "ir/simplify/simplify.h"
#include "lower/analyze/launch_assumptions.h"
#include "lower/place/infer_bounds.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// Returns the box that a nest reads of a Func, with the tightest known bounds: all of it gets memory.
std::optional<Box> stored_box(const Stmt& consumer, const std::string& function) {
  return required_box(consumer, function, false, Ends::Tighter);
}

/// Returns the box that all nests read of a Func; empty if they read nothing.
std::optional<Box> read_box(const schedule::ScheduledFunction& function, const std::vector<RootNest>& nests) {
  std::optional<Box> box;
  for (const RootNest& nest : nests) {
    // A specialization has the reads of its stage; its unguarded reads are right only under its condition.
    const auto more = nest.is_specialization() ? std::nullopt : stored_box(nest.body, function.name);
    if (!more) continue;
    if (!box) {
      box = more;
      continue;
    }
    box = hull(*box, *more);
  }
  return box;
}

/// A specialization may not read more, under its condition, than is computed for all.
void check_specialized_reads(const std::string& function, const Box& box,
                             const std::vector<RootNest>& nests) {
  for (const RootNest& nest : nests) {
    const auto read = nest.is_specialization() ? stored_box(nest.body, function) : std::nullopt;
    if (!read) continue;
    const LaunchAssumptions facts = assumptions_of(nest.condition);
    for (std::size_t d = 0; d < box.size(); ++d) {
      const auto holds = [&](const Expr& test) { return can_prove_with(facts, test); };
      const Range& all = box[d];
      const Range& some = (*read)[d];
      if (holds(all.min <= some.min) && holds(some.min + some.extent <= all.min + all.extent)) continue;
      throw ScheduleError(
          fmt::format("{}: it may read [{}, {}) of dimension {} of {}, but only [{}, {}) is computed for {}; "
                      "use Tail::Guard in it, or give {} a bound()",
                      schedule::stage_name(nest.function, nest.stage), tensordsl::to_string(some.min),
                      tensordsl::to_string(simplify(some.min + some.extent)), d, function,
                      tensordsl::to_string(all.min), tensordsl::to_string(simplify(all.min + all.extent)),
                      schedule::stage_name(nest.function, {nest.stage.definition, -1}), function));
    }
  }
}

void check_bound(const schedule::ScheduledFunction& function, std::size_t d, const Range& needed) {
  const Expr& bound = function.schedule.bounds[d];
  if (can_prove(needed.min < Expr(0)) || can_prove(bound < needed.min + needed.extent)) {
    throw ScheduleError(fmt::format(
        "{}.bound: its consumers read [{}, {}) of dimension {}, but the bound is {}; enlarge or drop it",
        function.name, tensordsl::to_string(needed.min),
        tensordsl::to_string(simplify(needed.min + needed.extent)), d, tensordsl::to_string(bound)));
  }
}

}  // namespace

Box output_box(const schedule::ScheduledFunction& function) {
  Box box;
  for (const Expr& extent : output_extents(function)) box.push_back({Expr(0), extent});
  return box;
}

std::optional<Box> root_box(const schedule::ScheduledFunction& function, const std::vector<RootNest>& nests) {
  std::optional<Box> box = read_box(function, nests);
  if (box && !function.schedule.bounds.empty()) {
    for (std::size_t d = 0; d < box->size(); ++d) check_bound(function, d, (*box)[d]);
    box = output_box(function);
  }
  if (box) check_specialized_reads(function.name, *box, nests);
  return box;
}

void check_output_reads(const schedule::ScheduledFunction& output, const std::vector<RootNest>& nests) {
  const auto box = read_box(output, nests);
  for (std::size_t d = 0; box && !output.schedule.bounds.empty() && d < box->size(); ++d)
    check_bound(output, d, (*box)[d]);
  if (box) check_specialized_reads(output.name, output_box(output), nests);
}

}  // namespace tensordsl::lower
