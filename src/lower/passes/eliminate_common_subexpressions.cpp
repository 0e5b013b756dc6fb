#include "lower/passes/eliminate_common_subexpressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "ir/sub_groups.h"
#include "lower/lazy_operands.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// What is known of one distinct sub-expression of a statement.
struct Occurrence {
  int uses = 0;
  bool always = false;  // evaluated whenever the statement is, not only on one side of a select, && or ||
  bool loads = false;
  int size = 1;  // nodes of the printed text, up to a limit
};

constexpr int kLargest = 1 << 20;

class Sharing {
 public:
  /// `names` numbers the names of the whole kernel.
  Sharing(const Images& images, int& names) : images_(images), names_(names) {}

  void count(const Expr& expr, bool always) {
    Occurrence& here = occurrences_[expr];
    const bool is_new = here.uses++ == 0;
    const bool now_always = always && !here.always;
    here.always |= always;
    if (expr->operands.empty() || (!is_new && !now_always)) return;
    int size = 1;
    bool loads = expr->kind == ExprKind::Load && !is_read_anywhere(*expr, images_);
    for (std::size_t i = 0; i < expr->operands.size(); ++i) {
      const Expr& operand = (*expr)[i];
      // What is met again only to learn that it is always evaluated is not used once more.
      const int uses = occurrences_[operand].uses;
      count(operand, always && !is_lazy_operand(expr, i));
      if (!is_new) occurrences_[operand].uses = uses;
      size = std::min(kLargest, size + occurrences_[operand].size);
      loads |= occurrences_[operand].loads;
    }
    Occurrence& known = occurrences_[expr];
    known.size = size;
    known.loads = loads;
  }

  Expr rewrite(const Expr& expr) {
    if (expr->operands.empty()) return expr;
    if (const auto it = done_.find(expr); it != done_.end()) return it->second;
    Expr result = map_operands(expr, [this](const Expr& e) { return rewrite(e); });
    if (!is_sub_group_operation(*expr) && (is_worth_a_name(expr) || is_too_deep(expr, result))) {
      const std::string name = fmt::format("s.{}", names_++);
      const Type type = result.type();
      values_.emplace_back(name, result);
      result = make_var(name, type);
    }
    done_.emplace(expr, result);
    return result;
  }

  Stmt bind(Stmt stmt) const {
    for (auto it = values_.rbegin(); it != values_.rend(); ++it) stmt = make_let(it->first, it->second, stmt);
    return stmt;
  }

 private:
  bool is_worth_a_name(const Expr& expr) const {
    const auto it = occurrences_.find(expr);
    if (it == occurrences_.end() || it->second.uses < 2) return false;
    const Occurrence& o = it->second;
    if (o.loads && !o.always) return false;
    if (expr->kind == ExprKind::Load && images_.contains(expr->name)) return true;
    switch (expr->kind) {
      case ExprKind::Ramp:
      case ExprKind::Broadcast:
      case ExprKind::Slice:
        return false;
      default:
        break;
    }
    // Addresses and tests stay readable in place until they are long; values are worth a name from one
    // operation on.
    return o.size >= (expr.type().is_float() ? 3 : 24);
  }

  /// OpenCL compilers limit how deep brackets nest, 256 being common.
  bool is_too_deep(const Expr& expr, const Expr& result) const {
    constexpr int kMaxLevels = 64;
    const Occurrence& o = occurrences_.at(expr);
    return result->levels > kMaxLevels && (o.always || !o.loads);
  }

  const Images& images_;
  int& names_;
  std::unordered_map<Expr, Occurrence, ExprHash, ExprSame> occurrences_;
  std::unordered_map<Expr, Expr, ExprHash, ExprSame> done_;
  std::vector<std::pair<std::string, Expr>> values_;
};

Stmt share(const Stmt& stmt, const Images& images, int& names) {
  const Stmt s = map_children(stmt, nullptr, [&](const Stmt& child) { return share(child, images, names); });
  if (s->kind == StmtKind::Allocate || s->exprs.empty()) return s;
  Sharing sharing(images, names);
  for (const Expr& e : s->exprs) sharing.count(e, true);
  return sharing.bind(map_children(
      s, [&](const Expr& e) { return sharing.rewrite(e); }, nullptr));
}

}  // namespace

Stmt eliminate_common_subexpressions(const Stmt& stmt, const Images& images) {
  int names = 0;
  return share(stmt, images, names);
}

}  // namespace tensordsl::lower
