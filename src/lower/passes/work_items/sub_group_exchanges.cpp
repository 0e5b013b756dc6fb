#include "lower/passes/work_items/sub_group_exchanges.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "ir/text/print.h"
#include "lower/analyze/stores.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

bool is_vectorized(const StmtNode& s) { return s.kind == StmtKind::For && s.loop == LoopKind::Vectorized; }

Expr cast_if_other(Type type, const Expr& e) { return e.type() == type ? e : make_cast(type, e); }

}  // namespace

void SubGroupExchanges::enter(const Stmt& stmt, bool varies) {
  places_.push_back({stmt, is_vectorized(*stmt) || varies});
}

Stmt SubGroupExchanges::leave(const Stmt& result) {
  const std::vector<Exchange> exchanges = std::move(places_.back().exchanges);
  places_.pop_back();
  if (exchanges.empty()) return result;
  std::vector<Stmt> all;
  for (const Exchange& x : exchanges) all.push_back(make_store(x.name, x.operation, {Expr(0)}));
  all.push_back(result);
  Stmt behind = make_block(std::move(all));
  for (const Exchange& x : exchanges)
    behind = make_allocate(x.name, x.operation.type(), {Expr(1)}, Memory::Private, behind);
  return behind;
}

const StmtNode* SubGroupExchanges::vectorized_loop() const {
  const auto loop =
      std::ranges::find_if(places_, [](const Place& place) { return is_vectorized(*place.stmt); });
  return loop == places_.end() ? nullptr : &*loop->stmt;
}

bool SubGroupExchanges::is_vectorized_over(const Expr& index) const {
  return std::ranges::any_of(places_, [&](const Place& place) {
    return is_vectorized(*place.stmt) && uses_var(index, place.stmt->name);
  });
}

Expr SubGroupExchanges::add(std::string_view operation, const Expr& load, const Expr& value,
                            const Expr& from) {
  // Sub-groups exchange these types, which hold all values of the others.
  const Type carried = load.type().is_float() ? Float(32) : load.type() == Int(64) ? Int(64) : Int(32);
  const Expr handed = make_intrinsic(carried, std::string(operation), {cast_if_other(carried, value), from});
  auto& exchanges = place_for(load, value, from).exchanges;
  auto it = std::ranges::find_if(exchanges,
                                 [&](const Exchange& x) { return tensordsl::same(x.operation, handed); });
  if (it == exchanges.end()) it = exchanges.insert(it, {names_.numbered(load->name), handed});
  arrays_.insert(it->name);
  return cast_if_other(load.type(), make_load(carried, it->name, {Expr(0)}));
}

/// Returns the statement before which the element is exchanged.
SubGroupExchanges::Place& SubGroupExchanges::place_for(const Expr& load, const Expr& value,
                                                       const Expr& from) {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].is_wanted && is_known_before(i, value, from)) return places_[i];
    if (is_vectorized(*places_[i].stmt)) {
      throw ScheduleError(
          fmt::format("{}.store_in(SubGroup): it is read at {} in the vectorized loop \"{}\", but work-items "
                      "exchange scalars before such a loop; unroll the loop, or vectorize one that neither "
                      "computes nor selects the element",
                      load->name, element_text(load), places_[i].stmt->name));
    }
  }
  return places_.back();
}

/// True if the element can be exchanged before a statement around the read, even where the read is not
/// reached.
bool SubGroupExchanges::is_known_before(std::size_t place, const Expr& value, const Expr& from) const {
  bool result = !reads_memory(from) && std::ranges::none_of(value->operands, reads_memory);
  for (std::size_t i = place; i < places_.size(); ++i) {
    const StmtNode& s = *places_[i].stmt;
    result = result && !(s.kind == StmtKind::For && (uses_var(value, s.name) || uses_var(from, s.name)));
  }
  return result && !stores_to(places_[place].stmt, value->name);
}

std::string element_text(const Expr& load) {
  std::vector<std::string> indices;
  for (const Expr& index : load->operands) indices.push_back(tensordsl::to_string(index));
  return fmt::format("{}[{}]", load->name, fmt::join(indices, ", "));
}

}  // namespace tensordsl::lower
