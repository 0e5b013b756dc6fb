// Implements simplify.h: one bottom-up pass with memoization, and a scope of known facts.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/nodes/interval.h"
#include "ir/nodes/linear_form.h"
#include "ir/simplify/congruence.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::ir {

/// Returns the distinct operands a, b, c of a && b && c, with any parentheses; only `expr` if it is not an
/// operation of that kind. Needs: an idempotent operator, since duplicates are dropped.
std::vector<Expr> operands_of_chain(const Expr& expr, ExprKind kind);

/// True for the intrinsic "bitwise_xor".
bool is_xor(const ExprNode& e);

/// True for "shift_left" or "shift_right" by 0.
bool shifts_by_nothing(const ExprNode& e);
/// Simplifies reinterpret(reinterpret(x))  ->  the bits of x, or x itself
Expr of_same_bits(const Expr& expr);

/// True if a later evaluation may give another value, because memory has changed.
bool reads_memory(const Expr& expr);

class Simplifier {
 public:
  /// Limits the nesting of sides of selects and parts of conjunctions that are simplified with facts of their
  /// own. Shared sub-expressions are simplified in each of them, so without a limit heavily shared ones would
  /// take exponential time.
  static constexpr int kMaxNestedBranches = 16;

  /// Makes a simplifier over `bounds`, which must outlive it.
  explicit Simplifier(const Bounds& bounds, int max_nested_branches = kMaxNestedBranches)
      : given_(bounds), max_nested_branches_(max_nested_branches) {}

  Expr simplify(const Expr& expr);

  // Returns the range, or the congruence, of a simplified integer expression.
  Interval bounds(const Expr& expr);
  Interval bounds(const LinearForm& form);
  Congruence congruence(const Expr& expr);
  Congruence congruence(const LinearForm& form);
  /// True only if form >= 0 here: by constant bounds, by facts, by the meaning of min, max, select and `/`.
  bool proves(const LinearForm& form);
  /// True if the simplified integer is known to be at least 0, a vector in every lane.
  bool proves_not_negative(const Expr& expr);

  /// Scope of facts: those that are learnt while it lives are forgotten when it ends.
  class Scope {
   public:
    explicit Scope(Simplifier& simplifier);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    friend class Simplifier;
    Simplifier& simplifier_;
    struct Saved;
    std::unique_ptr<Saved> saved_;
  };

  /// A Scope for a side of a select, or for the parts of a conjunction. Results that were simplified outside
  /// of it hold inside as well.
  class Branch {
   public:
    explicit Branch(Simplifier& simplifier);
    ~Branch();
    Branch(const Branch&) = delete;
    Branch& operator=(const Branch&) = delete;

    /// Returns the simplified form outside of branches; undefined if it was not simplified there.
    Expr simplified_outside(const Expr& expr) const;

   private:
    Simplifier& simplifier_;
    const Branch* outer_;
    Scope scope_;
  };

  // These add to the innermost Scope.
  void set_bounds(const std::string& name, Interval interval);
  /// Replaces `name` by `value`, which must not use it.
  void replace(const std::string& name, const Expr& value);
  /// Declares `name` as an immutable name of the simplified `value`.
  void define(const std::string& name, const Expr& value);
  /// Assumes that the simplified Bool `condition` is `truth`.
  void assume(const Expr& condition, bool truth);
  void assume_not_negative(const LinearForm& form);
  /// Assumes `condition`, except for the parts that read memory, which may change.
  void assume_stable(const Expr& condition, bool truth);
  /// Declares that `name` runs over [min, min + extent), both simplified.
  void enter_loop(const std::string& name, const Expr& min, const Expr& extent);

 private:
  struct Variable {
    Interval bounds;
    Expr replacement;  // undefined: none
    Expr definition;   // undefined: not known
  };
  struct Fact {
    Expr condition;
    bool truth;
  };
  template <typename T>
  using Memo = std::unordered_map<const ExprNode*, std::pair<Expr, T>>;  // the Expr keeps the key alive

  /// Returns the facts about a name; null if there are none.
  const Variable* find(const std::string& name);
  /// Returns a variable to be changed; the old one is restored at the end of the Scope, and results so far
  /// are forgotten.
  Variable& overwrite(const std::string& name);

  // simplifier.cpp: the walk over expressions that are not simplified yet.
  Expr rewrite(const Expr& expr);
  Expr simplify_operands(const Expr& expr);
  Expr rewrite_variable(const Expr& expr);
  Expr rewrite_sum(const Expr& expr);
  void collect_sum(const Expr& expr, std::int64_t factor, int depth, LaneForm& sum);
  Expr rewrite_junction(const Expr& expr);
  Expr rewrite_parts(const Expr& junction);
  Expr with_few_branches(const std::function<Expr()>& simplified);
  bool enters_branch();
  void drop_implied(std::vector<Expr>& parts, bool truth);
  Expr rewrite_select(const Expr& expr);
  Expr rewrite_branch(const Expr& expr, const Expr& condition, bool truth);
  bool is_known(const Expr& condition, bool& truth) const;

