// Helpers that the directives share: finding axes, checking them, wording errors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schedule/directive.h"
#include "schedule/func_schedule.h"

namespace tensordsl::schedule {

/// One call of a directive on one stage. Its errors read "conv.update(0).split(x, ...): finding".
class DirectiveCall {
 public:
  /// Begins a call. `stage` may be a copy that replaces the original after the whole call has succeeded.
  DirectiveCall(ScheduledFunction& function, StageId place, StageSchedule& stage, Directive directive)
      : function_(function), place_(place), stage_(stage), directive_(std::move(directive)) {}

  [[noreturn]] void fail(const std::string& finding) const;

  /// Returns the position of the axis that a Var names: the loop itself, or the loop that remains of it after
  /// a directive with a factor (gpu_tile leaves NAME.t, unroll and vectorize leave NAME.o).
  std::size_t find(const std::string& name) const;
  Axis& axis(const std::string& name) const { return stage_.axes[find(name)]; }

  void require_serial(const Axis& axis) const;
  /// Checks that the Func has a dimension of that name. Throws ScheduleError otherwise.
  void require_dimension(const std::string& name) const;
  void require_new(const std::string& name) const;
  /// Checks that the reduction axes may run in another order or in parallel without changing the result.
  /// Throws ScheduleError otherwise.
  void require_parallel(const Axis& axis, std::string_view what) const;
  /// Points of the loop need nothing that others write: work-groups may share them.
  void require_apart(const Axis& axis) const;

  /// Splits an axis in the stage, after the checks that every split needs.
  void split_axis(const std::string& name, const std::string& outer, const std::string& inner, int factor,
                  Tail tail);

  /// Notes the call in the Func's log. Must be the last use of the object.
  void done(std::vector<LogPosition> after = {}) {
    function_.log.push_back({{function_.name, place_}, std::move(directive_), std::move(after)});
  }

 private:
  ScheduledFunction& function_;
  StageId place_;
  StageSchedule& stage_;
  Directive directive_;
};

/// Returns the names of the loops, outermost first.
std::vector<std::string> names_of(const StageSchedule& stage);

}  // namespace tensordsl::schedule
