#include "graph/schedule/group_key.h"

#include <fmt/format.h>

#include <map>

#include "graph/rewrite/definition_text.h"
#include "schedule/schedule.h"

namespace tensordsl::graph {

using namespace ir;

namespace {

class KeyWriter {
 public:
  std::string run(const StoredGroup& group) {
    for (const GroupOperand& operand : group.operands) {
      names_.emplace(&operand.input.contents(), fmt::format("x{}", names_.size()));
      text_ +=
          fmt::format("operand {}{}\n", to_string(operand.stored), operand.is_constant ? ", constant" : "");
    }
    // What is accumulated may read what is computed of other anchors: attention's largest score.
    for (const auto* funcs : {&group.prologue, &group.anchors, &group.epilogue}) {
      for (const Func& func : *funcs) names_.emplace(&func.contents(), fmt::format("f{}", names_.size()));
    }
    add("prologue", group.prologue);
    add("anchor", group.anchors);
    add("epilogue", group.epilogue);
    for (std::size_t i = 0; i < group.outputs.size(); ++i) {
      text_ +=
          fmt::format("output {}: {}\n", names_.at(&group.outputs[i].contents()), to_string(group.stored[i]));
    }
    return std::move(text_);
  }

 private:
  void add(const char* role, const std::vector<Func>& funcs) {
    for (const Func& func : funcs) {
      const Function& function = func.contents();
      text_ += fmt::format("{} {}\n", role, names_.at(&function));
      text_ += definition_text(function, [&](const Function& f) { return names_.at(&f); });
    }
  }

  std::map<const Function*, std::string> names_;
  std::string text_;
};

}  // namespace

std::string group_key(const StoredGroup& group) { return KeyWriter().run(group); }

std::string group_key(const StoredGroup& group, const ChosenSchedule& schedule) {
  return fmt::format("{} {}\n{}", schedule.strategy->name, schedules::to_string(schedule.point),
                     group_key(group));
}

}  // namespace tensordsl::graph
