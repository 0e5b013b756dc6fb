// out[..] = t[k] of another work-item   ->   t.0[0] = sub_group_broadcast(t[0], k)  out[..] = t.0[0]
// Needs: the statements of a kernel, each entered and left.  Gives: the statements, each after the exchanges
// that it needs.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ir/nodes/stmt.h"
#include "lower/name_supply.h"

namespace tensordsl::lower {

/// Exchanges elements between the work-items of a sub-group, each before a statement around the one that
/// reads it: outside vectorized loops, and of tests that keep work-items away where the element is known
/// before.
class SubGroupExchanges {
 public:
  /// Collects exchanges; `names` must outlive it.
  explicit SubGroupExchanges(NameSupply& names) : names_(names) {}

  /// Goes into a statement. `varies`: it is a test that keeps some work-items away.
  void enter(const ir::Stmt& stmt, bool varies);
  /// Leaves a statement. Returns its replacement, after the exchanges that it needs.
  ir::Stmt leave(const ir::Stmt& result);

  /// Returns the outermost vectorized loop around the current statement; null if there is none.
  const ir::StmtNode* vectorized_loop() const;
  /// True if the current statement is in a vectorized loop over the index.
  bool is_vectorized_over(const Expr& index) const;

  /// Exchanges `value`, the register of work-item `from` that holds the element that `load` reads, by a
  /// sub-group operation. Returns the replacement of `load`. Throws ScheduleError if a vectorized loop
  /// computes or chooses the element.
  Expr add(std::string_view operation, const Expr& load, const Expr& value, const Expr& from);
  /// True for an array of an exchanged element.
  bool has(const std::string& array) const { return arrays_.contains(array); }

 private:
  struct Exchange {
    std::string name;
    Expr operation;
  };
  /// A statement around the current one, with the exchanges before it.
  struct Place {
    ir::Stmt stmt;
    bool is_wanted;  // exchanges are better before it
    std::vector<Exchange> exchanges{};
  };

  Place& place_for(const Expr& load, const Expr& value, const Expr& from);
  bool is_known_before(std::size_t place, const Expr& value, const Expr& from) const;

  NameSupply& names_;
  std::set<std::string> arrays_;
  std::vector<Place> places_;  // the outermost first
};

/// Returns the text of the element that a Load reads: "t[x, 3]".
std::string element_text(const Expr& load);

}  // namespace tensordsl::lower
