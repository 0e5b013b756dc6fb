#include "lower/passes/hold_in_lanes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "ir/print.h"
#include "ir/simplifier.h"
#include "ir/simplify.h"
#include "ir/sub_groups.h"
#include "lower/passes/map_work_items.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// In how many registers what is read may be, where that depends on the work-item: each is handed over.
constexpr std::int64_t kMostRegisters = 4;

/// A tensor that the work-items hold.
struct Held {
  std::size_t dimension;                  // of which work-item i holds the elements i, i + lanes, ...
  std::optional<std::int64_t> registers;  // extent of that dimension for each work-item, if it is constant
  bool is_guessed = false;                // registers are handed over of which only some are asked for
};

/// What is handed over in front of a statement.
struct Exchange {
  std::string name;
  Expr operation;
};

/// The loops around a statement.
struct Around {
  Bounds bounds;
  std::set<std::string> varying{kThreadNames[0]};  // names whose values differ between the work-items of a sub-group
  std::string vectorized;                          // the outermost vectorized loop
  std::set<std::string> in_vectorized;             // it and the loops in it
};

bool uses_any(const Expr& expr, const std::set<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return uses_var(expr, name); });
}

class LaneHolder {
 public:
  explicit LaneHolder(int lanes) : lanes_(lanes) {}

  Stmt run(const Stmt& stmt, const Around& around) {
    if (stmt->kind == StmtKind::Allocate && stmt->memory == Memory::SubGroup) return allocation(stmt, around);
    const auto it = stmt->kind == StmtKind::Store ? held_.find(stmt->name) : held_.end();
    if (it == held_.end()) return with_exchanges(stmt, around);
    return with_exchanges(make_store(stmt->name, stmt->exprs[0], own_place(it->second, stmt, around.bounds)), around);
  }

 private:
  /// `stmt` with what it reads handed over in front of it; within a vectorized loop that is left to the loop.
  Stmt with_exchanges(const Stmt& stmt, const Around& around) {
    if (!around.vectorized.empty()) return with_reads(stmt, around);
    const std::size_t before = pending_.size(), outer = std::exchange(shared_from_, before);
    const Stmt result = stmt->kind == StmtKind::For ? loop(stmt, around) : with_reads(stmt, around);
    shared_from_ = outer;
    return with_pending(result, before);
  }

  Stmt with_reads(const Stmt& stmt, const Around& around) {
    if (stmt->kind == StmtKind::For) return loop(stmt, around);
    return map_children(
        stmt, [&](const Expr& e) { return handed_over(e, around); }, [&](const Stmt& child) { return run(child, around); });
  }

  Stmt loop(const Stmt& stmt, Around around) {
    const Expr min = handed_over(stmt->exprs[0], around), extent = handed_over(stmt->exprs[1], around);
    if (around.vectorized.empty() && stmt->loop == LoopKind::Vectorized) around.vectorized = stmt->name;
    if (!around.vectorized.empty()) around.in_vectorized.insert(stmt->name);
    if (varies(min, around) || varies(extent, around)) around.varying.insert(stmt->name);
    around.bounds[stmt->name] = range_of_loop(min, extent, around.bounds);
    return make_for(stmt->name, min, extent, stmt->loop, run(stmt->body[0], around));
  }

  static Interval range_of_loop(const Expr& min, const Expr& extent, const Bounds& bounds) {
    return {bounds_of(min, bounds).low, bounds_of(simplify(min + extent - 1), bounds).high};
  }

  Stmt allocation(const Stmt& stmt, const Around& around) {
    if (!is_sub_group_type(stmt->type)) {
      throw ScheduleError(fmt::format("{}.store_in(SubGroup): sub-groups hand over f32, i32 and i64, and it holds {}; use a Func of one of "
                                      "these, or store_in(Local)",
                                      stmt->name, tensordsl::to_string(stmt->type)));
    }
    std::vector<Expr> extents = stmt->exprs;
    Held held{spread_dimension(*stmt, around), {}};
    Expr& extent = extents[held.dimension];
    extent = simplify((extent + (lanes_ - 1)) / lanes_, around.bounds);
    if (const std::int64_t* registers = as_int(extent)) held.registers = *registers;
    held_[stmt->name] = held;
    Stmt body = run(stmt->body[0], around);
    // A register that nobody asks for may not have been computed.
    if (held_.at(stmt->name).is_guessed) body = make_block({zeros(*stmt, extents), body});
    held_.erase(stmt->name);
    return make_allocate(stmt->name, stmt->type, extents, Memory::Private, body);
  }

