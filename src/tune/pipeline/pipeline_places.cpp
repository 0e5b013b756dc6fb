#include "tune/pipeline/pipeline_places.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "definitions/written_out_nodes.h"
#include "ir/nodes/expr_node.h"
#include "ir/nodes/linear_form.h"
#include "predict/function_cost.h"
#include "schedule/func_schedule.h"

namespace tensordsl::tune {
namespace {

/// Nodes of a kernel's definitions, with all that is inlined written out: beyond that, compiling takes long.
constexpr std::int64_t kLargestText = 4000;
/// A change is a gain only below this share of the predicted time; more is within the model's noise.
constexpr double kGain = 0.97;
/// Configurations of each strategy that are lowered for each choice of placements.
constexpr int kLoweredPerPlaces = 2;
constexpr int kRounds = 3;

class PlaceChooser {
 public:
  PlaceChooser(PipelineKernels& kernels, const std::function<bool()>& should_stop)
      : kernels_(kernels),
        pipeline_(kernels.pipeline()),
        launch_us_(kernels.launch_us()),
        should_stop_(should_stop) {}

  /// Starts from the best of a few starting points, and moves one Func after the other to where the whole
  /// takes the least time.
  Places run() {
    double best = INFINITY;
    for (const auto& begin : {inlined(), kept_for_tiles(), at_the_root()}) {
      if (best < INFINITY && should_stop()) return places_;
      const double us = time_of(begin);
      if (us >= best && best < INFINITY) continue;
      best = us;
      places_ = begin;
    }
    for (int round = 0; round < kRounds; ++round) {
      const double before = best;
      for (auto func = pipeline_.funcs.rbegin(); func != pipeline_.funcs.rend(); ++func) {
        if (func->is_input() || kernels_.is_output(*func)) continue;
        for (const Place place : places_for(*func)) {
          Places other = places_;
          if (other.at(func->name()) == place) continue;
          if (should_stop()) return places_;
          other.at(func->name()) = place;
          const double us = time_of(other);
          if (us >= best * kGain) continue;
          best = us;
          places_ = std::move(other);
        }
      }
      if (best == before) break;
    }
    return places_;
  }

 private:
  bool should_stop() const { return should_stop_ && should_stop_(); }

  static std::vector<Place> places_for(const Func& func) {
    if (func.updates() > 0) return {Place::Item, Place::Root};
    if (is_copy(func)) return {Place::Inline};
    return {Place::Inline, Place::Tile, Place::Root};
  }

  /// True for a Func that reads one element, at an index that is computed only by sums, and computes nothing
  /// with it: keeping it would add a read and a write. False for a transposed copy, which may be kept for the
  /// order of its reads.
  static bool is_copy(const Func& func) {
    const std::vector<Expr>& values = func.contents().definitions[0].values;
    if (func.updates() > 0 || values.size() != 1 || values[0]->kind != ir::ExprKind::Call) return false;
    const std::vector<std::string>& dims = func.contents().dims;
    auto next = dims.begin();
    for (const Expr& index : values[0]->operands) {
      const ir::LinearForm form(index);
      for (const ir::Term& term : form.terms()) {
        next = std::find_if(next, dims.end(), [&](const std::string& dim) { return term.atom->name == dim; });
        if (term.atom->kind != ir::ExprKind::Var || next == dims.end()) return false;
      }
    }
    return true;
  }

  Places all_at(Place accumulated, Place pure) const {
    Places places;
    for (const Func& func : pipeline_.funcs) {
      if (func.is_input() || kernels_.is_output(func)) continue;
      const Place place = is_table(func) ? Place::Root : is_copy(func) ? Place::Inline : pure;
      places.emplace(func.name(), func.updates() > 0 ? accumulated : place);
    }
    return places;
  }

