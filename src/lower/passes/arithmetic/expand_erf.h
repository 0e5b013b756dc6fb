// store y[i] = erf(x[i])   ->   store y[i] = x[i]*(p/q), p and q being polynomials of x[i]*x[i]
// Needs: vectors of legal widths.  Gives: arithmetic that runs in vectors, without branches or calls, within
// 7 units in the last place; OpenCL allows 16. For f32 alone. A driver's own erf may be a call for each lane:
// of the GELUs of vit_b16 PoCL spends as long there as in a third of the product before them.
// Source of the coefficients: Eigen, MathFunctionsImpl.h (a rational approximation on [-4, 4]).
#pragma once

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

ir::Stmt expand_erf(const ir::Stmt& stmt);

}  // namespace tensordsl::lower
