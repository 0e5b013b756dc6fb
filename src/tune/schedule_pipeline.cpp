#include "tune/schedule_pipeline.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "dsl/schedule_data.h"
#include "graph/group_key.h"
#include "ir/expr_node.h"
#include "ir/linear_form.h"
#include "lower/pipeline.h"
#include "pipeline/lower_options.h"
#include "predict/device_figures.h"
#include "predict/function_cost.h"
#include "schedule/schedule.h"
#include "schedules/strategies.h"
#include "tensordsl/error.h"
#include "tune/isolated_group.h"
#include "tune/pipeline_copy.h"

namespace tensordsl::tune {
namespace {

using schedule::LoggedDirective;

/// Nodes of a kernel's definitions, with all that is inlined written out: beyond that, compiling takes long.
constexpr std::int64_t kLargestText = 4000;
/// Of the time that is predicted: what is gained has to be more than the model's noise.
constexpr double kGain = 0.97;
/// Points of each strategy that are lowered while places are chosen, and when they are.
constexpr int kFewLowered = 2, kManyLowered = 12;
constexpr int kRounds = 3;

/// A kernel's schedules, the best first, and the time that is predicted of that one; none: it has no
/// directives.
struct Choice {
  std::vector<ChosenSchedule> schedules;
  double us = 0;
};

/// `name`, or a longer one that is none of `taken`.
std::string apart_from(const std::set<std::string>& taken, std::string name) {
  while (taken.contains(name)) name += "_t";
  return name;
}

/// Directives of an isolated group with the names of the pipeline.
class Renamer {
 public:
  Renamer(const IsolatedGroup& isolated, std::set<std::string> taken)
      : names_(isolated.names), taken_(std::move(taken)) {}

  LoggedDirective renamed(LoggedDirective entry) {
    const std::string made_before = schedule::made_func(entry);
    entry.target.function = func(entry.target.function);
    for (schedule::Argument& argument : entry.directive.arguments) rename(argument);
    const std::string made_now = schedule::made_func(entry);
    if (made_now != made_before) funcs_.insert_or_assign(made_before, made_now);
    return entry;
  }

 private:
  std::string func(const std::string& name) const {
    const auto made = funcs_.find(name);
    return made == funcs_.end() ? name : made->second;
  }
  std::string var(const std::string& name) const {
    const auto known = names_.find(name);
    return known == names_.end() ? apart_from(taken_, name) : known->second;
  }
  /// A layout: its dimensions are words in it.
  std::string renamed(const std::string& layout) const {
    const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    std::string result;
    for (auto at = layout.begin(); at != layout.end();) {
      const auto end = std::find_if_not(at, layout.end(), is_part);
      const auto known = names_.find(std::string(at, end));
      result += known == names_.end() ? std::string(at, end) : known->second;
      at = end;
      if (at != layout.end()) result += *at++;
    }
    return result;
  }
  void rename(schedule::Argument& argument) const {
    if (auto* one = std::get_if<schedule::VarName>(&argument)) one->name = var(one->name);
    if (auto* list = std::get_if<std::vector<schedule::VarName>>(&argument)) {
      for (schedule::VarName& one : *list) one.name = var(one.name);
    }
    if (auto* one = std::get_if<schedule::FuncName>(&argument)) one->name = func(one->name);
    if (auto* list = std::get_if<std::vector<schedule::FuncName>>(&argument)) {
      for (schedule::FuncName& one : *list) one.name = func(one.name);
    }
    if (auto* stage = std::get_if<schedule::StageName>(&argument)) stage->function = func(stage->function);
    if (auto* layout = std::get_if<std::string>(&argument)) *layout = renamed(*layout);
  }

  const std::map<std::string, std::string>& names_;
  std::set<std::string> taken_;
  std::map<std::string, std::string> funcs_;  // made by directives, by their names in the group
};

class PipelineScheduler {
 public:
  PipelineScheduler(const std::vector<Func>& outputs, const std::map<std::string, std::vector<Expr>>& extents,
                    const RankingOptions& options, const PipelineHooks& hooks)
      : outputs_(outputs),
        extents_(extents),
        options_(options),
        hooks_(hooks),
        pipeline_(copy_pipeline(outputs)),
        boxes_(boxes_of(pipeline_, extents)),
        launch_us_(predict::figures_of(options.profile).launch_us) {}

