#include "tune/pipeline/schedule_pipeline.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "dsl/schedule_data.h"
#include "lower/lower.h"
#include "pipeline/lower_options.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"
#include "tune/pipeline/pipeline_places.h"

namespace tensordsl::tune {
namespace {

/// Configurations of each strategy that are lowered for each kernel, once placements are chosen.
constexpr int kLoweredPerKernel = 12;

/// Returns `name`, or a longer one that is not in `taken`.
std::string apart_from(const std::set<std::string>& taken, std::string name) {
  while (taken.contains(name)) name += "_t";
  return name;
}

/// Gives directives of an isolated group the names of its pipeline. A Func that a directive makes may get
/// another name there; so the renamer has to see a group's directives in their order.
class DirectiveRenamer {
 public:
  /// `names`: IsolatedGroup::names. `taken`: names of the pipeline, which no new loop may have.
  DirectiveRenamer(std::map<std::string, std::string> names, std::set<std::string> taken);

  schedule::LoggedDirective renamed(schedule::LoggedDirective entry);

 private:
  std::string func(const std::string& name) const;
  std::string var(const std::string& name) const;
  std::string layout(const std::string& text) const;
  void rename(schedule::Argument& argument) const;

  std::map<std::string, std::string> names_;
  std::set<std::string> taken_;
  std::map<std::string, std::string> funcs_;  // made by directives, by their names in the group
};

DirectiveRenamer::DirectiveRenamer(std::map<std::string, std::string> names, std::set<std::string> taken)
    : names_(std::move(names)), taken_(std::move(taken)) {}

schedule::LoggedDirective DirectiveRenamer::renamed(schedule::LoggedDirective entry) {
  const std::string made_before = schedule::made_func(entry);
  entry.target.function = func(entry.target.function);
  for (schedule::Argument& argument : entry.directive.arguments) rename(argument);
  const std::string made_now = schedule::made_func(entry);
  if (made_now != made_before) funcs_.insert_or_assign(made_before, made_now);
  return entry;
}

std::string DirectiveRenamer::func(const std::string& name) const {
  const auto made = funcs_.find(name);
  return made == funcs_.end() ? name : made->second;
}

std::string DirectiveRenamer::var(const std::string& name) const {
  const auto known = names_.find(name);
  return known == names_.end() ? apart_from(taken_, name) : known->second;
}

/// Renames the dimensions in a layout's text, where they are words.
std::string DirectiveRenamer::layout(const std::string& text) const {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::string result;
  for (auto at = text.begin(); at != text.end();) {
    const auto end = std::find_if_not(at, text.end(), is_part);
    const auto known = names_.find(std::string(at, end));
    result += known == names_.end() ? std::string(at, end) : known->second;
    at = end;
    if (at != text.end()) result += *at++;
  }
  return result;
}

void DirectiveRenamer::rename(schedule::Argument& argument) const {
  if (auto* one = std::get_if<schedule::VarName>(&argument)) one->name = var(one->name);
  if (auto* list = std::get_if<std::vector<schedule::VarName>>(&argument)) {
    for (schedule::VarName& one : *list) one.name = var(one.name);
  }
  if (auto* one = std::get_if<schedule::FuncName>(&argument)) one->name = func(one->name);
  if (auto* list = std::get_if<std::vector<schedule::FuncName>>(&argument)) {
    for (schedule::FuncName& one : *list) one.name = func(one.name);
  }
  if (auto* stage = std::get_if<schedule::StageName>(&argument)) stage->function = func(stage->function);
  if (auto* text = std::get_if<std::string>(&argument)) *text = layout(*text);
}

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
    // A kernel that is valid by itself may still not fit its reader.
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
      std::vector<graph::GroupSchedule>& schedules = choices.at(name).schedules;
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

  /// Returns a new copy of the pipeline with all directives; nothing if these cannot be lowered together.
  /// `refused`: set to the Func for whose kernel a directive was refused; unchanged if none was.
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
        const graph::GroupSchedule& chosen = choice.schedules.front();
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
