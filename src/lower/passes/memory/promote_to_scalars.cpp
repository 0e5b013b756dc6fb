#include "lower/passes/memory/promote_to_scalars.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>
#include <vector>

#include "ir/nodes/lazy_operands.h"
#include "ir/nodes/linear_form.h"
#include "ir/simplify/simplifier.h"
#include "lower/name_supply.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// Registers that one loop may hold: more would be spilled to memory.
constexpr int kMaximumElements = 512;
constexpr std::size_t kMaximumAccumulators = 128;

/// The accesses of a tensor at one index, in a loop.
struct Element {
  Expr index;
  Type type;
  bool is_read = false;
  bool is_always_stored = false;  // true: every iteration stores it
  bool is_accessed = false;
  bool begins_with_read = false;
  bool always_begins = false;  // the first access is unconditional
};

/// The accesses of one tensor in a loop.
struct TensorUsage {
  std::vector<Element> elements;
  bool has_other = false;  // at an index that changes, or more than there are registers for
};

class LoopUsage {
 public:
  LoopUsage(const StmtNode& loop, std::set<std::string> excluded) : excluded_(std::move(excluded)) {
    bound_.insert(loop.name);
    visit(loop.body[0], [&](const Stmt& s) {
      if (s->kind == StmtKind::For || s->kind == StmtKind::Let) bound_.insert(s->name);
      if (s->kind == StmtKind::Allocate) excluded_.insert(s->name);
      return true;
    });
    collect(loop.body[0], true);
  }

  const std::map<std::string, TensorUsage>& tensors() const { return tensors_; }

 private:
  void collect(const Stmt& s, bool is_always) {
    for (const Expr& e : s->exprs) {
      std::unordered_set<const ExprNode*> seen[2];
      collect(e, is_always, seen);
    }
    if (s->kind == StmtKind::Store) {
      Element* const element = at(s->name, s->indices(), s->value().type());
      if (element) access(*element, false, is_always);
    }
    const bool may_not_run =
        s->kind == StmtKind::If || (s->kind == StmtKind::For && bounds_of(s->extent(), {}).low < 1);
    for (const Stmt& child : s->body) collect(child, is_always && !may_not_run);
  }

  void collect(const Expr& expr, bool is_always, std::unordered_set<const ExprNode*> (&seen)[2]) {
    if (expr->operands.empty() || !seen[is_always].insert(expr.get()).second) return;
    for (std::size_t i = 0; i < expr->operands.size(); ++i)
      collect((*expr)[i], is_always && !is_lazy_operand(expr, i), seen);
    if (expr->kind != ExprKind::Load) return;
    if (Element* const element = at(expr->name, expr->operands, expr.type()))
      access(*element, true, is_always);
  }

  static void access(Element& element, bool is_read, bool is_always) {
    if (!element.is_accessed) {
      element.begins_with_read = is_read;
      element.always_begins = is_always;
    }
    element.is_accessed = true;
    element.is_read |= is_read;
    element.is_always_stored |= !is_read && is_always;
  }

  /// Returns the loop's element at these indices; null if it is not one of them.
  Element* at(const std::string& tensor, const std::vector<Expr>& indices, Type type) {
    if (excluded_.contains(tensor)) return nullptr;
    TensorUsage& usage = tensors_[tensor];
    if (usage.has_other) return nullptr;
    usage.has_other = indices.size() != 1 || changes(indices[0]) || type.element() == Float(16) ||
                      usage.elements.size() > kMaximumAccumulators;
    if (usage.has_other) return nullptr;
    for (Element& e : usage.elements) {
      if (same(e.index, indices[0])) return &e;
    }
    usage.elements.push_back({indices[0], type});
    return &usage.elements.back();
  }

  bool changes(const Expr& index) const {
    bool result = reads_memory(index);
    visit(index, [&](const Expr& e) {
      result = result || (e->kind == ExprKind::Var && bound_.contains(e->name));
      return !result;
    });
    return result;
  }

