// Which values an index may take, with ends that are expressions over whatever is free.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/linear_form.h"

namespace tensordsl::lower {

/// Symbolic ends, both included; undefined where there is no bound.
struct SymbolicInterval {
  Expr low, high;
  bool bounded() const { return low.defined() && high.defined(); }
};

SymbolicInterval hull(const SymbolicInterval& a, const SymbolicInterval& b);

/// The ranges of the variables in scope, outermost first. The ends of one may be over those before it, so
/// that what they have in common cancels: x in [xo*4, min(xo*4 + 4, 10)) has x - xo*4 in [0, 4). A variable
/// without a range is free and stays in the result.
class IndexRanges {
 public:
  /// What is taken of a free variable that an index is multiplied with: that it is not negative, as an extent
  /// is, which keeps the ends short, or nothing.
  enum class Factors { NotNegative, Any };

  IndexRanges() = default;
  explicit IndexRanges(Factors factors) : factors_(factors) {}

  /// Another variable, inside the others.
  IndexRanges with(const std::string& variable, SymbolicInterval range) const;
  /// Narrowed to where `condition` has the value `truth`, as far as its comparisons are linear; empty if
  /// nowhere.
  std::optional<IndexRanges> assuming(const Expr& condition, bool truth) const;
  /// The range of an index, simplified.
  SymbolicInterval interval(const Expr& index) const;
  /// Over free variables: no variable's range is empty, and the facts of free variables hold. Undefined if
  /// that is known.
  Expr where_not_empty() const;

 private:
  struct Variable {
    std::string name;
    SymbolicInterval range;  // over the variables before it
    SymbolicInterval whole;  // over free variables only
  };
  /// What a condition says of a sum: it is at least `low`.
  struct Fact {
    ir::LinearForm sum;
    Expr low;
  };

  bool assume(const Expr& condition, bool truth);
  bool assume_not_negative(const Expr& e);
  void assume_of_quotient(const ir::LinearForm& not_negative);
  void narrow(std::size_t variable, const ir::LinearForm& not_negative, std::int64_t coefficient);
  const SymbolicInterval* whole_range(const std::string& name) const;
  bool is_free(const Expr& e) const;
  /// Without the variables from number `first` on. `on_the_way` sees the ends after each of them.
  SymbolicInterval eliminate(const Expr& e, std::size_t first,
                             const std::function<void(const SymbolicInterval&)>& on_the_way = nullptr) const;
  /// What the facts alone say of an index.
  SymbolicInterval known(const Expr& index) const;

  Factors factors_ = Factors::NotNegative;
  std::vector<Variable> variables_;
  std::vector<Fact> facts_;
};

}  // namespace tensordsl::lower
