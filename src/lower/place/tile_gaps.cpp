#include "lower/place/tile_gaps.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <vector>

#include "ir/nodes/linear_form.h"
#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "lower/analyze/own_reads.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// A term of an index: a loop of `count` iterations, each `step` further.
struct Digit {
  std::int64_t step, count;
};

/// Returns the runs of offset + the sum of the digits; empty if more than one loop separates them. Without
/// gaps the stride is 0.
std::optional<Runs> runs_of(std::int64_t offset, std::vector<Digit> digits) {
  std::sort(digits.begin(), digits.end(), [](const Digit& a, const Digit& b) { return a.step < b.step; });
  std::int64_t length = offset + 1, stride = 0, count = 1;
  for (const auto& [step, iterations] : digits) {
    if (stride == 0 && step <= length) {
      length += step * (iterations - 1);
    } else if (stride == 0) {
      stride = step;
      count = iterations;
    } else if (step % stride == 0 && step / stride <= count) {
      count += step / stride * (iterations - 1);
    } else {
      return std::nullopt;
    }
  }
  constexpr std::int64_t kFar = 1 << 20;
  if (length > kFar || stride > kFar || count > kFar) return std::nullopt;
  return Runs{static_cast<int>(length), static_cast<int>(stride), static_cast<int>(count)};
}

class ReadFinder {
 public:
  ReadFinder(const std::string& tensor, std::size_t dimension, const Expr& first)
      : tensor_(tensor), name_(tensor), dimension_(dimension), first_(first) {}

  std::optional<Runs> run(const Stmt& body) {
    visit(body);
    const bool has_gaps = is_known_ && runs_ && runs_->stride > runs_->length;
    return has_gaps ? runs_ : std::nullopt;
  }

 private:
  void visit(const Stmt& stmt) {
    if (!is_known_ || !stmt->names.may_share(name_)) return;
    for (const Expr& e : stmt->exprs) look_at(e);
    if (stmt->kind == StmtKind::Let) {
      values_[stmt->name] = substitute(stmt->value(), values_);
      visit(stmt->body[0]);
      values_.erase(stmt->name);
      return;
    }
    if (stmt->kind == StmtKind::For) {
      const std::int64_t* extent = as_int(stmt->extent());
      const bool is_constant = extent && *extent > 0;
      // Counted from 0, so that the loop's start can cancel.
      values_[stmt->name] = substitute(stmt->min(), values_) + make_var(stmt->name);
      if (is_constant) loops_[stmt->name] = {0, *extent - 1};
      visit(stmt->body[0]);
      loops_.erase(stmt->name);
      values_.erase(stmt->name);
      return;
    }
    for (const Stmt& s : stmt->body) visit(s);
  }

  void look_at(const Expr& expr) {
    ir::visit(expr, [&](const Expr& e) {
      if (e->kind == ExprKind::Load && e->name == tensor_) add((*e)[dimension_]);
      return is_known_ && e->names.may_share(name_);
    });
  }

  void add(const Expr& index) {
    const LinearForm distance(simplify(substitute(index, values_) - first_, loops_));
    std::vector<Digit> digits;
    for (const Term& t : distance.terms()) {
      const auto loop = t.atom->kind == ExprKind::Var ? loops_.find(t.atom->name) : loops_.end();
      is_known_ = is_known_ && loop != loops_.end() && t.coefficient > 0;
      if (is_known_) digits.push_back({t.coefficient, loop->second.high + 1});
    }
    is_known_ = is_known_ && distance.constant >= 0;
    if (!is_known_) return;
    const auto runs = runs_of(distance.constant, std::move(digits));
    const bool has_gaps = runs && runs->stride > runs->length;
    const bool fits = has_gaps && (!runs_ || (runs->stride == runs_->stride && runs->count == runs_->count));
    is_known_ = fits;
    if (fits) runs_ = Runs{std::max(runs->length, runs_ ? runs_->length : 0), runs->stride, runs->count};
  }

  const std::string& tensor_;
  NameFilter name_;  // subtrees without the name are skipped
  std::size_t dimension_;
  const Expr& first_;
  Substitution values_;  // values of the names around
  Bounds loops_;         // bounds of the loops around with constant ends
  std::optional<Runs> runs_;
  bool is_known_ = true;
};

/// True if no element along a dimension depends on others: an update writes each element that it runs over.
bool is_computed_alone(const Producer& p, std::size_t d) {
  return std::all_of(p.definitions.begin(), p.definitions.end(), [&](const Definition& definition) {
    const Expr& arg = definition.args[d];
    const bool is_pure = arg->kind == ExprKind::Var && arg->name == p.function->dims[d];
    return is_pure && reads_own_element_only(definition, p.function->name);
  });
}

/// Returns the elements that a vector of the Func covers along a dimension; any number if it covers all of
/// it.
int vector_lanes(const schedule::ScheduledFunction& function, const std::string& dim) {
  int lanes = 1;
  for (const schedule::StageSchedule& stage : function.stages) {
    for (const schedule::Axis& axis : stage.axes) {
      if (axis.loop != LoopKind::Vectorized) continue;
      const auto roots = schedule::roots_of(stage, axis.name);
      if (std::find(roots.begin(), roots.end(), dim) == roots.end()) continue;
      const auto split = std::find_if(stage.transforms.begin(), stage.transforms.end(),
                                      [&](const auto& t) { return t.split && t.split->inner == axis.name; });
      lanes = std::lcm(lanes, split == stage.transforms.end() ? INT16_MAX : split->split->factor);
    }
  }
  return lanes;
}

}  // namespace

std::optional<Runs> runs_of_reads(const Stmt& body, const std::string& tensor, std::size_t dimension,
                                  const Expr& first) {
  return ReadFinder(tensor, dimension, first).run(body);
}

Box without_gaps(const Producer& p, const Stmt& body, const Box& box) {
  Box result = box;
  for (std::size_t d = 0; d < box.size(); ++d) {
    if (!is_computed_alone(p, d)) continue;
    const auto runs = runs_of_reads(body, p.function->name, d, box[d].min);
    if (!runs || runs->length % vector_lanes(*p.function, p.function->dims[d]) != 0) continue;
    result[d] = {box[d].min, Expr(runs->length * runs->count), runs->length, runs->stride};
  }
  return result;
}

}  // namespace tensordsl::lower