  static Stmt zeros(const StmtNode& allocation, const std::vector<Expr>& extents) {
    std::vector<Expr> indices;
    for (std::size_t d = 0; d < extents.size(); ++d) indices.push_back(make_var(fmt::format("{}.zero{}", allocation.name, d)));
    Stmt stmt = make_store(allocation.name, make_zero(allocation.type), indices);
    for (std::size_t d = extents.size(); d-- > 0;) stmt = make_for(indices[d]->name, Expr(0), extents[d], LoopKind::Unrolled, stmt);
    return stmt;
  }

  /// The first work-item computes what there is one of.
  static bool is_at_first(const StmtNode& allocation) {
    bool result = true;
    visit(allocation.body[0], [&](const Stmt& s) {
      if (s->kind != StmtKind::Store || s->name != allocation.name) return result;
      for (std::size_t d = 1; d < s->exprs.size(); ++d) result = result && !uses_var(s->exprs[d], kThreadNames[0]);
      return result;
    });
    return result;
  }

  /// The dimension along which all stores spread the tensor.
  std::size_t spread_dimension(const StmtNode& allocation, const Around& around) const {
    std::vector<bool> is_spread(allocation.exprs.size(), true);
    find_spread(allocation.body[0], allocation.name, around.bounds, is_spread);
    const auto it = std::find(is_spread.begin(), is_spread.end(), true);
    if (it != is_spread.end()) return static_cast<std::size_t>(it - is_spread.begin());
    const auto& extents = allocation.exprs;
    const auto single = std::find_if(extents.begin(), extents.end(), [](const Expr& e) { return is_const(e, 1); });
    if (single != extents.end() && is_at_first(allocation)) return static_cast<std::size_t>(single - extents.begin());
    throw ScheduleError(fmt::format("{0}.store_in(SubGroup): work-item i of the sub-group is to hold the elements i, i + {1}, ... of one "
                                    "dimension, but its loops compute them elsewhere; split a dimension of {0} by {1}, and give the inner "
                                    "loop to gpu_threads",
                                    allocation.name, lanes_));
  }

  void find_spread(const Stmt& stmt, const std::string& tensor, Bounds bounds, std::vector<bool>& is_spread) const {
    if (stmt->kind == StmtKind::For) {
      bounds[stmt->name] = range_of_loop(stmt->exprs[0], stmt->exprs[1], bounds);
    }
    if (stmt->kind == StmtKind::Store && stmt->name == tensor) {
      for (std::size_t d = 0; d < is_spread.size(); ++d) is_spread[d] = is_spread[d] && is_own(stmt->exprs[d + 1], bounds);
    }
    for (const Stmt& s : stmt->body) find_spread(s, tensor, bounds, is_spread);
  }

  Expr lane() const { return make_var(kThreadNames[0]); }

  /// Whether the work-item holds the element itself.
  bool is_own(const Expr& index, const Bounds& bounds) const {
    return is_const(simplify((index - lane()) % lanes_, bounds), 0);
  }

  std::vector<Expr> own_place(const Held& held, const Stmt& store, const Bounds& bounds) const {
    std::vector<Expr> indices(store->exprs.begin() + 1, store->exprs.end());
    Expr& index = indices[held.dimension];
    index = is_own(index, bounds) ? simplify((index - lane()) / lanes_, bounds) : Expr(0);
    return indices;
  }

  static bool varies(const Expr& expr, const Around& around) { return reads_memory(expr) || uses_any(expr, around.varying); }

  Expr handed_over(const Expr& expr, const Around& around) {
    return rewrite(expr, [&](const Expr& e) {
      const auto it = e->kind == ExprKind::Load ? held_.find(e->name) : held_.end();
      return it == held_.end() ? e : read(it->second, e, around);
    });
  }

