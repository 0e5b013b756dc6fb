#include "lower/passes/work_items/lower_sub_group_storage.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/index_limit.h"
#include "ir/nodes/lazy_operands.h"
#include "ir/nodes/sub_groups.h"
#include "ir/simplify/simplifier.h"
#include "ir/simplify/simplify.h"
#include "ir/text/print.h"
#include "lower/lowered.h"
#include "lower/name_supply.h"
#include "lower/passes/work_items/sub_group_exchanges.h"
#include "lower/passes/work_items/sub_group_spread.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// Registers that a read may select from, by work-item: each is exchanged.
constexpr std::int64_t kMaxRegisters = 4;
/// Elements that a work-item may hold: GPUs have 64 to 255 registers for each.
constexpr std::int64_t kMaxElementsHeld = 256;

/// A tensor that is spread over the work-items.
struct Held {
  SubGroupSpread spread;
  std::vector<std::int64_t> extents{};  // extents for each work-item
  bool reads_others = false;            // a work-item may read an element that it has not computed
};

/// The loops around a statement.
struct Around {
  Bounds bounds;
  /// Variables and tensors whose values may differ between the work-items of a sub-group.
  std::set<std::string> varying{kThreadNames[0]};
};

class LaneHolder {
 public:
  LaneHolder(int lanes, const Stmt& kernel) : lanes_(lanes), names_(kernel) {}

  Stmt run(const Stmt& stmt, Around around) {
    if (stmt->kind == StmtKind::Allocate && stmt->memory != Memory::Local) around.varying.insert(stmt->name);
    if (stmt->kind == StmtKind::Allocate && stmt->memory == Memory::SubGroup) return allocation(stmt, around);
    exchanges_.enter(stmt, stmt->kind == StmtKind::If && varies(stmt->condition(), around));
    storing_ = stmt;
    return exchanges_.leave(with_reads(with_own_store(stmt, around.bounds), around));
  }

 private:
  Stmt with_own_store(const Stmt& stmt, const Bounds& bounds) const {
    const auto it = stmt->kind == StmtKind::Store ? held_.find(stmt->name) : held_.end();
    if (it == held_.end()) return stmt;
    return make_store(stmt->name, stmt->value(), own_place(it->second, stmt->indices(), bounds));
  }

  Stmt with_reads(const Stmt& stmt, const Around& around) {
    if (stmt->kind == StmtKind::For) return loop(stmt, around);
    return map_children(
        stmt, [&](const Expr& e) { return handed_over(e, around); },
        [&](const Stmt& child) { return run(child, around); });
  }

  Stmt loop(const Stmt& stmt, Around around) {
    const Expr min = handed_over(stmt->min(), around), extent = handed_over(stmt->extent(), around);
    if (varies(min, around) || varies(extent, around)) around.varying.insert(stmt->name);
    around.bounds[stmt->name] = range_of_loop(min, extent, around.bounds);
    return make_for(stmt->name, min, extent, stmt->loop, run(stmt->body[0], around));
  }

  Stmt allocation(const Stmt& stmt, const Around& around) {
    if (const StmtNode* loop = exchanges_.vectorized_loop()) {
      throw ScheduleError(
          fmt::format("{}.store_in(SubGroup): it is computed inside the vectorized loop \"{}\"; compute it "
                      "outside that loop",
                      stmt->name, loop->name));
    }
    Held held{spread_of(*stmt, lanes_, around.bounds)};
    std::int64_t elements = 1;
    for (std::size_t d = 0; d < stmt->extents().size(); ++d) {
      // A tile at an edge may be smaller than the others.
      const std::int64_t most = bounds_of(stmt->extents()[d], around.bounds).high;
      held.extents.push_back(d == held.spread.dimension && most < kMaxElements ? (most + lanes_ - 1) / lanes_
                                                                               : most);
      elements = saturating_mul(elements, std::max<std::int64_t>(held.extents.back(), 0));
    }
    if (elements > kMaxElementsHeld) {
      const std::string count =
          elements < kMaxElements ? fmt::format("{}", elements) : "an unknown number of";
      throw ScheduleError(
          fmt::format("{}.store_in(SubGroup): each work-item would hold {} elements, and the limit is {}; "
                      "compute it in a loop further in, or use store_in(Local)",
                      stmt->name, count, kMaxElementsHeld));
    }
    std::vector<Expr> extents;
    for (const std::int64_t extent : held.extents) extents.push_back(number(extent));
    held_[stmt->name] = std::move(held);
    Stmt body = run(stmt->body[0], around);
    // A register that is exchanged, or that all work-items update, may be uncomputed in some of them; its
    // value is then unused.
    if (held_.at(stmt->name).reads_others && is_partly_computed(stmt->body[0], stmt->name))
      body = make_block({zeros(*stmt, extents), body});
    held_.erase(stmt->name);
    return make_allocate(stmt->name, stmt->type, extents, Memory::Private, body);
  }

