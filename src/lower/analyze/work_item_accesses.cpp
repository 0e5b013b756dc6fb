#include "lower/analyze/work_item_accesses.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/nodes/linear_form.h"
#include "ir/simplify/simplifier.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

// '#' distinguishes these names from users' names.
std::string item_name(std::size_t dimension) { return fmt::format("#item{}", dimension); }
std::string distance_name(std::size_t dimension) { return fmt::format("#distance{}", dimension); }

Expr int_constant(std::int64_t value) { return Expr(static_cast<int>(value)); }

bool excludes_zero(const LinearForm& form, const Bounds& bounds) {
  const std::int64_t divisor = form.common_divisor();
  if (divisor > 0 ? form.constant % divisor != 0 : form.constant != 0) return true;
  const auto sum = to_expr(form, Int(32));
  return sum && !bounds_of(*sum, bounds).contains(0);
}

/// The equations that hold where two accesses touch the same element: each sum is 0.
class SameElement {
 public:
  SameElement(const WorkItemAccess& a, const WorkItemAccess& b) : bounds_(a.own) {
    Substitution of_a, of_b;
    for (const auto& [name, range] : b.own) {
      of_b[name] = make_var(name + "'");
      bounds_[name + "'"] = range;
    }
    for (std::size_t d = 0; d < 3; ++d) bind_items(d, a.items[d], b.items[d], of_a, of_b);
    Expr address_a(0), address_b(0);
    for (std::size_t i = 0; i < a.indices.size(); ++i) {
      const Expr at_a = substitute(a.indices[i], of_a), at_b = substitute(b.indices[i], of_b);
      add_equation(at_a, at_b);
      if (a.extents.empty()) continue;
      const Expr extent = int_constant(a.extents[i]);
      address_a = address_a * extent + at_a;
      address_b = address_b * extent + at_b;
    }
    // The quotient and the remainder of one sum are in two indices, and the sum is in the address.
    if (a.indices.size() > 1 && !a.extents.empty()) add_equation(address_a, address_b);
  }

  /// True if the equations have no solution, or only such in which one work-item makes both accesses.
  bool is_by_one_item() {
    for (bool is_new = true; is_new && !is_impossible() && !apart_.empty();) {
      is_new = false;
      for (std::size_t i = 0; i < apart_.size() && !is_new; ++i) {
        if (!is_zero(apart_[i])) continue;
        resolve(apart_[i]);
        apart_.erase(apart_.begin() + static_cast<std::ptrdiff_t>(i));
        is_new = true;
      }
    }
    return is_impossible_ || apart_.empty();
  }

 private:
  void bind_items(std::size_t d, Interval a, Interval b, Substitution& of_a, Substitution& of_b) {
    const std::string name = item_name(d), distance = distance_name(d);
    const Expr item = make_var(name), apart = make_var(distance);
    if (a.is_point() && a == b) {
      of_a[name] = of_b[name] = int_constant(a.low);
      return;
    }
    apart_.push_back(distance);
    bounds_[distance] = a - b;
    if (a.is_point()) {
      of_a[name] = int_constant(a.low);
      of_b[name] = int_constant(a.low) - apart;
    } else if (b.is_point()) {
      of_a[name] = int_constant(b.low) + apart;
      of_b[name] = int_constant(b.low);
    } else {
      bounds_[name] = a;
      of_b[name] = item - apart;
    }
  }

  void add_equation(const Expr& a, const Expr& b) { sums_.emplace_back(simplify(a - b, bounds_)); }

  bool is_impossible() {
    is_impossible_ = is_impossible_ || std::any_of(sums_.begin(), sums_.end(), [&](const LinearForm& sum) {
                       return excludes_zero(sum, bounds_);
                     });
    return is_impossible_;
  }

