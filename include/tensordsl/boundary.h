// What a tensor is outside its shape.
#pragma once

#include <string>
#include <vector>

#include "tensordsl/func.h"

namespace tensordsl::BoundaryConditions {

/// A Func equal to `f` inside [0, extents[d]) of every dimension and `value` outside. A dimension whose
/// extent is undefined is not extended. It is called `name`, or F_padded if that is empty: two in one
/// pipeline that extend the same Func need a name.
Func constant(const Func& f, Expr value, const std::vector<Expr>& extents, const std::string& name = "");
/// constant with 0.
Func zero(const Func& f, const std::vector<Expr>& extents);
/// The nearest valid element outside.
Func repeat_edge(const Func& f, const std::vector<Expr>& extents);

}  // namespace tensordsl::BoundaryConditions
