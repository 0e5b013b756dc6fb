#include "lower/place/number_unnamed.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/lexer.h"
#include "schedule/func_schedule.h"

namespace tensordsl::lower {

using namespace ir;
using schedule::ScheduledFunction;
using schedule::StageSchedule;

namespace {

/// Calls `f(position, length)` for every "v$17" and "f$3" in a name.
template <typename F>
void for_each_mark(std::string_view name, F f) {
  for (std::size_t at = name.find('$'); at != std::string_view::npos; at = name.find('$', at + 1)) {
    const bool is_mark = at > 0 && (name[at - 1] == 'v' || name[at - 1] == 'f');
    std::size_t end = at + 1;
    while (end < name.size() && is_digit(name[end])) ++end;
    if (is_mark && end > at + 1) f(at - 1, end - at + 1);
  }
}

class Numbering {
 public:
  explicit Numbering(const std::vector<FunctionPtr>& functions) {
    for (const FunctionPtr& f : functions) {
      const ScheduledFunction& function = schedule::scheduled(*f);
      if (!function.is_input()) note(function.name);
      for (const std::string& dim : function.dims) note(dim);
      for (const Definition& d : function.definitions) {
        for (const ReductionAxis& axis : d.domain) note(axis.name);
        for (const Expr& e : d.expressions()) note_names(e);
      }
      for (const StageSchedule& stage : function.stages) note(stage);
    }
    for (const std::string& mark : marks_) numbers_.emplace(mark, fresh(mark[0]));
  }

  bool is_needed() const { return !marks_.empty(); }

  std::string renamed(const std::string& name) const {
    std::string result;
    std::size_t copied = 0;
    for_each_mark(name, [&](std::size_t at, std::size_t length) {
      const auto number = numbers_.find(name.substr(at, length));
      if (number == numbers_.end()) return;
      result += name.substr(copied, at - copied) + number->second;
      copied = at + length;
    });
    return result + name.substr(copied);
  }

 private:
  void note(const std::string& name) {
    if (!names_.insert(name).second) return;
    for_each_mark(name, [&](std::size_t at, std::size_t length) {
      const std::string mark = name.substr(at, length);
      if (std::find(marks_.begin(), marks_.end(), mark) == marks_.end()) marks_.push_back(mark);
    });
  }

  void note_names(const Expr& expr) {
    visit(expr, [&](const Expr& e) {
      if (e->kind == ExprKind::Var) note(e->name);
      return true;
    });
  }

  void note(const StageSchedule& stage) {
    for (const schedule::Transform& t : stage.transforms) {
      if (t.split) {
        for (const std::string& name : {t.split->axis, t.split->outer, t.split->inner}) note(name);
      } else {
        for (const std::string& name : {t.fuse->outer, t.fuse->inner, t.fuse->fused}) note(name);
      }
    }
    for (const schedule::Specialization& s : stage.specializations) note(s.schedule);
  }

  /// Returns the first of "v0", "v1", ... that is not part of any name.
  std::string fresh(char kind) {
    for (;;) {
      std::string name = fmt::format("{}{}", kind, next_[kind]++);
      const bool occurs = std::any_of(names_.begin(), names_.end(), [&](const std::string& other) {
        return other.find(name) != std::string::npos;
      });
      if (!occurs) return name;
    }
  }

  std::set<std::string> names_;
  std::vector<std::string> marks_;  // marks in the order of their occurrence
  std::map<std::string, std::string> numbers_;
  std::map<char, int> next_;
};

class Copying {
 public:
  explicit Copying(const Numbering& numbering) : numbering_(numbering) {}

  /// Copies `f`, whose producers were copied before.
  FunctionPtr copy(const FunctionPtr& f) {
    auto result = std::make_shared<ScheduledFunction>(schedule::scheduled(*f));
    if (!result->is_input()) result->name = numbering_.renamed(result->name);
    for (std::string& dim : result->dims) dim = numbering_.renamed(dim);
    for (Definition& d : result->definitions) {
      for (Expr& arg : d.args) arg = copy(arg);
      for (Expr& value : d.values) value = copy(value);
      if (d.predicate.defined()) d.predicate = copy(d.predicate);
      for (ReductionAxis& axis : d.domain) axis.name = numbering_.renamed(axis.name);
    }
    for (StageSchedule& stage : result->stages) rename(stage);
    for (auto* level : {&result->schedule.level, &result->schedule.store_level}) {
      if (!*level) continue;
      (*level)->consumer = numbering_.renamed((*level)->consumer);
      (*level)->axis = numbering_.renamed((*level)->axis);
    }
    for (auto* by_dimension : {&result->schedule.folds, &result->schedule.alignments}) {
      std::map<std::string, int> renamed;
      for (const auto& [dimension, value] : *by_dimension) renamed[numbering_.renamed(dimension)] = value;
      *by_dimension = std::move(renamed);
    }
    functions_.emplace(f.get(), result);
    return result;
  }

 private:
  Expr copy(const Expr& expr) {
    return rewrite(expr, [&](const Expr& e) {
      if (e->kind == ExprKind::Var) return make_var(numbering_.renamed(e->name), e->type);
      if (e->kind != ExprKind::Call) return e;
      const auto callee = e->function ? functions_.at(e->function.get()) : nullptr;
      const std::string name = callee ? callee->name : numbering_.renamed(e->name);
      return make_call(e->type.element(), callee, name, e->operands, e->component);
    });
  }

  void rename(StageSchedule& stage) const {
    for (schedule::Axis& axis : stage.axes) axis.name = numbering_.renamed(axis.name);
    for (schedule::Transform& t : stage.transforms) {
      if (t.split) {
        for (std::string* name : {&t.split->axis, &t.split->outer, &t.split->inner})
          *name = numbering_.renamed(*name);
      } else {
        for (std::string* name : {&t.fuse->outer, &t.fuse->inner, &t.fuse->fused})
          *name = numbering_.renamed(*name);
      }
    }
    for (schedule::Specialization& s : stage.specializations) rename(s.schedule);
    if (stage.companion) {
      stage.companion->function = numbering_.renamed(stage.companion->function);
      stage.companion->axis = numbering_.renamed(stage.companion->axis);
    }
  }

  const Numbering& numbering_;
  std::map<const Function*, FunctionPtr> functions_;
};

}  // namespace

std::vector<FunctionPtr> number_unnamed(const std::vector<FunctionPtr>& outputs) {
  const std::vector<FunctionPtr> functions = reachable(outputs);
  const Numbering numbering(functions);
  if (!numbering.is_needed()) return outputs;
  Copying copying(numbering);
  std::map<FunctionPtr, FunctionPtr> copies;
  for (const FunctionPtr& f : functions) copies[f] = copying.copy(f);
  std::vector<FunctionPtr> result;
  for (const FunctionPtr& output : outputs) result.push_back(copies.at(output));
  return result;
}

}  // namespace tensordsl::lower
