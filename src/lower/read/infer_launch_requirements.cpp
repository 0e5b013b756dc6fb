#include "lower/read/infer_launch_requirements.h"

#include <algorithm>
#include <set>

#include "ir/simplify/simplify.h"
#include "lower/analyze/launch_assumptions.h"
#include "lower/place/infer_bounds.h"
#include "lower/read/fixed_tensors.h"
#include "lower/read/guard_input_reads.h"
#include "lower/read/unscheduled_nests.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// True if all sizes and indices are constant, so that check_input_reads has decided everything.
bool is_constant(const std::vector<Producer>& producers, const std::vector<FunctionPtr>& functions) {
  const auto all_constant = [](const std::vector<Expr>& extents) {
    return std::all_of(extents.begin(), extents.end(), [](const Expr& e) { return as_int(e) != nullptr; });
  };
  return params_of(functions).empty() &&
         std::all_of(producers.begin(), producers.end(), [&](const Producer& p) {
           return all_constant(p.is_output ? output_extents(*p.function) : p.function->schedule.bounds);
         });
}

/// Returns the Params that may have any sign; an extent of the output or of an Input is not negative.
std::set<std::string> signed_params(const std::vector<Producer>& producers,
                                    const std::vector<FunctionPtr>& functions) {
  std::set<std::string> names;
  for (const auto& [name, type] : params_of(functions)) names.insert(name);
  const auto leave_out = [&](const std::vector<Expr>& extents) {
    for (const Expr& e : extents) {
      if (e->kind == ExprKind::Var) names.erase(e->name);
    }
  };
  for (const Producer& p : producers) {
    if (p.is_output) leave_out(p.function->schedule.bounds);
  }
  for (const FunctionPtr& f : functions) {
    if (f->is_input()) leave_out(f->shape);
  }
  return names;
}

class Requirements {
 public:
  Requirements(const std::vector<Producer>& producers, const std::vector<FunctionPtr>& functions)
      : producers_(producers), functions_(functions), fixed_(producers, functions) {
    for (const auto& [name, type] : params_of(functions)) params_.insert(name);
    for (const Producer& p : producers) {
      computed_.insert(p.function->name);
      if (p.is_output) outputs_.insert(p.function->name);
    }
    signed_params_ = signed_params(producers, functions);
  }

  LaunchRequirements run(const PlacedFunctions& placed) {
    // The loops of the schedule prove most reads; only the others are looked up in the definitions.
    for (const RootNest& nest : placed.nests) {
      result_.in_doubt.push_back(fixed_.regions_in_doubt(nest, assumptions_of(nest.condition)));
    }
    const bool is_proven =
        std::ranges::all_of(result_.in_doubt, [](const auto& regions) { return regions.empty(); });
    const bool has_factors = std::any_of(placed.nests.begin(), placed.nests.end(),
                                         [&](const RootNest& nest) { return !factors_of(nest).empty(); });
    if (is_proven && !has_factors) return {};
    PlacedFunctions plain = place_unscheduled(producers_, BoundsKept::All);
    if (placed.guards_reads) plain = guard_input_reads(std::move(plain), functions_);
    for (auto nest = plain.nests.rbegin(); nest != plain.nests.rend(); ++nest) {
      if (!is_proven) add(*nest, plain.nests);
      if (has_factors) add_factors(*nest, plain.nests);
    }
    add_consumers(plain.nests);
    result_.boxes = plain.boxes;
    std::reverse(result_.reads.begin(), result_.reads.end());
    std::reverse(result_.factors.begin(), result_.factors.end());
    return std::move(result_);
  }

 private:
  /// Returns the factors in indices of tensors without fixed extents, and of stores.
  std::vector<AssumedFactor> factors_of(const RootNest& nest) const {
    if (params_.empty() || !nest.body.defined()) return {};
    std::vector<AssumedFactor> factors = assumed_factors(nest.body, computed_, params_);
    std::erase_if(factors, [&](const AssumedFactor& f) {
      const bool is_checked = fixed_.contains(f.tensor) && f.tensor != nest.function;
      return is_checked || (!f.is_divisor && !signed_params_.contains(f.factor));
    });
    return factors;
  }

  void add_factors(const RootNest& nest, const std::vector<RootNest>& nests) {
    const Expr needed = needed_where(nest, nests);
    for (const AssumedFactor& f : factors_of(nest)) {
      result_.factors.push_back(
          {nest.function, f.tensor, f.factor, f.is_divisor, simplify(both(needed, f.when))});
    }
  }

