// Ranges of indices, with bounds that are expressions over the free variables: lowering and the interpreter
// derive from them the elements that a definition reads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/analyze/symbolic_interval.h"
#include "ir/nodes/linear_form.h"
#include "ir/simplify/shared_simplifier.h"

namespace tensordsl::ir {

/// Tells whether memory that a condition read is unchanged where the condition is used.
enum class MemoryState { Stays, MayChange };

/// True if a bound has too many minima and maxima to be useful. It would grow with every condition that is
/// used.
bool is_long_end(const Expr& end);

/// Chooses between two bounds that both hold. The tighter one is often longer, and the bounds of a tile have
/// to cancel.
enum class Ends {
  Short,    // the bound by one variable after the other, unless the other is known to be tighter everywhere
  Tighter,  // the one that is known to say no less
  Both,     // as Short, but both bounds where they cannot be compared
};

/// The ranges of the variables in scope, outermost first. The bounds of one may use those before it, so that
/// common terms cancel: x in [xo*4, min(xo*4 + 4, 10)) has x - xo*4 in [0, 4). A variable without a range is
/// free and stays in the result.
class IndexRanges {
 public:
  IndexRanges() = default;
  explicit IndexRanges(Factors factors)
      : factors_(factors), ends_(factors == Factors::Any ? Ends::Both : Ends::Short) {}
  explicit IndexRanges(Ends ends) : ends_(ends) {}

  /// Returns the ranges with another variable, inside the others.
  IndexRanges with(const std::string& variable, SymbolicInterval range) const;
  /// Returns the ranges narrowed by `condition` having the value `truth`, using the comparisons that are
  /// linear in variables, loads, quotients and the like; nothing if it has that value nowhere. Factors and
  /// divisors in a condition may have any sign, whatever `factors` says.
  std::optional<IndexRanges> assuming(const Expr& condition, bool truth,
                                      MemoryState memory = MemoryState::Stays) const;
  /// Returns the range of an index, simplified. A side of a select counts only where its condition chooses
  /// it.
  SymbolicInterval interval(const Expr& index) const;
  /// Returns the interval of an index that is simplified already.
  SymbolicInterval interval_of_simplified(const Expr& index) const;
  /// Returns the condition, over free variables, that no variable's range is empty and the facts of free
  /// variables hold. Undefined if that is known.
  Expr where_not_empty() const;

 private:
  struct Variable {
    std::string name;
    SymbolicInterval range;  // over the variables before it
    SymbolicInterval whole;  // over free variables only
  };
  /// Range that conditions give a term that is not a sum: in[x], x % 4.
  struct KnownTerm {
    Expr term;
    SymbolicInterval range;  // over free variables only
  };
  /// Inequality that a condition gives a sum.
  struct Fact {
    LinearForm not_negative;
    LinearForm ranged;  // its terms that are not free; all of them if all are free
  };
  using OnTheWay = std::function<void(const SymbolicInterval&)>;
  /// Cache of the intervals of indices. A copy of the IndexRanges is made to add knowledge, so it begins with
  /// none.
  struct KnownIntervals {
    std::unordered_map<Expr, SymbolicInterval, ExprHash, ExprSame> of;
    KnownIntervals() = default;
    KnownIntervals(const KnownIntervals&) {}
    KnownIntervals& operator=(const KnownIntervals&) {
      of.clear();
      return *this;
    }
  };

  // index_ranges_assume.cpp
  bool assume(const Expr& condition, bool truth);
  bool assume_comparison(const Expr& condition, bool truth);
  bool assume_either(const Expr& first, const Expr& second, bool truth);
  bool assume_not_negative(const Expr& e);
  bool assume_not_zero(const Expr& e);
  void assume_of_quotient(const LinearForm& not_negative);
  void add_fact(const LinearForm& not_negative);
  void narrow(std::size_t variable, const LinearForm& not_negative, std::int64_t coefficient);
  void narrow_term(const Expr& term, const SymbolicInterval& range);
  bool is_free(const Expr& e) const;

  // index_ranges.cpp
  const SymbolicInterval* whole_range(const std::string& name) const;
  const SymbolicInterval* known_term(const Expr& term) const;
  /// Returns the evaluation over the variables that `variable` knows.
  IntervalEvaluation evaluation(std::function<const SymbolicInterval*(const std::string&)> variable) const;
  /// Returns the interval without the variables from number `first` on. `on_the_way` is called with the
  /// bounds after each of them.
  SymbolicInterval eliminate(const Expr& e, std::size_t first, const OnTheWay& on_the_way = nullptr) const;
  /// Returns the one of two valid bounds that `ends_` asks for; `end` is the bound found variable by
  /// variable.
  Expr tighter(const Expr& end, const Expr& other, bool is_low) const;
  /// Returns the interval computed for each case of the selects in the index.
  SymbolicInterval interval_of_cases(const Expr& index, int& cases) const;
  /// Returns bounds without any variable. `depth` limits the nesting of minima, remainders and the like whose
  /// operands are examined.
  SymbolicInterval ends(const Expr& index, int depth = 3) const;
  /// Adds the ranges of the index's non-variable terms (loads, min, mod), derived from their operands'
  /// ranges.
  std::optional<IndexRanges> with_terms_of(const Expr& index, int depth) const;
  /// Returns the interval that a single fact gives an index that has all of the fact's terms.
  SymbolicInterval known(const Expr& index) const;

  // index_ranges_system.cpp
  /// Returns the bounds that facts and ranges imply together, beyond `so_far`.
  SymbolicInterval ends_by_system(const Expr& index, const SymbolicInterval& so_far) const;
  std::vector<LinearForm> meaning_of(const Expr& atom) const;

  /// Simplifies an expression; an undefined one stays undefined.
  Expr simplified(const Expr& e) const { return e.defined() ? simplify(e) : e; }
  Expr simplify(const Expr& e) const { return simplifier_.simplify(e); }
  bool can_prove(const Expr& condition) const { return simplifier_.can_prove(condition); }

  SharedSimplifier simplifier_;
  Factors factors_ = Factors::NotNegative;
  Ends ends_ = Ends::Short;
  MemoryState memory_ = MemoryState::Stays;
  std::vector<Variable> variables_;
  std::vector<KnownTerm> terms_;
  std::vector<Fact> facts_;
  mutable KnownIntervals intervals_;
};

}  // namespace tensordsl::ir
