#include "lower/passes/memory/eliminate_boundary_tests.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ir/nodes/interval.h"
#include "ir/simplify/simplifier.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// A coordinate of an image and its extent. `steps` has the strides of the dimensions that make it up,
/// innermost first, if they are known.
struct Coordinate {
  Expr index, extent;
  std::vector<Expr> steps;
};

void append_conjuncts(const Expr& condition, std::vector<Expr>& conjuncts) {
  if (condition->kind == ExprKind::And) {
    append_conjuncts((*condition)[0], conjuncts);
    append_conjuncts((*condition)[1], conjuncts);
  } else {
    conjuncts.push_back(condition);
  }
}

class Eliminating {
 public:
  Eliminating(const StoredTensors& tensors, const Bounds& bounds) : tensors_(tensors), bounds_(bounds) {}

  Stmt run(const Stmt& stmt) {
    const auto without_tests_in = [&](const Expr& e) {
      return rewrite(e, [&](const Expr& part) { return without_tests(part); });
    };
    if (stmt->kind != StmtKind::For)
      return map_children(stmt, without_tests_in, [&](const Stmt& child) { return run(child); });
    Interval range;
    const Interval first = bounds_of(stmt->min(), bounds_), count = bounds_of(stmt->extent(), bounds_);
    range.low = first.low;
    if (first.high < INT32_MAX && count.high < INT32_MAX) range.high = first.high + count.high - 1;
    const Bounds outside = bounds_;
    bounds_[stmt->name] = range;
    const Stmt result = map_children(stmt, without_tests_in, [&](const Stmt& child) { return run(child); });
    bounds_ = outside;
    return result;
  }

 private:
  Expr without_tests(const Expr& expr) const {
    if (expr->kind != ExprKind::Select || !is_const((*expr)[2], 0)) return expr;
    const Expr* read = &(*expr)[1];
    while ((*read)->kind == ExprKind::Cast) read = &(**read)[0];
    if ((*read)->kind != ExprKind::Load) return expr;
    const auto coordinates = bordered(**read);
    if (coordinates.empty()) return expr;
    std::vector<Expr> conjuncts;
    append_conjuncts((*expr)[0], conjuncts);
    Expr kept;
    bool any_gone = false;
    for (const Expr& test : conjuncts) {
      bool is_made_by_sampler = false;
      for (const Coordinate& c : coordinates)
        is_made_by_sampler = is_made_by_sampler || fails_only_outside(test, c);
      any_gone |= is_made_by_sampler;
      if (!is_made_by_sampler) kept = kept.defined() ? make_binary(ExprKind::And, kept, test) : test;
    }
    // Reads in the index or in other tests would be made that the removed tests prevent.
    const auto reads = [](const Expr& e) { return reads_memory(e); };
    if (!any_gone || std::ranges::any_of((*read)->operands, reads) || (kept.defined() && reads(kept)))
      return expr;
    return kept.defined() ? make_select(kept, (*expr)[1], (*expr)[2]) : (*expr)[1];
  }

  /// Returns the coordinates outside of which a read gives zero: rows and columns.
  std::vector<Coordinate> bordered(const ExprNode& load) const {
    const auto it = tensors_.find(load.name);
    if (it == tensors_.end() || !it->second.image || *it->second.image == ImageKind::Image1DBuffer) return {};
    const StoredTensor& tensor = it->second;
    std::vector<Expr> indices = tensor.layout.group_indices(load.operands, tensor.extents);
    for (Expr& index : indices) index = simplify(index, bounds_);
    const auto extents = tensor.layout.group_extents(tensor.extents);
    const auto columns = static_cast<std::size_t>(coordinates_of(*tensor.image)) - 1;
    return {{indices[columns - 1], extents[columns - 1], steps_of(tensor, columns - 1)},
            {indices[columns], extents[columns], steps_of(tensor, columns)}};
  }

  static std::vector<Expr> steps_of(const StoredTensor& tensor, std::size_t group) {
    const std::vector<std::size_t>& ends = tensor.layout.group_ends();
    const std::vector<Expr> sizes = tensor.layout.stored_extents(tensor.extents);
    const std::size_t first = group == 0 ? 0 : ends[group - 1];
    std::vector<Expr> steps{Expr(1)};
    for (std::size_t t = ends[group]; --t > first;) {
      Expr step = simplify(steps.back() * sizes[t]);
      if (!as_int(step) || *as_int(step) < 1) break;
      steps.push_back(std::move(step));
    }
    return steps;
  }

  bool fails_only_outside(const Expr& test, const Coordinate& c) const {
    if ((test->kind != ExprKind::Lt && test->kind != ExprKind::Le) || (*test)[0].type() != Int(32))
      return false;
    // The margin by which the test fails: >= 0 exactly where it fails.
    Expr failure = (*test)[0] - (*test)[1];
    if (test->kind == ExprKind::Le) failure = failure - 1;
    // If w is outside, so are its columns w*16 + c/4, with c/4 < 16, 16 times as far.
    return std::ranges::any_of(c.steps, [&](const Expr& step) {
      return can_prove(failure * step <= -1 - c.index, bounds_) ||
             can_prove(failure * step <= c.index - c.extent, bounds_);
    });
  }

  const StoredTensors& tensors_;
  Bounds bounds_;
};

}  // namespace

Stmt eliminate_boundary_tests(const Stmt& stmt, const StoredTensors& tensors, const Bounds& bounds) {
  return Eliminating(tensors, bounds).run(stmt);
}

}  // namespace tensordsl::lower
