#include "graph/group_key.h"

#include <fmt/format.h>

#include <map>

#include "ir/expr_node.h"
#include "ir/print.h"
#include "ir/substitute.h"
#include "schedule/schedule.h"

namespace tensordsl {

using namespace ir;

namespace {

class KeyWriter {
 public:
  std::string run(const Group& group, const ChosenSchedule& schedule) {
    text_ = fmt::format("{} {}\n", schedule.strategy->name, schedules::to_string(schedule.point));
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
      for (const Definition& definition : function.definitions) add(function, definition);
    }
  }

  void add(const Function& function, const Definition& definition) {
    Substitution axes;
    for (std::size_t d = 0; d < function.dims.size(); ++d)
      axes.emplace(function.dims[d], make_var(fmt::format("$d{}", d)));
    for (std::size_t a = 0; a < definition.domain.size(); ++a)
      axes.emplace(definition.domain[a].name, make_var(fmt::format("$r{}", a)));
    const auto canonical = [&](const Expr& expr) {
      return print(rewrite(substitute(expr, axes), [&](const Expr& e) {
        if (e->kind != ExprKind::Call) return e;
        const std::string& name = e->function ? names_.at(e->function.get()) : names_.at(&function);
        return make_call(e.type(), nullptr, name, e->operands, e->component);
      }));
    };
    for (const Expr& arg : definition.args) text_ += canonical(arg) + ", ";
    for (const Expr& value : definition.values)
      text_ += fmt::format("= {}: {} ", canonical(value), to_string(value.type()));
    for (const ReductionAxis& axis : definition.domain)
      text_ += fmt::format("for [{}, {}) ", canonical(axis.min), canonical(axis.extent));
    if (definition.predicate.defined()) text_ += "where " + canonical(definition.predicate);
    text_ += "\n";
  }

  std::map<const Function*, std::string> names_;
  std::string text_;
};

}  // namespace

std::string group_key(const Group& group, const ChosenSchedule& schedule) {
  return KeyWriter().run(group, schedule);
}

}  // namespace tensordsl
