#include "lower/read/check_input_reads.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "ir/simplify/simplify.h"
#include "lower/analyze/launch_assumptions.h"
#include "lower/place/infer_bounds.h"
#include "lower/read/guard_input_reads.h"
#include "lower/read/needed_reads.h"
#include "lower/read/unscheduled_nests.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// Returns a constant, even one that does not fit an i32; nothing for other expressions.
std::string shown(const Expr& e) {
  const Interval value = bounds_of(e, {});
  return value.is_point() ? fmt::format("{}", value.low) : tensordsl::to_string(e);
}

bool reads_outside(const std::vector<RootNest>& nests, const std::vector<FunctionPtr>& functions,
                   bool with_padding = false) {
  return std::ranges::any_of(nests, [&](const RootNest& nest) {
    return std::ranges::any_of(functions, [&](const FunctionPtr& f) {
      return f->is_input() && !outside_reads(nest, *f, with_padding).empty();
    });
  });
}

/// Describes the first read outside an Input. Throws DefinitionError for an index without bounds.
std::string outside_read(const std::vector<RootNest>& nests, const std::vector<FunctionPtr>& functions,
                         bool with_padding = false) {
  for (const RootNest& nest : nests) {
    for (const FunctionPtr& f : functions) {
      if (!f->is_input()) continue;
      for (const OutsideRead& read : outside_reads(nest, *f, with_padding)) {
        if (!read.begin.defined() || !read.end.defined()) required_box(nest.body, f->name);
        return fmt::format("{} reads {} at [{}, {}) of dimension {} ({}), but its extent is {}",
                           nest.function, f->name, shown(read.begin), shown(read.end), read.dimension,
                           f->dims[read.dimension], tensordsl::to_string(f->shape[read.dimension]));
      }
    }
  }
  return "";
}

std::optional<Box> read_box(const std::vector<RootNest>& nests, const std::string& input) {
  std::optional<Box> box;
  for (const RootNest& nest : nests) {
    const auto more = required_box(nest.body, input);
    if (more) box = box ? hull(*box, *more) : more;
  }
  return box;
}

/// Returns `funcs` and all that they read, directly or through other Funcs.
std::set<std::string> read_by(std::set<std::string> funcs, const std::vector<Producer>& producers) {
  for (std::size_t i = producers.size(); i-- > 0;) {  // consumers first
    if (!funcs.contains(producers[i].function->name)) continue;
    const auto add_reads = [&](const Expr& expr) {
      visit(expr, [&](const Expr& e) {
        if (e->kind == ExprKind::Load) funcs.insert(e->name);
        return true;
      });
    };
    for (const Definition& definition : producers[i].definitions) {
      for (const Expr& e : definition.expressions()) add_reads(e);
    }
  }
  return funcs;
}

/// Checks that each read of an Input in the nest is inside it, or is needed by the definitions anyway. Throws
/// ScheduleError otherwise.
void check_run_over(const RootNest& nest, const Function& f, const std::optional<Box>& needed) {
  if (!nest.body.defined()) return;
  for (const ReadRegion& read : read_regions(nest.body, {f.name})) {
    const LaunchAssumptions facts = assumptions_of(both(nest.condition, read.when));
    for (std::size_t d = 0; d < read.box.size(); ++d) {
      const Range& range = read.box[d];
      const Expr end = simplify(range.min + range.extent);
      // The needed box is inside the Input, so each end may be within the Input or within the needed box.
      const auto begins_from = [&](const Expr& first) { return can_prove_with(facts, first <= range.min); };
      const auto ends_by = [&](const Expr& behind) { return can_prove_with(facts, end <= behind); };
      const bool is_decided = as_int(range.min) && as_int(end) && as_int(f.shape[d]);
      const bool begins_inside = begins_from(0) || (needed && begins_from((*needed)[d].min));
      const auto ends_inside = [&] {
        return ends_by(padded_extent(f, d)) || (needed && ends_by((*needed)[d].min + (*needed)[d].extent));
      };
      if (is_decided || (begins_inside && ends_inside())) continue;
      throw ScheduleError(
          fmt::format("{} would be read at [{}, {}) of dimension {} ({}), which may exceed its extent {}, "
                      "because Tail::RoundUp computes extra points; use Tail::Guard, or a BoundaryCondition",
                      f.name, tensordsl::to_string(range.min), tensordsl::to_string(end), d, f.dims[d],
                      tensordsl::to_string(f.shape[d])));
    }
  }
}

/// True if the schedule computes points that the definitions do not need.
bool computes_more(const std::vector<Producer>& producers) {
  for (const Producer& p : producers) {
    if (!p.is_output && !p.function->schedule.bounds.empty()) return true;
    for (const schedule::StageSchedule& stage : p.function->stages) {
      for (const schedule::Transform& t : stage.transforms) {
        if (t.split && t.split->tail == Tail::RoundUp) return true;
      }
    }
  }
  return false;
}

}  // namespace

bool check_input_reads(const PlacedFunctions& placed, const std::vector<Producer>& producers,
                       const std::vector<FunctionPtr>& functions) {
  if (!reads_outside(placed.nests, functions)) return false;
  const std::vector<RootNest> plain = place_unscheduled(producers, BoundsKept::OfOutput).nests;
  const bool is_defined_outside = reads_outside(plain, functions);
  if (is_defined_outside && !needs_inside_only(producers, functions)) {
    throw DefinitionError(outside_read(plain, functions) +
                          "; use a BoundaryCondition, clamp the index, or bound the Func");
  }
  if (!reads_outside(placed.nests, functions, true)) return false;
  if (!is_defined_outside && computes_more(producers)) {
    throw ScheduleError(outside_read(placed.nests, functions, true) +
                        ", because Tail::RoundUp or a bound computes extra points; use Tail::Guard, an Input "
                        "layout that pads the dimension, or a BoundaryCondition");
  }
  return true;
}

void check_run_over(const PlacedFunctions& placed, const std::vector<Producer>& producers,
                    const std::vector<FunctionPtr>& functions) {
  if (placed.run_over.empty()) return;
  const std::set<std::string> affected = read_by(placed.run_over, producers);
  const std::vector<RootNest> plain = place_unscheduled(producers, BoundsKept::OfOutput).nests;
  for (const FunctionPtr& f : functions) {
    if (!f->is_input() || !affected.contains(f->name)) continue;
    const auto needed = read_box(plain, f->name);
    for (const RootNest& nest : placed.nests) check_run_over(nest, *f, needed);
  }
}

}  // namespace tensordsl::lower
