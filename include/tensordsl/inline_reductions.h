// Reductions as expressions: out(x) = sum(in(x, r)) instead of a Func with an update.
#pragma once

#include <string>

#include "tensordsl/expr.h"
#include "tensordsl/tuple.h"
#include "tensordsl/var.h"

namespace tensordsl {

// Each makes a Func over the Vars that `value` uses and reads it at them. sum(value) reduces the one RDom in
// `value`; sum(r, value) reduces r, and axes of other RDoms stay indices. The Func is computed where it is
// read, in the innermost loop around (compute_inline), with an accumulator of its own for each element; to
// schedule it otherwise, give it a `name` and find it with out.producer(name), and then update(0) of that.
// Throws DefinitionError if `value` uses no RDom, or two where none is named.

Expr sum(const Expr& value, const std::string& name = "");
Expr sum(const RDom& domain, const Expr& value, const std::string& name = "");
Expr product(const Expr& value, const std::string& name = "");
Expr product(const RDom& domain, const Expr& value, const std::string& name = "");
/// From the lowest value of the type, which is what the maximum over no point is.
Expr maximum(const Expr& value, const std::string& name = "");
Expr maximum(const RDom& domain, const Expr& value, const std::string& name = "");
/// From the highest value of the type.
Expr minimum(const Expr& value, const std::string& name = "");
Expr minimum(const RDom& domain, const Expr& value, const std::string& name = "");
/// The point of the domain where `value` is largest, one i32 per axis, and behind them the value. Of several
/// such points it is the first in the order of the axes, outermost first; the first of all, if no value is
/// above the type's lowest.
Tuple argmax(const Expr& value, const std::string& name = "");
Tuple argmax(const RDom& domain, const Expr& value, const std::string& name = "");
/// The same of the smallest value.
Tuple argmin(const Expr& value, const std::string& name = "");
Tuple argmin(const RDom& domain, const Expr& value, const std::string& name = "");

}  // namespace tensordsl