  /// True for a Func that is expensive to compute and has far fewer elements than reads: every starting point
  /// keeps it.
  bool is_table(const Func& func) const {
    constexpr double kLong = 8, kFewer = 1.0 / 16;
    double divisions = 0;
    for (const Expr& value : func.contents().definitions[0].values) {
      ir::visit(value, [&](const Expr& e) {
        if (e.type().is_float()) divisions += predict::divisions_of(*e);
        return true;
      });
    }
    const double elements = elements_of(func);
    double largest = 0;
    for (const Func& output : pipeline_.outputs) largest = std::max(largest, elements_of(output));
    return divisions >= kLong && std::isfinite(elements) && elements <= kFewer * largest;
  }

  /// Infinite if that is not known.
  double elements_of(const Func& func) const {
    double elements = 1;
    for (const ir::Interval& range : kernels_.boxes().at(func.name())) {
      const bool is_known = range.low != INT64_MIN && range.high != INT64_MAX;
      elements *= is_known ? static_cast<double>(range.high - range.low + 1) : INFINITY;
    }
    return elements;
  }

  Places at_the_root() const { return all_at(Place::Root, Place::Root); }

  /// Inlines every Func into its readers, where that is possible.
  Places inlined() const { return feasible_from(all_at(Place::Item, Place::Inline)); }
  Places kept_for_tiles() const { return feasible_from(all_at(Place::Root, Place::Tile)); }

  /// Moves as many Funcs to the root as needed, the last ones first: these read most.
  Places feasible_from(Places places) const {
    for (auto func = pipeline_.funcs.rbegin(); func != pipeline_.funcs.rend(); ++func) {
      if (is_feasible(places)) break;
      if (!func->is_input() && !kernels_.is_output(*func) && is_in_question(places, *func))
        places.at(func->name()) = Place::Root;
    }
    return places;
  }

  /// True if a kernel with `func` in it is not possible.
  bool is_in_question(const Places& places, const Func& func) const {
    int kernels = 0;
    bool is_refused = false;
    for (const Func& root : roots_of(pipeline_, places)) {
      const std::vector<Func> members = members_of(pipeline_, places, root);
      if (std::ranges::none_of(members, [&](const Func& m) { return m.shared() == func.shared(); })) continue;
      ++kernels;
      is_refused = is_refused || !is_group(places, root, members);
    }
    return is_refused || (kernels > 1 && places.at(func.name()) != Place::Inline);
  }

  bool is_feasible(const Places& places) const {
    std::map<std::string, int> kernels;
    for (const Func& root : roots_of(pipeline_, places)) {
      const std::vector<Func> members = members_of(pipeline_, places, root);
      if (!is_group(places, root, members)) return false;
      for (const Func& member : members) ++kernels[member.name()];
    }
    return std::ranges::all_of(places, [&](const auto& place) {
      return place.second == Place::Inline || place.second == Place::Root || kernels[place.first] <= 1;
    });
  }

  /// True if a strategy may apply to the group.
  bool is_group(const Places& places, const Func& root, const std::vector<Func>& members) const {
    bool has_sums = false, has_tiles = false;
    for (const Func& member : members) {
      if (member.shared() == root.shared()) continue;
      has_sums = has_sums || member.updates() > 0;
      has_tiles = has_tiles || places.at(member.name()) == Place::Tile;
    }
    if ((has_sums || has_tiles) && root.updates() > 0) return false;
    const auto is_inlined = [&](const Func& func) {
      return func.shared() != root.shared() && places.at(func.name()) == Place::Inline;
    };
    const std::vector<std::int64_t> nodes =
        definitions::written_out_nodes(members, is_inlined, kLargestText + 1);
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (!is_inlined(members[i]) && nodes[i] > kLargestText) return false;
    }
    return true;
  }

  double time_of(const Places& places) {
    if (!is_feasible(places)) return INFINITY;
    double us = 0;
    for (const Func& root : roots_of(pipeline_, places))
      us += kernels_.choice_of(places, root, kLoweredPerPlaces).us + launch_us_;
    return us;
  }

  PipelineKernels& kernels_;
  const PipelineCopy& pipeline_;
  double launch_us_;
  const std::function<bool()>& should_stop_;
  Places places_;
};

}  // namespace

Places choose_places(PipelineKernels& kernels, const std::function<bool()>& should_stop) {
  return PlaceChooser(kernels, should_stop).run();
}

}  // namespace tensordsl::tune