  Stmt zeros(const StmtNode& allocation, const std::vector<Expr>& extents) {
    std::vector<Expr> indices;
    for (std::size_t d = 0; d < extents.size(); ++d)
      indices.push_back(make_var(names_.named(fmt::format("{}.zero{}", allocation.name, d))));
    Stmt stmt = make_store(allocation.name, make_zero(allocation.type), indices);
    for (std::size_t d = extents.size(); d-- > 0;)
      stmt = make_for(indices[d]->name, Expr(0), extents[d], LoopKind::Unrolled, stmt);
    return stmt;
  }

  std::vector<Expr> own_place(const Held& held, std::vector<Expr> indices, const Bounds& bounds) const {
    Expr& index = indices[held.spread.dimension];
    if (!held.spread.is_single) {
      index = simplify((index - make_var(kThreadNames[0])) / lanes_, bounds);
    } else if (!exchanges_.is_vectorized_over(index)) {
      // Else a test masks all but one of the lanes; with index 0, all would seem to store to one element.
      index = Expr(0);
    }
    return indices;
  }

  bool varies(const Expr& expr, const Around& around) const {
    bool result = false;
    visit(expr, [&](const Expr& e) {
      const bool is_read = e->kind == ExprKind::Var || e->kind == ExprKind::Load;
      result = result || (is_read && (around.varying.contains(e->name) || exchanges_.has(e->name)));
      return !result;
    });
    return result;
  }

  Expr handed_over(const Expr& expr, const Around& around) {
    check_lazy_reads(expr);
    return rewrite(expr, [&](const Expr& e) {
      const auto it = e->kind == ExprKind::Load ? held_.find(e->name) : held_.end();
      return it == held_.end() ? e : read(it->second, e, around);
    });
  }

  /// Checks lazy reads. Throws ScheduleError on one at an index from memory: the exchange comes before the
  /// condition that makes this index safe to read.
  void check_lazy_reads(const Expr& expr) const {
    std::set<const ExprNode*> eager;
    const auto collect = [&](const auto& self, const Expr& e) -> void {
      if (!eager.insert(e.get()).second) return;
      for (std::size_t i = 0; i < e->operands.size(); ++i) {
        if (!is_lazy_operand(e, i)) self(self, e->operands[i]);
      }
    };
    collect(collect, expr);
    std::set<const ExprNode*> seen;
    visit(expr, [&](const Expr& e) {
      if (!seen.insert(e.get()).second) return false;
      const bool is_gather = e->kind == ExprKind::Load && held_.contains(e->name) &&
                             std::any_of(e->operands.begin(), e->operands.end(), reads_memory);
      if (is_gather && !eager.contains(e.get())) {
        fail(e, fmt::format("{} under a condition, at an index from memory that would be read before the "
                            "condition is tested",
                            element_text(e)));
      }
      return true;
    });
  }