  std::set<std::string> excluded_, bound_;
  std::map<std::string, TensorUsage> tensors_;
};

/// The elements from sum + first to sum + last.
struct ElementSpan {
  LinearForm sum;
  std::int64_t first = 0, last = 0;
};

std::optional<ElementSpan> span_of(const Expr& index) {
  const bool is_scalar = index.type().lanes == 1;
  const std::int64_t* stride = index->kind == ExprKind::Ramp ? as_int((*index)[1]) : nullptr;
  if (!is_scalar && (!stride || *stride == 0)) return std::nullopt;
  ElementSpan span{LinearForm(is_scalar ? index : (*index)[0]), 0, 0};
  span.first = span.last = span.sum.constant;
  span.sum.constant = 0;
  if (!is_scalar) (*stride > 0 ? span.last : span.first) += *stride * (index.type().lanes - 1);
  return span;
}

/// True if `known` proves that no two of the elements overlap.
bool are_disjoint_elements(const std::vector<Element>& elements, Simplifier& known) {
  std::vector<ElementSpan> spans;  // with a sum once
  std::vector<std::vector<ElementSpan>> parts;
  for (const Element& e : elements) {
    const auto span = span_of(e.index);
    if (!span) return false;
    std::size_t at = 0;
    while (at < spans.size() && !(spans[at].sum - span->sum).is_zero()) ++at;
    if (at == spans.size()) {
      spans.push_back(*span);
      parts.emplace_back();
    }
    spans[at].first = std::min(spans[at].first, span->first);
    spans[at].last = std::max(spans[at].last, span->last);
    parts[at].push_back(*span);
  }
  for (std::vector<ElementSpan>& line : parts) {
    std::sort(line.begin(), line.end(),
              [](const ElementSpan& a, const ElementSpan& b) { return a.first < b.first; });
    const auto overlaps = [](const ElementSpan& a, const ElementSpan& b) { return b.first <= a.last; };
    if (std::adjacent_find(line.begin(), line.end(), overlaps) != line.end()) return false;
  }
  const auto lies_behind = [&](const ElementSpan& a, const ElementSpan& b) {
    const auto gap = to_expr(a.sum - b.sum + LinearForm(a.first - b.last - 1), Int(32));
    return gap && known.proves(LinearForm(known.simplify(*gap)));
  };
  for (std::size_t i = 0; i < spans.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!lies_behind(spans[i], spans[j]) && !lies_behind(spans[j], spans[i])) return false;
    }
  }
  return true;
}

bool has_barrier(const Stmt& stmt, Memory memory) {
  bool found = false;
  visit(stmt, [&](const Stmt& s) {
    found = found || (s->kind == StmtKind::Barrier && s->memory == memory);
    return !found;
  });
  return found;
}

/// An element of memory and its register.
struct Accumulator {
  std::string tensor, name;
  Element element;

  Expr load() const { return make_load(element.type, name, {Expr(0)}); }
  Stmt store(const Expr& value) const { return make_store(name, value, {Expr(0)}); }
};

Stmt in_registers(const Stmt& stmt, const std::vector<Accumulator>& accumulators) {
  const auto find = [&](const std::string& tensor, const Expr& index) {
    return std::find_if(accumulators.begin(), accumulators.end(), [&](const Accumulator& a) {
      return a.tensor == tensor && same(a.element.index, index);
    });
  };
  const auto on_expr = [&](const Expr& expr) {
    return rewrite(expr, [&](const Expr& e) {
      if (e->kind != ExprKind::Load || e->operands.size() != 1) return e;
      const auto found = find(e->name, (*e)[0]);
      return found == accumulators.end() ? e : found->load();
    });
  };
  const Stmt s =
      map_children(stmt, on_expr, [&](const Stmt& child) { return in_registers(child, accumulators); });
  if (s->kind != StmtKind::Store || s->exprs.size() != 2) return s;
  const auto found = find(s->name, s->index());
  return found == accumulators.end() ? s : found->store(s->value());
}

