// f(x) = {f(x)[1], f(x)[0]}   ->   let f.value.0 = f.1[x] { f.1 := f.0[x]  f.0 := f.value.0 }
// Needs: inlined definitions.  Gives: the statements of one point of the domain of a definition.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/nodes/substitute.h"
#include "lower/stages.h"

namespace tensordsl::lower {

class DefinitionPoint {
 public:
  DefinitionPoint(const schedule::ScheduledFunction& function, int stage, const ir::Definition& definition)
      : function_(function), stage_(stage), definition_(definition) {}

  /// Returns the stores of all values, with the variables of the definition `renamed`. All values are
  /// computed before one of them is stored: one that the others do not read any more is stored at once; if
  /// all that are left read each other, they get names.
  ir::Stmt stores(const ir::Substitution& renamed) const;

  /// Returns a reduction over a sub-group: each work-item computes a value, all combine them in one
  /// operation, and the one where `is_first` holds stores. Outside of `in_domain`, if it is defined, a
  /// work-item has no value, but takes part in the operation.
  ir::Stmt reduction_over_lanes(const ir::Substitution& renamed, const Expr& in_domain,
                                const Expr& is_first) const;

  /// True if `expr` reads this component of the Func; any of them without a component.
  bool reads_self(const Expr& expr, std::optional<int> component = std::nullopt) const;

 private:
  /// A value of each work-item of a sub-group, combined.
  struct Meeting {
    std::string name;
    ir::Stmt store;
    Expr result;

    /// Returns `stmt` where the result is known.
    ir::Stmt around(const ir::Stmt& stmt) const;
  };

  bool is_self(const Expr& e) const;
  std::vector<Expr> indices(const ir::Substitution& renamed) const;
  Meeting meeting(const std::string& what, ir::ExprKind kind, const Expr& term) const;

  const schedule::ScheduledFunction& function_;
  int stage_;
  const ir::Definition& definition_;
};

}  // namespace tensordsl::lower