  Expr read(Held& held, const Expr& load, const Around& around) {
    std::vector<Expr> indices = load->operands;
    const Expr index = indices[held.spread.dimension];
    const bool is_own =
        held.spread.is_single ? held.spread.is_everywhere : is_own_element(index, lanes_, around.bounds);
    const auto own = [&] {
      return make_load(load.type(), load->name, own_place(held, indices, around.bounds));
    };
    const bool is_update = is_of_store(load);
    held.reads_others = held.reads_others || (is_update && held.spread.is_single);
    if (is_update || (is_own && !held.spread.is_single)) return own();
    for (std::size_t d = 0; d < indices.size(); ++d) {
      if (d == held.spread.dimension || !varies(indices[d], around)) continue;
      if (held.spread.is_single) fail_to_spread(load->name, lanes_);
      fail(load, fmt::format("dimension {} at {}, which differs between work-items; elements are spread "
                             "along dimension {} only",
                             d, tensordsl::to_string(indices[d]), held.spread.dimension));
    }
    if (is_own) return own();
    // A read under a condition may have any index where that does not hold.
    for (std::size_t d = 0; d < indices.size(); ++d) {
      if (d != held.spread.dimension) indices[d] = within(indices[d], held.extents[d], around.bounds);
    }
    const auto at = [&](const Expr& place) {
      indices[held.spread.dimension] = place;
      return make_load(load.type(), load->name, indices);
    };
    const Expr from = simplify(index % lanes_, around.bounds),
               place = simplify(index / lanes_, around.bounds);
    const std::int64_t last = held.extents[held.spread.dimension] - 1;
    if (!varies(place, around))
      return exchange(load, at(within(place, last + 1, around.bounds)), from, around);
    Interval places = bounds_of(place, around.bounds);
    places = {std::clamp<std::int64_t>(places.low, 0, last), std::clamp<std::int64_t>(places.high, 0, last)};
    if (places.high - places.low >= kMaxRegisters) {
      fail(load,
           fmt::format(
               "dimension {} at {}, which may be in any of {} registers of a work-item; the limit is {}",
               held.spread.dimension, tensordsl::to_string(index), places.high - places.low + 1,
               kMaxRegisters));
    }
    Expr value = exchange(load, at(number(places.high)), from, around);
    for (std::int64_t i = places.high; i-- > places.low;) {
      value = make_select(place == number(i), exchange(load, at(number(i)), from, around), value);
    }
    return value;
  }

  /// True if `expr` is the element that the current statement computes, which the work-item itself holds.
  bool is_of_store(const Expr& load) const {
    return storing_->kind == StmtKind::Store && storing_->name == load->name &&
           std::equal(load->operands.begin(), load->operands.end(), storing_->exprs.begin() + 1,
                      tensordsl::same);
  }

  static Expr within(const Expr& index, std::int64_t extent, const Bounds& bounds) {
    const Interval range = bounds_of(index, bounds);
    if (range.low >= 0 && range.high < extent) return index;
    return simplify(min(max(index, 0), number(extent - 1)), bounds);
  }

  static Expr number(std::int64_t value) { return Expr(static_cast<int>(value)); }

  [[noreturn]] static void fail(const Expr& load, const std::string& finding) {
    throw ScheduleError(
        fmt::format("{}.store_in(SubGroup): a consumer reads {}; use store_in(Local)", load->name, finding));
  }

  Expr exchange(const Expr& load, const Expr& value, const Expr& from, const Around& around) {
    const std::string_view operation = varies(from, around) ? "sub_group_shuffle" : "sub_group_broadcast";
    held_.at(load->name).reads_others = true;
    return exchanges_.add(operation, load, value, from);
  }

  int lanes_;
  NameSupply names_;
  std::map<std::string, Held> held_;
  SubGroupExchanges exchanges_{names_};
  Stmt storing_;  // the current statement
};

bool holds_any(const Stmt& stmt) {
  bool found = false;
  visit(stmt, [&](const Stmt& s) {
    found = found || (s->kind == StmtKind::Allocate && s->memory == Memory::SubGroup);
    return !found;
  });
  return found;
}

}  // namespace

Stmt lower_sub_group_storage(const Stmt& stmt, const Bounds& work_items) {
  if (!holds_any(stmt)) return stmt;
  Around around;
  around.bounds = work_items;
  return LaneHolder(static_cast<int>(work_items.at(kThreadNames[0]).high) + 1, stmt).run(stmt, around);
}

}  // namespace tensordsl::lower