class Promotion {
 public:
  Promotion(const Stmt& kernel, const Bounds& bounds) : known_(bounds), names_(kernel) {}

  Stmt run(const Stmt& s) {
    const Simplifier::Scope scope(known_);
    if (s->kind == StmtKind::Allocate) (s->memory == Memory::Local ? local_ : own_).insert(s->name);
    if (s->kind == StmtKind::Let) known_.define(s->name, known_.simplify(s->value()));
    if (s->kind == StmtKind::If) return run_if(s);
    if (s->kind == StmtKind::For && s->loop == LoopKind::Serial) return run_loop(s);
    return map_children(s, nullptr, [&](const Stmt& child) { return run(child); });
  }

 private:
  Stmt run_if(const Stmt& s) {
    bool truth = true;
    return map_children(s, nullptr, [&](const Stmt& child) {
      const Simplifier::Scope scope(known_);
      if (!reads_memory(s->condition())) known_.assume(known_.simplify(s->condition()), truth);
      truth = false;
      return run(child);
    });
  }

  Stmt run_loop(const Stmt& s) {
    const Expr first = known_.simplify(s->min()), extent = known_.simplify(s->extent());
    const Interval start = known_.bounds(first), steps = known_.bounds(extent);
    known_.set_bounds(s->name, {start.low, saturating_add(saturating_add(start.high, -1), steps.high)});
    if (!reads_memory(extent)) known_.assume_not_negative(LinearForm(extent) - LinearForm(1));
    const std::vector<Accumulator> accumulators = accumulators_of(*s);
    if (accumulators.empty()) return map_children(s, nullptr, [&](const Stmt& body) { return run(body); });
    for (const Accumulator& a : accumulators) own_.insert(a.name);
    std::vector<Stmt> statements;
    for (const Accumulator& a : accumulators) {
      if (a.element.begins_with_read)
        statements.push_back(a.store(make_load(a.element.type, a.tensor, {a.element.index})));
    }
    statements.push_back(
        make_for(s->name, s->min(), s->extent(), s->loop, run(in_registers(s->body[0], accumulators))));
    for (const Accumulator& a : accumulators)
      statements.push_back(make_store(a.tensor, a.load(), {a.element.index}));
    Stmt result = make_block(std::move(statements));
    for (std::size_t i = accumulators.size(); i-- > 0;) {
      const Accumulator& a = accumulators[i];
      result = make_allocate(a.name, a.element.type, {Expr(1)}, Memory::Register, result);
    }
    return steps.low >= 1 ? result : make_if(Expr(0) < s->extent(), result);
  }

  std::vector<Accumulator> accumulators_of(const StmtNode& loop) {
    std::vector<Accumulator> found;
    const bool has_shared = !local_.empty() && has_barrier(loop.body[0], Memory::Local);
    const bool exchanges = has_barrier(loop.body[0], Memory::Global);
    const LoopUsage usages(loop, own_);
    int elements = 0;
    for (const auto& [tensor, usage] : usages.tensors()) {
      const bool is_promoted = std::any_of(usage.elements.begin(), usage.elements.end(), is_accumulator);
      const bool is_shared = local_.contains(tensor) ? has_shared : exchanges;
      if (usage.has_other || !is_promoted || is_shared) continue;
      if (!are_disjoint_elements(usage.elements, known_)) continue;
      for (const Element& e : usage.elements) {
        if (!is_accumulator(e)) continue;
        elements += e.type.lanes;
        if (elements > kMaximumElements) return {};
        found.push_back({tensor, names_.numbered(tensor + ".acc"), e});
      }
    }
    return found;
  }

  static bool is_accumulator(const Element& e) { return e.is_read && e.is_always_stored && e.always_begins; }

  Simplifier known_;
  std::set<std::string> local_;
  std::set<std::string> own_;  // tensors that are a work-item's own
  NameSupply names_;
};

}  // namespace

Stmt promote_to_scalars(const Stmt& stmt, const Bounds& bounds) { return Promotion(stmt, bounds).run(stmt); }

}  // namespace tensordsl::lower