  Expr read(Held& held, const Expr& load, const Around& around) {
    std::vector<Expr> indices = load->operands;
    const Expr index = indices[held.dimension];
    const auto at = [&](const Expr& place) {
      indices[held.dimension] = place;
      return make_load(load.type(), load->name, indices);
    };
    if (is_own(index, around.bounds)) return at(simplify((index - lane()) / lanes_, around.bounds));
    for (std::size_t d = 0; d < indices.size(); ++d) {
      if (d == held.dimension || !varies(indices[d], around)) continue;
      fail(load, fmt::format("dimension {} at {}, which differs between work-items; they are spread along dimension {} alone", d,
                             tensordsl::to_string(indices[d]), held.dimension));
    }
    const Expr from = simplify(index % lanes_, around.bounds), place = simplify(index / lanes_, around.bounds);
    if (!varies(place, around)) return exchange(load, at(place), from, around);
    Interval places = bounds_of(place, around.bounds);
    places = {std::max<std::int64_t>(places.low, 0), std::min(places.high, held.registers.value_or(places.high) - 1)};
    if (places.high < places.low) return make_zero(load.type());
    if (places.high - places.low >= kMostRegisters) {
      fail(load, fmt::format("dimension {} at {}, which may be in any of {} registers of a work-item; at most {} can be tried", held.dimension,
                             tensordsl::to_string(index), places.high - places.low + 1, kMostRegisters));
    }
    held.is_guessed = held.is_guessed || places.low < places.high;
    Expr value = exchange(load, at(number(places.high)), from, around);
    for (std::int64_t i = places.high; i-- > places.low;) {
      value = make_select(place == number(i), exchange(load, at(number(i)), from, around), value);
    }
    return value;
  }

  static Expr number(std::int64_t value) { return Expr(static_cast<int>(value)); }

  static std::string element(const Expr& load) {
    std::vector<std::string> indices;
    for (const Expr& index : load->operands) indices.push_back(tensordsl::to_string(index));
    return fmt::format("{}[{}]", load->name, fmt::join(indices, ", "));
  }

  [[noreturn]] static void fail(const Expr& load, const std::string& finding) {
    throw ScheduleError(fmt::format("{}.store_in(SubGroup): a consumer reads {}; use store_in(Local)", load->name, finding));
  }

  Expr exchange(const Expr& load, const Expr& value, const Expr& from, const Around& around) {
    if (uses_any(value, around.in_vectorized) || uses_any(from, around.in_vectorized)) {
      throw ScheduleError(fmt::format("{}.store_in(SubGroup): it is read at {} in the vectorized loop \"{}\", and work-items hand over "
                                      "scalars; unroll that loop, or vectorize one that does not choose the element",
                                      load->name, element(load), around.vectorized));
    }
    const std::string_view operation = varies(from, around) ? "sub_group_shuffle" : "sub_group_broadcast";
    const Expr handed = make_intrinsic(load.type(), std::string(operation), {value, from});
    auto it = std::find_if(pending_.begin() + static_cast<std::ptrdiff_t>(shared_from_), pending_.end(), [&](const Exchange& x) { return tensordsl::same(x.operation, handed); });
    if (it == pending_.end()) it = pending_.insert(it, {fmt::format("{}.{}", load->name, next_++), handed});
    return make_load(load.type(), it->name, {Expr(0)});
  }

  /// `stmt` behind the exchanges that wait for their place, but for the first ones.
  Stmt with_pending(Stmt stmt, std::size_t first) {
    if (pending_.size() == first) return stmt;
    std::vector<Stmt> all;
    for (std::size_t i = first; i < pending_.size(); ++i) check_is_final((*pending_[i].operation)[0], stmt);
    for (std::size_t i = first; i < pending_.size(); ++i) all.push_back(make_store(pending_[i].name, pending_[i].operation, {Expr(0)}));
    all.push_back(std::move(stmt));
    Stmt result = make_block(std::move(all));
    for (std::size_t i = first; i < pending_.size(); ++i) {
      result = make_allocate(pending_[i].name, pending_[i].operation.type(), {Expr(1)}, Memory::Private, result);
    }
    pending_.resize(first);
    return result;
  }

  /// What is handed over in front of a loop may not be computed in it.
  static void check_is_final(const Expr& load, const Stmt& stmt) {
    if (stmt->kind != StmtKind::For) return;
    visit(stmt, [&](const Stmt& s) {
      if (s->kind == StmtKind::Store && s->name == load->name) {
        fail(load, fmt::format("what the same vectorized loop \"{}\" computes", stmt->name));
      }
      return true;
    });
  }

  int lanes_;
  int next_ = 0;
  std::size_t shared_from_ = 0;  // the first pending exchange that the statement at hand may share
  std::map<std::string, Held> held_;
  std::vector<Exchange> pending_;
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

Stmt hold_in_lanes(const Stmt& stmt, int lanes) {
  if (!holds_any(stmt)) return stmt;
  Around around;
  around.bounds[kThreadNames[0]] = {0, lanes - 1};
  return LaneHolder(lanes).run(stmt, around);
}

}  // namespace tensordsl::lower
