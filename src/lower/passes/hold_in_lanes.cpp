#include "lower/passes/hold_in_lanes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/index_limit.h"
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
  std::size_t dimension;      // of which work-item i holds the elements i, i + lanes, ...
  std::vector<Expr> extents;  // for each work-item
  bool is_guessed = false;    // registers are handed over of which only some are asked for
};

struct Exchange {
  std::string name;
  Expr operation;
};

/// A statement around the one at hand, with what is handed over in front of it.
struct Place {
  Stmt stmt;
  bool is_wanted;  // what is read in it is better handed over in front of it: a vectorized loop, a test that keeps work-items away
  std::vector<Exchange> exchanges{};
};

/// The loops around a statement.
struct Around {
  Bounds bounds;
  std::set<std::string> varying{kThreadNames[0]};  // names whose values differ between the work-items of a sub-group
};

bool uses_any(const Expr& expr, const std::set<std::string>& names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return uses_var(expr, name); });
}

class LaneHolder {
 public:
  explicit LaneHolder(int lanes) : lanes_(lanes) {}

  Stmt run(const Stmt& stmt, const Around& around) {
    if (stmt->kind == StmtKind::Allocate && stmt->memory == Memory::SubGroup) return allocation(stmt, around);
    places_.push_back({stmt, is_vectorized(*stmt) || (stmt->kind == StmtKind::If && varies(stmt->exprs[0], around))});
    const Stmt result = with_reads(with_own_store(stmt, around.bounds), around);
    const std::vector<Exchange> exchanges = std::move(places_.back().exchanges);
    places_.pop_back();
    return behind(exchanges, result);
  }

 private:
  static bool is_vectorized(const StmtNode& s) { return s.kind == StmtKind::For && s.loop == LoopKind::Vectorized; }

  Stmt with_own_store(const Stmt& stmt, const Bounds& bounds) const {
    const auto it = stmt->kind == StmtKind::Store ? held_.find(stmt->name) : held_.end();
    return it == held_.end() ? stmt : make_store(stmt->name, stmt->exprs[0], own_place(it->second, stmt, bounds));
  }

  Stmt with_reads(const Stmt& stmt, const Around& around) {
    if (stmt->kind == StmtKind::For) return loop(stmt, around);
    return map_children(
        stmt, [&](const Expr& e) { return handed_over(e, around); }, [&](const Stmt& child) { return run(child, around); });
  }

  Stmt loop(const Stmt& stmt, Around around) {
    const Expr min = handed_over(stmt->exprs[0], around), extent = handed_over(stmt->exprs[1], around);
    if (varies(min, around) || varies(extent, around)) around.varying.insert(stmt->name);
    around.bounds[stmt->name] = range_of_loop(min, extent, around.bounds);
    return make_for(stmt->name, min, extent, stmt->loop, run(stmt->body[0], around));
  }

  static Interval range_of_loop(const Expr& min, const Expr& extent, const Bounds& bounds) {
    return {bounds_of(min, bounds).low, bounds_of(simplify(min + extent - 1), bounds).high};
  }

  Stmt allocation(const Stmt& stmt, const Around& around) {
    std::vector<Expr> extents = stmt->exprs;
    const std::size_t dimension = spread_dimension(*stmt, around);
    extents[dimension] = simplify((extents[dimension] + (lanes_ - 1)) / lanes_, around.bounds);
    for (Expr& extent : extents) {
      // A tile at an edge may be smaller than the others.
      if (const std::int64_t most = bounds_of(extent, around.bounds).high; most < kMostElements) extent = number(most);
    }
    held_[stmt->name] = {dimension, extents};
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
    const std::int64_t* registers = as_int(held.extents[held.dimension]);
    places = {std::max<std::int64_t>(places.low, 0), registers ? std::min(places.high, *registers - 1) : places.high};
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
    const std::string_view operation = varies(from, around) ? "sub_group_shuffle" : "sub_group_broadcast";
    // Sub-groups hand over these types; they hold all values of the others.
    const Type carried = load.type().is_float() ? Float(32) : load.type() == Int(64) ? Int(64) : Int(32);
    const Expr handed = make_intrinsic(carried, std::string(operation), {cast(carried, value), from});
    auto& exchanges = place_for(load, value, from, around).exchanges;
    auto it = std::find_if(exchanges.begin(), exchanges.end(), [&](const Exchange& x) { return tensordsl::same(x.operation, handed); });
    if (it == exchanges.end()) it = exchanges.insert(it, {fmt::format("{}.{}", load->name, next_++), handed});
    return cast(load.type(), make_load(carried, it->name, {Expr(0)}));
  }

  /// The statement in front of which the element is handed over.
  Place& place_for(const Expr& load, const Expr& value, const Expr& from, const Around& around) {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (places_[i].is_wanted && is_known_before(i, value, from, around.bounds)) {
        Held& held = held_.at(load->name);
        held.is_guessed = held.is_guessed || places_[i].stmt->kind == StmtKind::If;
        return places_[i];
      }
      if (is_vectorized(*places_[i].stmt)) {
        throw ScheduleError(fmt::format("{}.store_in(SubGroup): it is read at {} in the vectorized loop \"{}\", and work-items hand over scalars, "
                                        "before such a loop; unroll it, or vectorize one that neither computes nor chooses the element",
                                        load->name, element(load), places_[i].stmt->name));
      }
    }
    return places_.back();
  }

  /// Whether the element can be handed over in front of a statement around the read, even where that does not come to the read.
  bool is_known_before(std::size_t place, const Expr& value, const Expr& from, const Bounds& bounds) const {
    bool result = !reads_memory(from);
    for (std::size_t d = 0; d < value->operands.size(); ++d) {
      const Expr& index = (*value)[d];
      const std::int64_t* extent = as_int(held_.at(value->name).extents[d]);
      const Interval range = bounds_of(index, bounds);
      result = result && !reads_memory(index) && extent && range.low >= 0 && range.high < *extent;
    }
    for (std::size_t i = place; i < places_.size(); ++i) {
      const StmtNode& s = *places_[i].stmt;
      result = result && !(s.kind == StmtKind::For && (uses_var(value, s.name) || uses_var(from, s.name)));
    }
    visit(places_[place].stmt, [&](const Stmt& s) {
      result = result && !(s->kind == StmtKind::Store && s->name == value->name);
      return result;
    });
    return result;
  }

  static Expr cast(Type type, const Expr& e) { return e.type() == type ? e : make_cast(type, e); }

  static Stmt behind(const std::vector<Exchange>& exchanges, const Stmt& stmt) {
    std::vector<Stmt> all;
    for (const Exchange& x : exchanges) all.push_back(make_store(x.name, x.operation, {Expr(0)}));
    all.push_back(stmt);
    Stmt result = exchanges.empty() ? stmt : make_block(std::move(all));
    for (const Exchange& x : exchanges) result = make_allocate(x.name, x.operation.type(), {Expr(1)}, Memory::Private, result);
    return result;
  }

  int lanes_;
  int next_ = 0;
  std::map<std::string, Held> held_;
  std::vector<Place> places_;  // around the statement at hand, outermost first
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
  for (const char* block : kBlockNames) around.bounds[block] = {0, INT32_MAX};
  around.bounds[kThreadNames[0]] = {0, lanes - 1};
  return LaneHolder(lanes).run(stmt, around);
}

}  // namespace tensordsl::lower
