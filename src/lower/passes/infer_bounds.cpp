#include "lower/passes/infer_bounds.h"

#include <fmt/format.h>

#include <map>

#include "ir/simplify.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// Symbolic ends, both included; undefined where there is no bound.
struct SymbolicInterval {
  Expr low, high;
  bool bounded() const { return low.defined() && high.defined(); }
};

SymbolicInterval point(const Expr& e) { return {e, e}; }

SymbolicInterval hull(const SymbolicInterval& a, const SymbolicInterval& b) {
  SymbolicInterval result;
  if (a.low.defined() && b.low.defined()) result.low = same(a.low, b.low) ? a.low : min(a.low, b.low);
  if (a.high.defined() && b.high.defined()) result.high = same(a.high, b.high) ? a.high : max(a.high, b.high);
  return result;
}

class RegionFinder {
 public:
  RegionFinder(std::string tensor, bool stores) : tensor_(std::move(tensor)), stores_(stores) {}

  void run(const Stmt& stmt) {
    switch (stmt->kind) {
      case StmtKind::For: return run_loop(*stmt);
      case StmtKind::Let: {
        find_loads(stmt->exprs[0]);
        const Scope scope(*this, stmt->name, interval(stmt->exprs[0]));
        return run(stmt->body[0]);
      }
      case StmtKind::If: return run_if(*stmt);
      default: break;
    }
    for (const Expr& e : stmt->exprs) find_loads(e);
    if (stores_ && stmt->kind == StmtKind::Store && stmt->name == tensor_) {
      add({stmt->exprs.begin() + 1, stmt->exprs.end()});
    }
    for (const Stmt& s : stmt->body) run(s);
  }

  std::optional<Box> box() const {
    if (!found_) return std::nullopt;
    Box result;
    for (const SymbolicInterval& i : *found_) {
      const Expr low = simplify(i.low);
      result.push_back({low, simplify(i.high - low + 1)});
    }
    return result;
  }

 private:
  /// Binds a variable's range for as long as its scope lasts.
  class Scope {
   public:
    Scope(RegionFinder& finder, std::string name, SymbolicInterval range) : finder_(finder), name_(std::move(name)) {
      const auto it = finder_.ranges_.find(name_);
      if (it != finder_.ranges_.end()) outer_ = it->second;
      finder_.ranges_[name_] = std::move(range);
    }
    ~Scope() {
      if (outer_) {
        finder_.ranges_[name_] = *outer_;
      } else {
        finder_.ranges_.erase(name_);
      }
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    RegionFinder& finder_;
    std::string name_;
    std::optional<SymbolicInterval> outer_;
  };

  void run_loop(const StmtNode& loop) {
    for (const Expr& e : loop.exprs) find_loads(e);
    const SymbolicInterval first = interval(loop.exprs[0]);
    const SymbolicInterval last = interval(simplify(loop.exprs[0] + loop.exprs[1] - 1));
    const Scope scope(*this, loop.name, {first.low, last.high});
    run(loop.body[0]);
  }

  /// if (x < e), if (x <= e), if (e <= x): the body sees x with a nearer end.
  void run_if(const StmtNode& test) {
    find_loads(test.exprs[0]);
    const Expr& c = test.exprs[0];
    const bool order = c->kind == ExprKind::Lt || c->kind == ExprKind::Le;
    if (order && (*c)[0]->kind == ExprKind::Var && ranges_.contains((*c)[0]->name)) {
      SymbolicInterval narrowed = ranges_.at((*c)[0]->name);
      const SymbolicInterval limit = interval((*c)[1]);
      if (limit.high.defined()) {
        const Expr last = c->kind == ExprKind::Lt ? simplify(limit.high - 1) : limit.high;
        narrowed.high = narrowed.high.defined() ? simplify(min(narrowed.high, last)) : last;
      }
      const Scope scope(*this, (*c)[0]->name, narrowed);
      run(test.body[0]);
    } else {
      run(test.body[0]);
    }
    if (test.body.size() > 1) run(test.body[1]);
  }

  void find_loads(const Expr& expr) {
    visit(expr, [&](const Expr& e) {
      if (e->kind == ExprKind::Load && e->name == tensor_) add(e->operands);
      return true;
    });
  }

  void add(const std::vector<Expr>& indices) {
    std::vector<SymbolicInterval> access;
    for (std::size_t d = 0; d < indices.size(); ++d) {
      SymbolicInterval i = interval(simplify(indices[d]));
      if (!i.bounded()) {
        throw DefinitionError(fmt::format("{}: index {} of dimension {} cannot be bounded; clamp it to the tensor's extent",
                                          tensor_, tensordsl::to_string(indices[d]), d));
      }
      access.push_back({simplify(i.low), simplify(i.high)});
    }
    if (!found_) {
      found_ = std::move(access);
      return;
    }
    for (std::size_t d = 0; d < access.size(); ++d) {
      SymbolicInterval& all = (*found_)[d];
      all = hull(all, access[d]);
      all = {simplify(all.low), simplify(all.high)};
    }
  }

