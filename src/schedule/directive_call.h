// What the directives share: finding axes, checking them, wording errors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schedule/schedule.h"

namespace tensordsl::schedule {

/// One call of a directive on one stage. Its errors read "conv.update(0).split(x, ...): finding".
class DirectiveCall {
 public:
  DirectiveCall(const ScheduledFunction& function, int definition, StageSchedule& stage, std::string text)
      : function_(function), definition_(definition), stage_(stage), text_(std::move(text)) {}

  [[noreturn]] void fail(const std::string& finding) const;

  /// The position of the axis a Var names: the loop itself, or what a directive with a factor left of it
  /// (gpu_tile leaves NAME.t, unroll and vectorize leave NAME.o).
  std::size_t find(const std::string& name) const;
  Axis& axis(const std::string& name) const { return stage_.axes[find(name)]; }

  void require_serial(const Axis& axis) const;
  void require_new(const std::string& name) const;
  /// The reduction axes may be run in another order or at once only where the result stays the same.
  void require_parallel(const Axis& axis, std::string_view what) const;

  /// Splits an axis in the stage, after the checks that every split needs.
  void split_axis(const std::string& name, const std::string& outer, const std::string& inner, int factor, Tail tail);

  /// Notes the call among the stage's directives.
  void done() { stage_.directives.push_back(text_); }

 private:
  const ScheduledFunction& function_;
  int definition_;
  StageSchedule& stage_;
  std::string text_;
};

/// "Tail::Guard"
const char* name_of(Tail tail);
/// "conv" or "conv.update(0)"
std::string stage_name(const ScheduledFunction& function, int definition);
/// The loops, outermost first.
std::vector<std::string> names_of(const StageSchedule& stage);

}  // namespace tensordsl::schedule
