#include "lower/read/guard_unneeded_reads.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "ir/simplify/simplify.h"
#include "lower/analyze/launch_assumptions.h"
#include "lower/read/fixed_tensors.h"
#include "lower/read/read_guards.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// True if the conjunction `known` has `test` as a part.
bool has_test(const Expr& known, const Expr& test) {
  if (same(known, test)) return true;
  return known->kind == ExprKind::And && (has_test((*known)[0], test) || has_test((*known)[1], test));
}

/// True if `known`, which always holds if it is undefined, implies `test`.
bool implies(const Expr& known, const Expr& test) {
  if (!test.defined()) return true;
  if (test->kind == ExprKind::And) return implies(known, (*test)[0]) && implies(known, (*test)[1]);
  if (known.defined() && has_test(known, test)) return true;
  return can_prove_with(assumptions_of(known), test);
}

bool contains_range(const Range& outer, const Range& inner, const LaunchAssumptions& facts) {
  return can_prove_with(facts, outer.min <= inner.min) &&
         can_prove_with(facts, inner.min + inner.extent <= outer.min + outer.extent);
}

class UnneededReads {
 public:
  UnneededReads(const PlacedFunctions& placed, const std::vector<Producer>& producers,
                const std::vector<FunctionPtr>& functions, const LaunchRequirements& requirements)
      : placed_(placed), requirements_(requirements), fixed_(producers, functions) {}

  Stmt guard(const RootNest& nest, const std::vector<ReadRegion>& in_doubt) const {
    struct Place {
      std::string stored, tensor;
      auto operator<=>(const Place&) const = default;
    };
    std::map<Place, std::set<std::size_t>> unneeded;
    const LaunchAssumptions facts = assumptions_of(nest.condition);
    const bool is_exact = computes_needed_only(nest);
    for (const ReadRegion& region : in_doubt) {
      if (is_exact && region.stored == nest.function) continue;
      const Expr when = both(runs_where(nest), region.when);
      for (const std::size_t d : fixed_.dimensions_in_doubt(region, facts)) {
        if (!is_needed(region, d, when)) unneeded[{region.stored, region.tensor}].insert(d);
      }
    }
    Stmt body = nest.body;
    for (const auto& [place, dimensions] : unneeded)
      body = guard_reads(body, place.tensor, fixed_.extents(place.tensor), dimensions, place.stored);
    return body;
  }

  /// A Func that is not computed in some launches is not read there either.
  Stmt guard_skipped(const RootNest& nest, const std::set<std::string>& skipped) const {
    Stmt body = nest.body;
    std::set<std::pair<std::string, std::string>> guarded;
    for (const ReadRegion& region : read_regions(nest.body, skipped)) {
      const Expr& needed = requirements_.needed.at(region.tensor);
      const bool is_own = region.tensor == nest.function;
      if (is_own || implies(both(runs_where(nest), region.when), needed)) continue;
      if (guarded.emplace(region.tensor, region.stored).second)
        body = guard_reads(body, region.tensor, needed, region.stored);
    }
    return body;
  }

 private:
  /// True if the nest computes no more of its Func than the definitions need: then it reads no more than they
  /// do.
  bool computes_needed_only(const RootNest& nest) const {
    const auto needed = requirements_.boxes.find(nest.function);
    if (needed == requirements_.boxes.end() || placed_.run_over.contains(nest.function)) return false;
    const Box& box = placed_.boxes.at(nest.function);
    for (std::size_t d = 0; d < box.size(); ++d) {
      if (!contains_range(needed->second[d], box[d], {})) return false;
    }
    return true;
  }

  Expr runs_where(const RootNest& nest) const {
    const auto needed = requirements_.needed.find(nest.function);
    return both(nest.condition, needed == requirements_.needed.end() ? Expr() : needed->second);
  }

  /// True if the definitions read it too.
  bool is_needed(const ReadRegion& region, std::size_t dimension, const Expr& when) const {
    std::optional<Range> all;
    for (const ReadRegion& read : requirements_.inside) {
      if (read.tensor != region.tensor || !implies(when, read.when)) continue;
      const Range& range = read.box[dimension];
      all = all ? hull({*all}, {range})[0] : range;
    }
    return all && contains_range(*all, region.box[dimension], assumptions_of(when));
  }

  const PlacedFunctions& placed_;
  const LaunchRequirements& requirements_;
  FixedTensors fixed_;
};

}  // namespace

PlacedFunctions guard_unneeded_reads(const PlacedFunctions& placed, const std::vector<Producer>& producers,
                                     const std::vector<FunctionPtr>& functions,
                                     const LaunchRequirements& requirements) {
  PlacedFunctions result = placed;
  const UnneededReads unneeded(placed, producers, functions, requirements);
  for (std::size_t i = 0; i < requirements.in_doubt.size(); ++i) {
    RootNest& nest = result.nests[i];
    if (!requirements.in_doubt[i].empty()) nest.body = unneeded.guard(nest, requirements.in_doubt[i]);
  }
  std::set<std::string> skipped;
  for (const RootNest& nest : result.nests) {
    if (requirements.needed.contains(nest.function)) skipped.insert(nest.function);
  }
  for (RootNest& nest : result.nests) {
    if (!skipped.empty() && nest.body.defined()) nest.body = unneeded.guard_skipped(nest, skipped);
  }
  return result;
}

}  // namespace tensordsl::lower
