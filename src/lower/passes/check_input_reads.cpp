#include "lower/passes/check_input_reads.h"

#include <fmt/format.h>

#include <deque>
#include <optional>

#include "ir/simplify.h"
#include "lower/passes/infer_bounds.h"
#include "lower/passes/place_functions.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// What the first read outside an Input is, in words; empty if there is none.
std::string outside_read(const std::vector<RootNest>& nests, const std::vector<FunctionPtr>& functions) {
  for (const RootNest& nest : nests) {
    for (const FunctionPtr& f : functions) {
      const auto box = f->is_input() ? required_box(nest.body, f->name) : std::nullopt;
      for (std::size_t d = 0; box && d < box->size(); ++d) {
        const Expr end = simplify((*box)[d].min + (*box)[d].extent);
        if (!can_prove((*box)[d].min < Expr(0)) && !can_prove(f->shape[d] < end)) continue;
        return fmt::format("{} reads {} at [{}, {}) of dimension {} ({}), but its extent is {}", nest.function, f->name,
                           tensordsl::to_string((*box)[d].min), tensordsl::to_string(end), d, f->dims[d],
                           tensordsl::to_string(f->shape[d]));
      }
    }
  }
  return "";
}

/// The nests of the same definitions with every Func at the root and no directives but the output's bound.
std::vector<RootNest> unscheduled_nests(const std::vector<Producer>& producers) {
  std::deque<schedule::ScheduledFunction> plain;
  std::vector<Producer> copies = producers;
  for (Producer& p : copies) {
    plain.push_back(*p.function);
    p.function = &plain.back();
    const bool is_output = &p == &copies.back();
    plain.back().schedule.level = schedule::ComputeLevel{schedule::ComputeLevel::Kind::Root, {}, 0, {}};
    if (!is_output) plain.back().schedule.bounds.clear();
    for (std::size_t stage = 0; stage < plain.back().stages.size(); ++stage) {
      plain.back().stages[stage] = schedule::default_stage(plain.back(), plain.back().definitions[stage]);
    }
  }
  return place_functions(copies).nests;
}

}  // namespace

void check_input_reads(const std::vector<RootNest>& nests, const std::vector<Producer>& producers,
                       const std::vector<FunctionPtr>& functions) {
  const std::string scheduled = outside_read(nests, functions);
  if (scheduled.empty()) return;
  const std::string defined = outside_read(unscheduled_nests(producers), functions);
  if (!defined.empty()) {
    throw DefinitionError(defined + "; use a BoundaryCondition, clamp the index, or bound the Func");
  }
  throw ScheduleError(scheduled +
                      ", because a Tail::RoundUp or a bound computes points that nobody needs; use Tail::Guard, or a "
                      "BoundaryCondition");
}

}  // namespace tensordsl::lower