  /// coefficient*distance + rest = 0 with a rest that is nearer to 0 than the coefficient: both are 0.
  bool is_zero(const std::string& distance) const {
    const Expr variable = make_var(distance);
    return std::any_of(sums_.begin(), sums_.end(), [&](LinearForm sum) {
      const std::int64_t coefficient = sum.coefficient_of(variable);
      if (coefficient == 0) return false;
      sum.add_atom(variable, -coefficient);
      const auto rest = to_expr(sum, Int(32));
      const std::int64_t limit = std::abs(coefficient) - 1;
      return rest && !uses_var(*rest, distance) &&
             Interval{-limit, limit}.contains(bounds_of(*rest, bounds_));
    });
  }

  void resolve(const std::string& distance) {
    is_impossible_ = is_impossible_ || !bounds_[distance].contains(0);
    for (LinearForm& sum : sums_) {
      const auto expr = to_expr(sum, Int(32));
      if (expr) sum = LinearForm(simplify(substitute(*expr, distance, Expr(0)), bounds_));
    }
  }

  Bounds bounds_;
  std::vector<std::string> apart_;  // distances of the two work-items that may still be other than 0
  std::vector<LinearForm> sums_;
  bool is_impossible_ = false;
};

}  // namespace

bool may_meet(const WorkItemAccess& a, const WorkItemAccess& b) {
  if (a.items == b.items &&
      std::all_of(a.items.begin(), a.items.end(), [](Interval i) { return i.is_point(); }))
    return false;
  if (!a.is_known || !b.is_known || a.indices.size() != b.indices.size()) return true;
  return !SameElement(a, b).is_by_one_item();
}

WorkItemAccess in_any_iteration(WorkItemAccess access, const StmtNode& loop) {
  const std::string step = fmt::format("#{}", access.own.size());
  access.own[step] = {0, bounds_of(loop.extent(), {}).high - 1};
  for (Expr& index : access.indices) {
    index = substitute(index, loop.name, loop.min() + make_var(step));
  }
  return access;
}

WorkItemScope::WorkItemScope(const Stmt& nest, const std::set<std::string>& exchanged) {
  if (!exchanged.empty()) shared_ = Memory::Global;
  for (const std::string& tensor : exchanged) tensors_[tensor] = {Memory::Global, 0, {}};
  visit(nest, [&](const Stmt& s) {
    if (s->kind == StmtKind::For && is_thread_loop(s->loop)) {
      std::int64_t& items = group_[static_cast<std::size_t>(gpu_dimension(s->loop))];
      items = std::max(items, bounds_of(s->extent(), {}).high);
    }
    return true;
  });
}

WorkItemScope WorkItemScope::enter(const StmtNode& stmt, bool is_repeated) const {
  WorkItemScope result = *this;
  if (stmt.kind == StmtKind::Allocate) {
    Tensor tensor{stmt.memory, loops_.size(), {}};
    for (const Expr& extent : stmt.extents()) {
      const std::int64_t most = bounds_of(extent, {}).high;
      if (most <= INT16_MAX) tensor.extents.push_back(most);
    }
    if (tensor.extents.size() != stmt.extents().size()) tensor.extents.clear();
    result.tensors_[stmt.name] = std::move(tensor);
  }
  if (stmt.kind == StmtKind::Let) {
    const Expr value = substitute(stmt.value(), values_);
    if (reads_memory(value)) {
      result.bind_own(stmt.name, Expr(0), range_of(Int(32)));
    } else {
      result.values_[stmt.name] = value;
    }
  }
  if (stmt.kind != StmtKind::For) return result;
  const Expr first = substitute(stmt.min(), values_), extent = substitute(stmt.extent(), values_);
  const Interval steps{0, bounds_of(extent, own_).high - 1};
  if (is_thread_loop(stmt.loop)) {
    const auto d = static_cast<std::size_t>(gpu_dimension(stmt.loop));
    result.loops_.push_back({d, steps});
    result.values_[stmt.name] = first + make_var(item_name(d));
  } else if (is_block_loop(stmt.loop) || (!is_repeated && is_uniform(first) && is_uniform(extent))) {
    result.values_.erase(stmt.name);
  } else {
    result.bind_own(stmt.name, first, steps);
  }
  return result;
}

