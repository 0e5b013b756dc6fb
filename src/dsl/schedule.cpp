#include "tensordsl/schedule.h"

#include <algorithm>
#include <map>

#include "dsl/schedule_data.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"

namespace tensordsl {

using namespace schedule;

namespace {

/// The logs of all Funcs of a pipeline, merged so that the names of a directive exist before it.
class LogMerger {
 public:
  explicit LogMerger(const std::vector<Func>& outputs) {
    std::vector<ir::FunctionPtr> definitions;
    for (const Func& output : outputs) definitions.push_back(output.shared());
    const auto functions = ir::reachable(definitions);
    // Consumers first, as schedules are written.
    for (auto f = functions.rbegin(); f != functions.rend(); ++f) functions_.push_back(&scheduled(**f));
  }

  std::vector<LoggedDirective> merge() {
    std::vector<LoggedDirective> merged;
    for (bool progress = true; progress;) {
      progress = false;
      for (const ScheduledFunction* f : functions_) {
        std::size_t& taken = taken_[f->name];
        while (taken < f->log.size() && (is_superseded(*f, taken) || is_ready(*f, f->log[taken]))) {
          if (!is_superseded(*f, taken)) merged.push_back(f->log[taken]);
          ++taken;
          progress = true;
        }
      }
    }
    for (const ScheduledFunction* f : functions_) {
      if (taken_[f->name] == f->log.size()) continue;
      throw ScheduleError(
          "Schedule::of: " +
          stage_name(f->log[taken_[f->name]].target.function, f->log[taken_[f->name]].target.place) + "." +
          to_string(f->log[taken_[f->name]].directive) + ": the Func is not part of the pipeline");
    }
    return merged;
  }

 private:
  /// A placement that a later one overrides says nothing, and the loop that it names may be gone.
  static bool is_superseded(const ScheduledFunction& f, std::size_t entry) {
    const auto is_placement = [&](const LoggedDirective& e) {
      const std::string& name = e.directive.name;
      return e.target.function == f.name &&
             (name == "compute_at" || name == "compute_root" || name == "compute_inline");
    };
    const std::string& own = f.log[entry].directive.name;
    const bool is_replaced = is_placement(f.log[entry]) || own == "store_at" || own == "fold_storage";
    return is_replaced &&
           std::any_of(f.log.begin() + static_cast<std::ptrdiff_t>(entry) + 1, f.log.end(), is_placement);
  }

  bool holds(const LogPosition& position) const {
    const auto taken = taken_.find(position.function);
    return taken != taken_.end() && taken->second >= position.entries;
  }

  bool exists(const std::string& function) const {
    const auto f = std::find_if(functions_.begin(), functions_.end(),
                                [&](const ScheduledFunction* g) { return g->name == function; });
    return f != functions_.end() && (!(*f)->made_by || holds(*(*f)->made_by));
  }

  bool is_ready(const ScheduledFunction& keeper, const LoggedDirective& entry) const {
    if (!exists(keeper.name) || !exists(entry.target.function)) return false;
    return std::all_of(entry.after.begin(), entry.after.end(),
                       [&](const LogPosition& p) { return holds(p) && exists(p.function); });
  }

  std::vector<const ScheduledFunction*> functions_;
  std::map<std::string, std::size_t> taken_;  // entries of each Func's log
};

}  // namespace

std::vector<LoggedDirective> schedule::directives_of(const std::vector<Func>& outputs) {
  return LogMerger(outputs).merge();
}

void schedule::give(const LoggedDirective& directive, const std::vector<Func>& outputs) {
  Stage stage = find_stage(outputs, directive.target);
  find_form(directive.directive.name, directive.directive.arguments.size())
      ->call(stage, directive.directive.arguments, outputs);
}

Schedule Schedule::of(const Func& output) { return of(std::vector<Func>{output}); }

Schedule Schedule::of(const std::vector<Func>& outputs) {
  return Schedule(
      std::make_shared<const DirectiveList>(DirectiveList{directives_of(outputs), outputs.size() > 1}));
}

void Schedule::apply(const Func& output) const { apply(std::vector<Func>{output}); }

void Schedule::apply(const std::vector<Func>& outputs) const {
  for (const LoggedDirective& entry : directives_->directives) give(entry, outputs);
}

}  // namespace tensordsl
