// Reductions as expressions: out(x) = sum(in(x, r)) instead of a Func with an update.
#pragma once

#include <string>

#include "tensordsl/expr.h"
#include "tensordsl/tuple.h"
#include "tensordsl/var.h"

namespace tensordsl {

/// The sum of `value` over the points of the one RDom that it uses. This and the functions below make a Func
/// over the Vars that `value` uses and read it at them. It is computed where it is read, in the innermost
/// loop around (compute_inline), with an accumulator of its own for each element; to schedule it otherwise,
/// give it a `name` and find it with out.producer(name), and then update(0) of that. Throws DefinitionError
/// if `value` uses no RDom, or two where none is named.
Expr sum(const Expr& value, const std::string& name = "");
/// Over the points of `domain`; axes of other RDoms stay indices.
Expr sum(const RDom& domain, const Expr& value, const std::string& name = "");
/// The product, of the one RDom in `value`.
Expr product(const Expr& value, const std::string& name = "");
/// The same over `domain`.
Expr product(const RDom& domain, const Expr& value, const std::string& name = "");
/// The largest value, from the lowest of the type on, which is what the maximum over no point is.
Expr maximum(const Expr& value, const std::string& name = "");
/// The same over `domain`.
Expr maximum(const RDom& domain, const Expr& value, const std::string& name = "");
/// The smallest value, from the highest of the type on.
Expr minimum(const Expr& value, const std::string& name = "");
/// The same over `domain`.
Expr minimum(const RDom& domain, const Expr& value, const std::string& name = "");
/// The point of the domain where `value` is largest, one i32 per axis, and behind them the value. Of several
/// such points it is the first in the order of the axes, outermost first; the first of all, if no value is
/// above the type's lowest.
Tuple argmax(const Expr& value, const std::string& name = "");
/// The same over `domain`.
Tuple argmax(const RDom& domain, const Expr& value, const std::string& name = "");
/// The same of the smallest value.
Tuple argmin(const Expr& value, const std::string& name = "");
/// The same over `domain`.
Tuple argmin(const RDom& domain, const Expr& value, const std::string& name = "");

}  // namespace tensordsl
