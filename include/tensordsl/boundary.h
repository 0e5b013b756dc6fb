// Boundary conditions: the values of a tensor outside its shape.
#pragma once

#include <string>
#include <vector>

#include "tensordsl/func.h"

namespace tensordsl::BoundaryConditions {

/// Returns a Func equal to `f` inside [0, extents[d]) of every dimension d and to `value` outside. A
/// dimension whose extent is undefined is not extended. The Func is called `name`, or F_padded if that is
/// empty: two in one pipeline that extend the same Func need names.
Func constant(const Func& f, Expr value, const std::vector<Expr>& extents, const std::string& name = "");
/// Returns a Func equal to `f` inside the extents and to 0 outside: constant() with 0.
Func zero(const Func& f, const std::vector<Expr>& extents);
/// Returns a Func equal to `f` inside the extents and to the nearest element inside them elsewhere.
Func repeat_edge(const Func& f, const std::vector<Expr>& extents);

}  // namespace tensordsl::BoundaryConditions