  /// Adds the requirements of a nest of `nests`, which have no schedule. Its consumers come before it.
  void add(const RootNest& nest, const std::vector<RootNest>& nests) {
    bool has_doubt = false;
    const Expr needed = needed_where(nest, nests);
    for (ReadRegion& region : fixed_.regions_of(nest)) {
      for (const std::size_t d : fixed_.dimensions_in_doubt(region, {})) {
        has_doubt = true;
        const Expr &min = region.box[d].min, &extent = region.box[d].extent;
        ReadRequirement read{nest.function,
                             region.tensor,
                             static_cast<int>(d),
                             dims_of(region.tensor)[d],
                             simplify(both(needed, region.when)),
                             min,
                             simplify(min + extent),
                             fixed_.extents(region.tensor)[d]};
        if (!is_known(read)) result_.reads.push_back(std::move(read));
      }
      region.when = simplify(both(needed, region.when));
      result_.inside.push_back(std::move(region));
    }
    if (has_doubt && needed.defined()) result_.needed[nest.function] = needed;
  }

  /// Skips the consumers of a Func that is not always computed, too, if they are not needed.
  void add_consumers(const std::vector<RootNest>& nests) {
    std::set<std::string> skipped;  // Funcs skipped in some launches
    for (const auto& [name, needed] : result_.needed) skipped.insert(name);
    for (const RootNest& nest : nests) {  // producers first
      if (skipped.empty() || skipped.contains(nest.function) || !nest.body.defined()) continue;
      const Expr needed = needed_where(nest, nests);
      if (!needed.defined() || read_regions(nest.body, skipped).empty()) continue;
      result_.needed[nest.function] = needed;
      skipped.insert(nest.function);
    }
  }

  /// Returns the condition under which some nest reads the result of this one; undefined if it always holds.
  Expr needed_where(const RootNest& nest, const std::vector<RootNest>& nests) {
    if (outputs_.contains(nest.function)) return {};
    if (const auto it = needed_.find(nest.function); it != needed_.end()) return it->second;
    Expr any;
    bool is_always = false;
    for (const RootNest& consumer : nests) {
      if (consumer.function == nest.function) continue;
      if (!consumer.body.defined()) continue;
      const auto regions = read_regions(consumer.body, {nest.function});
      for (const ReadRegion& region : regions) {
        const Expr here = simplify(
            both(needed_.contains(consumer.function) ? needed_.at(consumer.function) : Expr(), region.when));
        is_always = is_always || !here.defined();
        if (here.defined()) any = any.defined() ? simplify(any || here) : here;
      }
    }
    return needed_[nest.function] = is_always ? Expr() : any;
  }

  const std::vector<std::string>& dims_of(const std::string& tensor) const {
    const auto it = std::find_if(functions_.begin(), functions_.end(),
                                 [&](const FunctionPtr& f) { return f->name == tensor; });
    return (*it)->dims;
  }

  bool is_known(const ReadRequirement& read) const {
    return std::any_of(result_.reads.begin(), result_.reads.end(), [&](const ReadRequirement& other) {
      const bool is_same_place = other.reader == read.reader && other.tensor == read.tensor &&
                                 other.dimension == read.dimension && same(other.begin, read.begin) &&
                                 same(other.end, read.end);
      const bool is_same_time = other.when.defined() == read.when.defined() &&
                                (!read.when.defined() || same(other.when, read.when));
      return is_same_place && is_same_time;
    });
  }

  const std::vector<Producer>& producers_;
  const std::vector<FunctionPtr>& functions_;
  FixedTensors fixed_;
  std::set<std::string> computed_, outputs_;
  std::set<std::string> params_, signed_params_;
  std::map<std::string, Expr> needed_;  // conditions by Func, those without doubtful reads included
  LaunchRequirements result_;
};

}  // namespace

LaunchRequirements infer_launch_requirements(const PlacedFunctions& placed,
                                             const std::vector<Producer>& producers,
                                             const std::vector<FunctionPtr>& functions) {
  if (is_constant(producers, functions)) return {};
  return Requirements(producers, functions).run(placed);
}

void skip_unneeded_nests(std::vector<RootNest>& nests, const LaunchRequirements& requirements) {
  for (RootNest& nest : nests) {
    std::set<std::string> functions = nest.companions;
    functions.insert(nest.function);
    const bool is_always = std::ranges::any_of(
        functions, [&](const std::string& f) { return !requirements.needed.contains(f); });
    if (is_always) continue;
    for (const std::string& function : functions) {
      const Expr& here = requirements.needed.at(function);
      nest.needed = nest.needed.defined() ? simplify(nest.needed || here) : here;
    }
  }
}

}  // namespace tensordsl::lower