  // From here on: nodes whose operands are simplified already. Each returns the node itself, or a simplified
  // equal.
  Expr finish(const Expr& expr);
  Expr finish_with_rules(const Expr& expr);
  Expr build(ExprKind kind, const Expr& a, const Expr& b) { return finish(make_binary(kind, a, b)); }

  // simplify_arithmetic.cpp
  /// Returns the sum in normal form; `otherwise` itself if a number in it does not fit the type.
  Expr finish_sum(LaneForm sum, const Expr& otherwise);
  Expr finish_product(const Expr& expr);
  /// Merges terms that are cheaper together: x - (x/4)*4, (x + 1)*n - x*n.
  void normalize(LinearForm& sum);
  void merge_quotients(LinearForm& sum);
  bool merge_remainder(LinearForm& sum, const Term& term);
  bool merge_congruent(LinearForm& sum, const Term& remainder, std::int64_t c);
  bool merge_quotient(LinearForm& sum, const Term& term);
  void cancel_products(LinearForm& sum);
  /// min(x + 3, n) - x -> min(3, n - x). For values only: comparisons move terms from side to side.
  void merge_extremum(LinearForm& sum);
  std::optional<LinearForm> merged_into(const LinearForm& sum, const Term& extremum);

  // simplify_extremum.cpp: min and max
  Expr finish_extremum(const Expr& expr);
  void drop_beaten(ExprKind kind, std::vector<Expr>& operands);
  bool merge_pair(ExprKind kind, std::vector<Expr>& operands);
  /// min(a + t, b + t) -> min(a, b) + t; undefined if there is no such t.
  Expr without_common_terms(ExprKind kind, const Expr& a, const Expr& b);

  // simplify_division.cpp
  Expr finish_division(const Expr& expr);
  Expr divide(const Expr& expr, std::int64_t divisor);
  Expr modulo(const Expr& expr, std::int64_t divisor);
  Expr divide_by_symbol(const Expr& expr);
  std::optional<std::int64_t> constant_quotient(const LaneForm& form, std::int64_t divisor, int lanes);
  /// True if 0 <= form < limit in every lane.
  bool is_within(const LaneForm& form, std::int64_t limit, int lanes);
  bool stays_in_block(const LaneForm& form, std::int64_t block, int lanes);

  // simplify_logic.cpp
  Expr finish_comparison(const Expr& expr);
  /// Simplifies a comparison whose sides were formed from the terms of both.
  Expr finish_sides(const Expr& comparison);
  Expr finish_inequality(const Expr& expr, LaneForm difference);
  /// x*4 + 1 < min(x*4 + 4, n) -> x*4 + 1 < n: of two sides one says all. Nothing if neither does.
  std::optional<LinearForm> without_decided_side(const LinearForm& not_negative);
  Expr finish_equality(const Expr& expr, LaneForm difference);
  Expr finish_not(const Expr& expr);
  Expr finish_select(const Expr& expr);

  // simplify_bitwise.cpp
  Expr finish_xor(const Expr& expr);
  Expr finish_vector_xor(const Expr& expr);
  /// Returns the largest power of two that is known to divide an index.
  std::int64_t power_dividing(const Expr& expr);

  // simplify_vector.cpp
  Expr finish_vector(const Expr& expr);  // undefined if there is nothing to do
  Expr finish_slice(const Expr& expr);
  Expr finish_concat(const Expr& expr);
  Expr finish_cast(const Expr& expr);

  // prove.cpp
  /// Returns the memo's result for the expression; else computes it and stores it there.
  template <typename T, typename Compute>
  static T remembered(Memo<T>& memo, const Expr& expr, Compute compute);
  Interval compute_bounds(const Expr& expr);
  Congruence compute_congruence(const Expr& expr);
  bool proves(const LinearForm& form, int depth, int& budget);
  bool proves_by_atom(const LinearForm& form, const Term& term, int depth, int& budget);
  /// True if form >= 0 is proven in every lane.
  bool proves(const LaneForm& form, int lanes);
  Interval bounds(const LaneForm& form, int lanes);
  /// True if a new sum might overflow. Indices are assumed not to overflow; data may be anything.
  bool might_overflow(const Expr& sum);

  const Bounds& given_;
  int max_nested_branches_;
  std::unordered_map<std::string, Variable>
      variables_;  // cached ranges of requested variables, and of others
  std::vector<std::pair<std::string, Variable>> overwritten_;  // variables that Scopes restore, oldest first
  std::vector<LinearForm> not_negative_;
  std::vector<Fact> facts_;
  int nested_branches_ = 0;
  bool has_too_many_branches_ = false;
  const Branch* branch_ = nullptr;                         // the innermost one
  std::unordered_set<Expr, ExprHash, ExprSame> distinct_;  // results inside branches
  Memo<Expr> simplified_;
  Memo<Interval> bounds_;
  Memo<Congruence> congruences_;
};

}  // namespace tensordsl::ir