  Schedule run() {
    choose_places();
    std::map<std::string, Choice> choices;
    for (const Func& root : roots_of(pipeline_, places_))
      choices.emplace(root.name(), choice_of(places_, root, kManyLowered));
    if (hooks_.try_tasks) take_tried(choices);
    // A kernel that is right by itself may still not fit what it is read by.
    while (true) {
      std::string refused = pipeline_.outputs.back().name();
      if (const auto scheduled = assembled(choices, refused)) return Schedule::of(*scheduled);
      const auto next = std::ranges::find_if(choices, [&](const auto& choice) {
        return (choice.first == refused || choices.at(refused).schedules.empty()) &&
               !choice.second.schedules.empty();
      });
      if (next == choices.end()) break;
      next->second.schedules.erase(next->second.schedules.begin());
    }
    const PipelineCopy plain = copy_pipeline(outputs_);
    give_bounds(plain.outputs);
    check_lowers(plain.outputs);
    return Schedule::of(plain.outputs);
  }

 private:
  bool is_output(const Func& func) const {
    return std::ranges::any_of(pipeline_.outputs,
                               [&](const Func& output) { return output.shared() == func.shared(); });
  }

  // ---- places

  /// From the best of a few ways to begin, one Func after the other to where the whole takes the least time.
  void choose_places() {
    double best = INFINITY;
    for (const auto& begin : {inlined(), kept_for_tiles(), at_the_root()}) {
      if (best < INFINITY && should_stop()) return;
      const double us = time_of(begin);
      if (us >= best && best < INFINITY) continue;
      best = us;
      places_ = begin;
    }
    for (int round = 0; round < kRounds; ++round) {
      const double before = best;
      for (auto func = pipeline_.funcs.rbegin(); func != pipeline_.funcs.rend(); ++func) {
        if (func->is_input() || is_output(*func)) continue;
        for (const Place place : places_for(*func)) {
          Places other = places_;
          if (other.at(func->name()) == place) continue;
          if (should_stop()) return;
          other.at(func->name()) = place;
          const double us = time_of(other);
          if (us >= best * kGain) continue;
          best = us;
          places_ = std::move(other);
        }
      }
      if (best == before) break;
    }
  }

  bool should_stop() const { return hooks_.should_stop && hooks_.should_stop(); }

  static std::vector<Place> places_for(const Func& func) {
    if (func.updates() > 0) return {Place::Item, Place::Root};
    if (is_copy(func)) return {Place::Inline};
    return {Place::Inline, Place::Tile, Place::Root};
  }

  /// What reads one element, at a place that takes no more than sums, and computes nothing with it: to keep
  /// it would be another read, and a write. A transposed copy is none: it may be kept for the order of its
  /// reads.
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
      if (func.is_input() || is_output(func)) continue;
      const Place place = is_table(func) ? Place::Root : is_copy(func) ? Place::Inline : pure;
      places.emplace(func.name(), func.updates() > 0 ? accumulated : place);
    }
    return places;
  }

