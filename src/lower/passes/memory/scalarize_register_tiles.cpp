#include "lower/passes/memory/scalarize_register_tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/simplify/simplify.h"
#include "lower/name_supply.h"
#include "lower/passes/vectors/lanes.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// Elements [first, first + lanes), known at compile time.
struct RegisterSpan {
  int first = 0;
  int lanes = 1;
};

std::optional<RegisterSpan> constant_span(const Expr& index) {
  if (index.type().lanes == 1) {
    const std::int64_t* i = as_int(index);
    if (!i) return std::nullopt;
    return RegisterSpan{static_cast<int>(*i), 1};
  }
  if (index->kind != ExprKind::Ramp || !is_const((*index)[1], 1)) return std::nullopt;
  const std::int64_t* base = as_int((*index)[0]);
  if (!base) return std::nullopt;
  return RegisterSpan{static_cast<int>(*base), index.type().lanes};
}

/// The elements at an index that is known at compile time, as runs: a window that is stored in turns has one
/// that ends where another begins.
std::optional<std::vector<RegisterSpan>> constant_spans(const Expr& index) {
  if (const auto span = constant_span(index)) return std::vector{*span};
  std::vector<RegisterSpan> spans;
  for (int lane = 0; lane < index.type().lanes; ++lane) {
    const Expr place = simplify(lane_of(index, lane));
    const std::int64_t* i = as_int(place);
    if (!i) return std::nullopt;
    if (!spans.empty() && spans.back().first + spans.back().lanes == *i) {
      ++spans.back().lanes;
    } else {
      spans.push_back({static_cast<int>(*i), 1});
    }
  }
  return spans;
}

/// The accesses of one array: whether all indices are constant, and how wide its variables may be.
class TileShape {
 public:
  TileShape(const StmtNode& allocation) : name_(allocation.name) {
    const std::int64_t* size = as_int(allocation.extents()[0]);
    size_ = size ? static_cast<int>(*size) : 0;
    is_constant_ = size_ > 0 && size_ <= 4096;
    visit(
        allocation.body[0],
        [&](const Stmt& s) {
          if (s->kind == StmtKind::Store && s->name == name_) add(s->index(), true);
          return is_constant_;
        },
        [&](const Expr& expr) {
          visit(expr, [&](const Expr& e) {
            if (e->kind == ExprKind::Load && e->name == name_) add((*e)[0], false);
            return is_constant_;
          });
        });
    choose_width();
  }

  bool is_constant() const { return is_constant_; }
  int width() const { return width_; }
  int variables() const { return (size_ + width_ - 1) / width_; }
  /// True if one of its elements is read or written.
  bool is_used(int variable) const { return used_.contains(variable); }

 private:
  void add(const Expr& index, bool is_store) {
    const auto spans = constant_spans(index);
    is_constant_ = is_constant_ && spans && (!is_store || spans->size() == 1) &&
                   std::ranges::all_of(*spans, [&](const RegisterSpan& s) {
                     return s.first >= 0 && s.first + s.lanes <= size_;
                   });
    if (!is_constant_) return;
    if (is_store) stores_.push_back(spans->front());
    for (const RegisterSpan& s : *spans) {
      for (int i = s.first; i < s.first + s.lanes; ++i) used_elements_.insert(i);
    }
  }

  /// A store must cover whole variables; loads may take a part of one or join several.
  void choose_width() {
    width_ = 16;
    for (const RegisterSpan& s : stores_) width_ = std::min(width_, s.lanes);
    if (stores_.empty()) width_ = 1;
    const bool aligned = std::all_of(stores_.begin(), stores_.end(), [&](const RegisterSpan& s) {
      return s.first % width_ == 0 && s.lanes % width_ == 0;
    });
    if (!aligned) width_ = 1;
    for (const int i : used_elements_) used_.insert(i / width_);
  }

  std::string name_;
  int size_ = 0;
  bool is_constant_ = true;
  int width_ = 1;
  std::vector<RegisterSpan> stores_;
  std::set<int> used_elements_, used_;  // elements, variables
};

class Scalarizer {
 public:
  Scalarizer(const StmtNode& allocation, const TileShape& shape, NameSupply& names)
      : name_(allocation.name),
        value_(names.named(allocation.name + ".value")),
        type_(allocation.type.with_lanes(shape.width())),
        width_(shape.width()) {
    for (int k = 0; k < shape.variables(); ++k) variables_.push_back(names.numbered(name_));
  }

  Stmt run(const Stmt& stmt) const {
    if (stmt->kind == StmtKind::Store && stmt->name == name_) return split_store(*stmt);
    return map_children(
        stmt, [&](const Expr& e) { return run(e); }, [&](const Stmt& s) { return run(s); });
  }

  const std::string& variable(int k) const { return variables_[static_cast<std::size_t>(k)]; }
  Type type() const { return type_; }

 private:
  Expr variable_load(int k) const { return make_load(type_, variable(k), {Expr(0)}); }

  Expr run(const Expr& expr) const {
    if (expr->kind != ExprKind::Load || expr->name != name_) {
      return map_operands(expr, [&](const Expr& e) { return run(e); });
    }
    const auto spans = constant_spans((*expr)[0]);
    std::vector<Expr> parts;
    for (const RegisterSpan& span : *spans) {
      for (int at = span.first; at < span.first + span.lanes;) {
        const int k = at / width_;
        const int end = std::min((k + 1) * width_, span.first + span.lanes);
        parts.push_back(make_slice(variable_load(k), at - k * width_, end - at));
        at = end;
      }
    }
    return make_concat(std::move(parts));
  }

  Stmt split_store(const StmtNode& store) const {
    const RegisterSpan span = constant_spans(store.index())->front();
    const Expr value = run(store.value());
    if (span.lanes == width_) return make_store(variable(span.first / width_), value, {Expr(0)});
    // The value may read variables that the first of these stores overwrites.
    const Expr name = make_var(value_, value.type());
    std::vector<Stmt> stores;
    for (int part = 0; part < span.lanes / width_; ++part) {
      stores.push_back(make_store(variable(span.first / width_ + part),
                                  make_slice(name, part * width_, width_), {Expr(0)}));
    }
    return make_let(value_, value, make_block(std::move(stores)));
  }

  std::string name_, value_;
  Type type_;
  int width_;
  std::vector<std::string> variables_;
};

Stmt scalarize(const Stmt& stmt, NameSupply& names) {
  const Stmt s = map_children(stmt, nullptr, [&](const Stmt& child) { return scalarize(child, names); });
  if (s->kind != StmtKind::Allocate || s->memory != Memory::Private) return s;
  const TileShape shape(*s);
  if (!shape.is_constant()) return s;
  const Scalarizer scalarizer(*s, shape, names);
  Stmt body = scalarizer.run(s->body[0]);
  for (int k = shape.variables(); k-- > 0;) {
    if (!shape.is_used(k)) continue;
    body = make_allocate(scalarizer.variable(k), scalarizer.type(), {Expr(1)}, Memory::Register, body);
  }
  return body;
}

}  // namespace

Stmt scalarize_register_tiles(const Stmt& stmt) {
  NameSupply names(stmt);
  return scalarize(stmt, names);
}

}  // namespace tensordsl::lower
