// What a tensor is outside its shape.
#pragma once

#include <vector>

#include "tensordsl/func.h"

namespace tensordsl::BoundaryConditions {


/// A Func equal to `f` inside [0, extents[d]) of every dimension and `value` outside. A dimension whose extent
/// is undefined is not extended.
Func constant(const Func& f, Expr value, const std::vector<Expr>& extents);
/// constant with 0.
Func zero(const Func& f, const std::vector<Expr>& extents);
/// The nearest valid element outside.
Func repeat_edge(const Func& f, const std::vector<Expr>& extents);

}  // namespace tensordsl::BoundaryConditions