  /// What takes long to compute and has far fewer elements than they are read: every way to begin has it.
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
    for (const ir::Interval& range : boxes_.at(func.name())) {
      const bool is_known = range.low != INT64_MIN && range.high != INT64_MAX;
      elements *= is_known ? static_cast<double>(range.high - range.low + 1) : INFINITY;
    }
    return elements;
  }

  Places at_the_root() const { return all_at(Place::Root, Place::Root); }

  /// What can be is computed with what reads it.
  Places inlined() const { return feasible_from(all_at(Place::Item, Place::Inline)); }
  Places kept_for_tiles() const { return feasible_from(all_at(Place::Root, Place::Tile)); }

  /// With as many Funcs at the root as it takes, the last ones first: what reads most is there.
  Places feasible_from(Places places) const {
    for (auto func = pipeline_.funcs.rbegin(); func != pipeline_.funcs.rend(); ++func) {
      if (is_feasible(places)) break;
      if (!func->is_input() && !is_output(*func) && is_in_question(places, *func))
        places.at(func->name()) = Place::Root;
    }
    return places;
  }

  /// Whether a kernel with `func` in it cannot be.
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

  /// Whether there may be a strategy for it.
  bool is_group(const Places& places, const Func& root, const std::vector<Func>& members) const {
    bool has_sums = false, has_tiles = false;
    for (const Func& member : members) {
      if (member.shared() == root.shared()) continue;
      has_sums = has_sums || member.updates() > 0;
      has_tiles = has_tiles || places.at(member.name()) == Place::Tile;
    }
    if ((has_sums || has_tiles) && root.updates() > 0) return false;
    return text_of(root, places) <= kLargestText;
  }

  /// Nodes of a definition with what is inlined in it.
  std::int64_t text_of(const Func& root, const Places& places) const {
    std::map<const ir::Function*, std::int64_t> texts;
    for (const Func& member : members_of(pipeline_, places, root)) {
      std::int64_t nodes = 0;
      for (const ir::Definition& definition : member.contents().definitions) {
        for (const Expr& expr : definition.expressions()) {
          ir::visit(expr, [&](const Expr& e) {
            ++nodes;
            const auto read = e->kind == ir::ExprKind::Call ? texts.find(e->function.get()) : texts.end();
            if (read != texts.end()) nodes = std::min(nodes + read->second, 2 * kLargestText);
            return true;
          });
        }
      }
      const bool is_written_out =
          member.shared() == root.shared() || places.at(member.name()) == Place::Inline;
      texts.emplace(&member.contents(), is_written_out ? nodes : 1);
      if (!is_written_out && nodes > kLargestText) return nodes;
    }
    return texts.at(&root.contents());
  }

  // ---- kernels

  double time_of(const Places& places) {
    if (!is_feasible(places)) return INFINITY;
    double us = 0;
    for (const Func& root : roots_of(pipeline_, places))
      us += choice_of(places, root, kFewLowered).us + launch_us_;
    return us;
  }

  const Choice& choice_of(const Places& places, const Func& root, int most_lowered) {
    std::string key = std::to_string(most_lowered);
    for (const Func& member : members_of(pipeline_, places, root)) {
      key += " " + member.name();
      if (member.shared() != root.shared())
        key += "=" + std::to_string(static_cast<int>(places.at(member.name())));
    }
    const auto known = choices_.find(key);
    if (known != choices_.end()) return known->second;
    return choices_.emplace(key, choose(places, root, most_lowered)).first->second;
  }

  Choice choose(const Places& places, const Func& root, int most_lowered) const {
    const IsolatedGroup isolated = isolate(pipeline_, boxes_, places, root);
    RankingOptions options = options_;
    options.most_lowered = most_lowered;
    // One element of its own has no loops to schedule.
    if (root.rank() == 0 && root.updates() == 0) return {{}, launch_us_};
    options.strategies = applicable(isolated.group);
    if (options.strategies.empty()) return {{}, INFINITY};
    const Ranking ranking = rank_candidates(source_of(places, root), options);
    Choice choice{{}, INFINITY};
    for (const Candidate& candidate : ranking.candidates) {
      if (choice.schedules.empty()) choice.us = candidate.us;
      choice.schedules.push_back(candidate.schedule);
    }
    return choice;
  }

  /// This object and `places` must outlive it.
  GroupSource source_of(const Places& places, const Func& root) const {
    const auto prepared = [this, &places, root] { return isolate(pipeline_, boxes_, places, root).group; };
    return {prepared, [this, prepared](const ChosenSchedule& schedule) {
              ScheduledGroup group;
              group.group = prepared();
              group.target = options_.target;
              group.schedule = schedule;
              group.key = group_key(group.group, schedule);
              return group;
            }};
  }

  void take_tried(std::map<std::string, Choice>& choices) {
    std::vector<PipelineTask> tasks;
    for (const Func& root : roots_of(pipeline_, places_)) {
      if (choices.at(root.name()).schedules.empty()) continue;
      RankingOptions options = options_;
      const GroupSource source = source_of(places_, root);
      options.strategies = applicable(source.prepared());
      tasks.push_back({root.name(), source, options});
    }
    for (const auto& [name, schedule] : hooks_.try_tasks(tasks)) {
      std::vector<ChosenSchedule>& schedules = choices.at(name).schedules;
      schedules.insert(schedules.begin(), schedule);
    }
  }

  std::vector<const schedules::Strategy*> applicable(const Group& group) const {
    std::vector<const schedules::Strategy*> found;
    for (const schedules::Strategy* strategy : schedules::strategies_for(group)) {
      if (strategy->applies(group, options_.target)) found.push_back(strategy);
    }
    return found;
  }

  // ---- the whole

  void give_bounds(const std::vector<Func>& outputs) const {
    for (Func output : outputs) {
      const auto extents = extents_.find(output.name());
      if (extents != extents_.end()) output.bound(extents->second);
    }
  }

  void check_lowers(const std::vector<Func>& outputs) const {
    std::vector<ir::FunctionPtr> functions;
    for (const Func& output : outputs) functions.push_back(output.shared());
    lower::lower(functions, lower_options(options_.device ? &*options_.device : nullptr));
  }

  std::set<std::string> variables() const {
    std::set<std::string> names;
    for (const Func& func : pipeline_.funcs) {
      names.insert(func.contents().dims.begin(), func.contents().dims.end());
      for (const ir::Definition& definition : func.contents().definitions) {
        for (const ir::ReductionAxis& axis : definition.domain) names.insert(axis.name);
      }
    }
    return names;
  }

  /// The pipeline anew, with all directives; nothing if these cannot be lowered together. `refused`: the Func
  /// of whose kernel a directive was refused then, as it was if none was.
  std::optional<std::vector<Func>> assembled(const std::map<std::string, Choice>& choices,
                                             std::string& refused) const {
    PipelineCopy whole = copy_pipeline(outputs_);
    try {
      give_bounds(whole.outputs);
      std::vector<Func> roots = roots_of(pipeline_, places_);
      std::ranges::reverse(roots);
      for (const Func& root : roots) {
        if (!is_output(root)) producer(whole.outputs, root.name()).compute_root();
        const Choice& choice = choices.at(root.name());
        if (choice.schedules.empty()) continue;
        const ChosenSchedule& chosen = choice.schedules.front();
        const std::string known = std::exchange(refused, root.name());
        const IsolatedGroup isolated = isolate(pipeline_, boxes_, places_, root);
        chosen.strategy->apply(isolated.group, chosen.point, options_.target);
        Renamer renamer(isolated, variables());
        for (const LoggedDirective& entry : schedule::directives_of(isolated.group.outputs))
          schedule::give(renamer.renamed(entry), whole.outputs);
        refused = known;
      }
      check_lowers(whole.outputs);
    } catch (const ScheduleError&) {
      return std::nullopt;
    } catch (const DefinitionError&) {
      return std::nullopt;
    }
    return whole.outputs;
  }

  const std::vector<Func>& outputs_;
  const std::map<std::string, std::vector<Expr>>& extents_;
  const RankingOptions& options_;
  const PipelineHooks& hooks_;
  PipelineCopy pipeline_;
  std::map<std::string, Box> boxes_;
  double launch_us_;
  Places places_;
  std::map<std::string, Choice> choices_;
};

}  // namespace

Schedule schedule_pipeline(const std::vector<Func>& outputs,
                           const std::map<std::string, std::vector<Expr>>& extents,
                           const RankingOptions& options, const PipelineHooks& hooks) {
  return PipelineScheduler(outputs, extents, options, hooks).run();
}

}  // namespace tensordsl::tune