  SymbolicInterval interval(const Expr& e) const {
    switch (e->kind) {
      case ExprKind::IntImm: return point(e);
      case ExprKind::Var: {
        const auto it = ranges_.find(e->name);
        return it == ranges_.end() ? point(e) : it->second;
      }
      case ExprKind::Add: {
        const SymbolicInterval a = interval((*e)[0]), b = interval((*e)[1]);
        SymbolicInterval result;
        if (a.low.defined() && b.low.defined()) result.low = a.low + b.low;
        if (a.high.defined() && b.high.defined()) result.high = a.high + b.high;
        return result;
      }
      case ExprKind::Sub: {
        const SymbolicInterval a = interval((*e)[0]), b = interval((*e)[1]);
        SymbolicInterval result;
        if (a.low.defined() && b.high.defined()) result.low = a.low - b.high;
        if (a.high.defined() && b.low.defined()) result.high = a.high - b.low;
        return result;
      }
      case ExprKind::Mul: return product(e);
      case ExprKind::Div: {
        const std::int64_t* by = as_int((*e)[1]);
        const SymbolicInterval a = interval((*e)[0]);
        if (!by || *by <= 0) return constant_ends(e);
        SymbolicInterval result;
        if (a.low.defined()) result.low = a.low / (*e)[1];
        if (a.high.defined()) result.high = a.high / (*e)[1];
        return result;
      }
      case ExprKind::Mod: return remainder(e);
      case ExprKind::Min: {
        const SymbolicInterval a = interval((*e)[0]), b = interval((*e)[1]);
        SymbolicInterval result;
        if (a.low.defined() && b.low.defined()) result.low = min(a.low, b.low);
        result.high = !a.high.defined() ? b.high : !b.high.defined() ? a.high : min(a.high, b.high);
        return result;
      }
      case ExprKind::Max: {
        const SymbolicInterval a = interval((*e)[0]), b = interval((*e)[1]);
        SymbolicInterval result;
        result.low = !a.low.defined() ? b.low : !b.low.defined() ? a.low : max(a.low, b.low);
        if (a.high.defined() && b.high.defined()) result.high = max(a.high, b.high);
        return result;
      }
      case ExprKind::Select: return hull(interval((*e)[1]), interval((*e)[2]));
      case ExprKind::Cast: return (*e)[0].type() == Int(32) || e.type() != Int(32) ? constant_ends(e) : cast_ends(e);
      default: return constant_ends(e);
    }
  }

  SymbolicInterval product(const Expr& e) const {
    for (const int side : {0, 1}) {
      const Expr& factor = (*e)[static_cast<std::size_t>(1 - side)];
      const SymbolicInterval a = interval((*e)[static_cast<std::size_t>(side)]);
      const SymbolicInterval f = interval(factor);
      if (!f.bounded() || !same(simplify(f.low), simplify(f.high))) continue;
      const Expr by = simplify(f.low);
      SymbolicInterval result;
      if (can_prove(Expr(0) <= by)) {
        if (a.low.defined()) result.low = a.low * by;
        if (a.high.defined()) result.high = a.high * by;
        return result;
      }
      if (can_prove(by <= Expr(0))) {
        if (a.high.defined()) result.low = a.high * by;
        if (a.low.defined()) result.high = a.low * by;
        return result;
      }
      // An extent that is a kernel argument: taken to be no less than 0, as every extent is.
      if (by->kind == ExprKind::Var) {
        if (a.low.defined()) result.low = a.low * by;
        if (a.high.defined()) result.high = a.high * by;
        return result;
      }
    }
    return constant_ends(e);
  }

  /// a % k: a - k*q where a stays within one period, else [0, k - 1].
  SymbolicInterval remainder(const Expr& e) const {
    const SymbolicInterval by = interval((*e)[1]);
    const SymbolicInterval a = interval((*e)[0]);
    const std::int64_t* k = as_int((*e)[1]);
    if (k && *k > 0 && a.bounded()) {
      const Expr low = simplify(a.low), high = simplify(a.high);
      if (can_prove(low / (*e)[1] == high / (*e)[1])) return {simplify(low % (*e)[1]), simplify(high % (*e)[1])};
    }
    if (k && *k > 0) return {Expr(0), Expr(static_cast<int>(*k - 1))};
    if (by.high.defined() && !k) return {Expr(0), by.high - 1};
    return {};
  }

  SymbolicInterval cast_ends(const Expr& e) const {
    const Type from = (*e)[0].type();
    if (from.is_uint() && from.bits == 8) return {Expr(0), Expr(255)};
    if (from.is_int() && from.bits == 8) return {Expr(-128), Expr(127)};
    if (from.is_bool()) return {Expr(0), Expr(1)};
    return constant_ends(e);
  }

  /// Ends that hold whatever the variables are.
  SymbolicInterval constant_ends(const Expr& e) const {
    if (!e.type().is_integer() || e.type().bits > 32) return {};
    const Interval i = bounds_of(e, {});
    SymbolicInterval result;
    if (i.low > INT32_MIN && i.low <= INT32_MAX) result.low = Expr(static_cast<int>(i.low));
    if (i.high < INT32_MAX && i.high >= INT32_MIN) result.high = Expr(static_cast<int>(i.high));
    return result;
  }

  std::string tensor_;
  bool stores_;
  std::map<std::string, SymbolicInterval> ranges_;
  std::optional<std::vector<SymbolicInterval>> found_;
};

}  // namespace

std::optional<Box> required_box(const Stmt& stmt, const std::string& tensor, bool stores) {
  RegionFinder finder(tensor, stores);
  finder.run(stmt);
  return finder.box();
}

}  // namespace tensordsl::lower
