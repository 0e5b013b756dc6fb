// s(i, j) += q(i, r)*k(j, r)   ->   a contraction of q(i, r)*k(j, r) over r
// Matches definitions with the parts of an attention.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/nodes/function.h"
#include "ir/nodes/interval.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::graph {

/// Returns the value below casts between floats, which only round.
Expr without_casts(Expr expr);

/// select(x == value, other, x)  ->  x
std::optional<Expr> guarded(const Expr& expr, double value, double other);

/// f(x) = op(f(x), value) over axes from 0 on, from op's identity.
struct Accumulation {
  Expr value;
  std::vector<ir::ReductionAxis> axes;
};
std::optional<Accumulation> accumulation_of(const ir::Function& function, ir::ExprKind op);

/// Returns a sum of products of two, with the product as its value.
std::optional<Accumulation> contraction_of(const ir::Function& function);

/// Returns `expr` with `indices` in place of the dimensions `dims`, and variables renamed.
Expr at_dims(const Expr& expr, const std::vector<std::string>& dims, const std::vector<Expr>& indices,
             const std::vector<std::pair<std::string, std::string>>& renamed = {});

/// Returns the only Call of `expr` to `function`; nullopt if it is called with different arguments.
std::optional<Expr> only_read(const Expr& expr, const ir::Function& function);

/// Returns `expr` with the variable `name` in place of `call`.
Expr replaced(const Expr& expr, const Expr& call, const char* name);

/// Returns `expr` with the indices of all reads as simple as the bounds allow.
Expr with_simple_indices(const Expr& expr, const ir::Bounds& bounds);

/// True if the expression divides something that depends on the variable.
bool divides_by(const Expr& expr, const std::string& name);

}  // namespace tensordsl::graph