void WorkItemScope::bind_own(const std::string& name, const Expr& first, Interval steps) {
  const std::string step = fmt::format("#{}", own_.size());
  own_[step] = steps;
  values_[name] = first + make_var(step);
}

bool WorkItemScope::is_uniform(const Expr& expr) const {
  bool result = !reads_memory(expr);
  visit(expr, [&](const Expr& e) {
    result = result && !(e->kind == ExprKind::Var && e->name.starts_with("#"));
    return result;
  });
  return result;
}

bool WorkItemScope::is_shared(const std::string& tensor) const {
  const auto it = tensors_.find(tensor);
  return it != tensors_.end() && it->second.memory == shared_;
}

std::array<Interval, 3> WorkItemScope::all_items() const {
  std::array<Interval, 3> items;
  for (std::size_t d = 0; d < 3; ++d) items[d] = {0, group_[d] - 1};
  // The whole group computes shared tensors: of two loops over its work-items the inner one counts.
  for (const ThreadLoop& loop : loops_)
    items[loop.dimension] = {0, std::max<std::int64_t>(loop.items.high, 0)};
  return items;
}

/// In a dimension over which no loop spreads a store, the first work-item stores shared elements.
std::array<Interval, 3> WorkItemScope::items_that_store(const std::string& tensor) const {
  std::array<Interval, 3> items = all_items();
  const auto it = tensors_.find(tensor);
  const Tensor stored = it == tensors_.end() ? Tensor{} : it->second;
  if (stored.memory != Memory::Local && stored.memory != Memory::Global) return items;
  for (std::size_t d = 0; d < 3; ++d) {
    const auto inside = loops_.begin() + static_cast<std::ptrdiff_t>(stored.loops);
    const bool is_spread =
        std::any_of(inside, loops_.end(), [&](const ThreadLoop& loop) { return loop.dimension == d; });
    if (!is_spread) items[d] = Interval::point(0);
  }
  return items;
}

std::vector<WorkItemAccess> WorkItemScope::accesses(const Stmt& stmt) const {
  std::vector<WorkItemAccess> found;
  collect(stmt, found);
  return found;
}

std::vector<WorkItemAccess> WorkItemScope::reads(const Expr& expr) const {
  std::vector<WorkItemAccess> found;
  collect(expr, all_items(), found);
  return found;
}

void WorkItemScope::collect(const Stmt& stmt, std::vector<WorkItemAccess>& found) const {
  const bool is_store = stmt->kind == StmtKind::Store;
  const auto items = is_store ? items_that_store(stmt->name) : all_items();
  for (const Expr& e : stmt->exprs) collect(e, items, found);
  if (is_store && is_shared(stmt->name))
    found.push_back(access(stmt->name, true, &stmt->index(), stmt->exprs.size() - 1, items));
  const bool binds =
      stmt->kind == StmtKind::For || stmt->kind == StmtKind::Let || stmt->kind == StmtKind::Allocate;
  for (const Stmt& s : stmt->body) {
    if (binds) {
      enter(*stmt, true).collect(s, found);
    } else {
      collect(s, found);
    }
  }
}

void WorkItemScope::collect(const Expr& expr, const std::array<Interval, 3>& items,
                            std::vector<WorkItemAccess>& found) const {
  visit(expr, [&](const Expr& e) {
    if (e->kind == ExprKind::Load && is_shared(e->name))
      found.push_back(access(e->name, false, e->operands.data(), e->operands.size(), items));
    return true;
  });
}

WorkItemAccess WorkItemScope::access(const std::string& tensor, bool is_store, const Expr* first,
                                     std::size_t count, const std::array<Interval, 3>& items) const {
  WorkItemAccess result{tensor, is_store, true, {}, tensors_.at(tensor).extents, items, own_};
  for (std::size_t i = 0; i < count; ++i) {
    result.is_known = result.is_known && !reads_memory(first[i]);
    result.indices.push_back(substitute(first[i], values_));
  }
  return result;
}

}  // namespace tensordsl::lower
