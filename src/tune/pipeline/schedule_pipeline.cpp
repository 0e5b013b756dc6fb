#include "tune/pipeline/schedule_pipeline.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "dsl/schedule_data.h"
#include "lower/lower.h"
#include "pipeline/lower_options.h"
#include "schedule/schedule.h"
#include "tensordsl/error.h"
#include "tune/pipeline/directive_renamer.h"
#include "tune/pipeline/pipeline_places.h"

namespace tensordsl::tune {
namespace {

/// Points of each strategy that are lowered for each kernel, once places are chosen.
constexpr int kLoweredPerKernel = 12;

class PipelineScheduler {
 public:
  PipelineScheduler(const std::vector<Func>& outputs, const std::map<std::string, std::vector<Expr>>& extents,
                    const RankingOptions& options, const PipelineHooks& hooks)
      : outputs_(outputs),
        extents_(extents),
        options_(options),
        hooks_(hooks),
        kernels_(outputs, extents, options),
        places_(choose_places(kernels_, hooks.should_stop)) {}

  Schedule run() {
    std::map<std::string, KernelChoice> choices;
    for (const Func& root : roots_of(kernels_.pipeline(), places_))
      choices.emplace(root.name(), kernels_.choice_of(places_, root, kLoweredPerKernel));
    if (hooks_.try_tasks) take_tried(choices);
    // A kernel that is right by itself may still not fit what it is read by.
    while (true) {
      std::string refused = kernels_.pipeline().outputs.back().name();
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
  void take_tried(std::map<std::string, KernelChoice>& choices) const {
    std::vector<PipelineTask> tasks;
    for (const Func& root : roots_of(kernels_.pipeline(), places_)) {
      if (!choices.at(root.name()).schedules.empty()) tasks.push_back(kernels_.task_of(places_, root));
    }
    for (const auto& [name, schedule] : hooks_.try_tasks(tasks)) {
      std::vector<ChosenSchedule>& schedules = choices.at(name).schedules;
      schedules.insert(schedules.begin(), schedule);
    }
  }

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
    for (const Func& func : kernels_.pipeline().funcs) {
      names.insert(func.contents().dims.begin(), func.contents().dims.end());
      for (const ir::Definition& definition : func.contents().definitions) {
        for (const ir::ReductionAxis& axis : definition.domain) names.insert(axis.name);
      }
    }
    return names;
  }

  /// The pipeline anew, with all directives; nothing if these cannot be lowered together. `refused`: the Func
  /// of whose kernel a directive was refused then, as it was if none was.
  std::optional<std::vector<Func>> assembled(const std::map<std::string, KernelChoice>& choices,
                                             std::string& refused) const {
    PipelineCopy whole = copy_pipeline(outputs_);
    try {
      give_bounds(whole.outputs);
      std::vector<Func> roots = roots_of(kernels_.pipeline(), places_);
      std::ranges::reverse(roots);
      for (const Func& root : roots) {
        if (!kernels_.is_output(root)) producer(whole.outputs, root.name()).compute_root();
        const KernelChoice& choice = choices.at(root.name());
        if (choice.schedules.empty()) continue;
        const ChosenSchedule& chosen = choice.schedules.front();
        const std::string known = std::exchange(refused, root.name());
        const IsolatedGroup isolated = kernels_.isolated(places_, root);
        chosen.strategy->apply(isolated.group, chosen.point, options_.target);
        DirectiveRenamer renamer(isolated.names, variables());
        for (const schedule::LoggedDirective& entry : schedule::directives_of(isolated.group.outputs))
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
  PipelineKernels kernels_;
  Places places_;
};

}  // namespace

Schedule schedule_pipeline(const std::vector<Func>& outputs,
                           const std::map<std::string, std::vector<Expr>>& extents,
                           const RankingOptions& options, const PipelineHooks& hooks) {
  return PipelineScheduler(outputs, extents, options, hooks).run();
}

}  // namespace tensordsl::tune
