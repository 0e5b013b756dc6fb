// Reductions as expressions: out(x) = sum(in(x, r)) instead of a Func with an update.
#pragma once

#include <string>

#include "tensordsl/expr.h"
#include "tensordsl/tuple.h"
#include "tensordsl/var.h"

namespace tensordsl {

/// Sum of `value` over the points of the one RDom that it uses. This and the functions below make a Func over
/// the Vars that `value` uses and read it at them. It is computed where it is read, in the innermost
/// enclosing loop (compute_inline), with an accumulator of its own for each element; to schedule it
/// otherwise, give it a `name` and find it with out.producer(name), and then update(0) of that. Throws
/// DefinitionError if `value` uses no RDom, or two where none is named.
Expr sum(const Expr& value, const std::string& name = "");
/// Sum of `value` over the points of `domain`; axes of other RDoms stay indices.
Expr sum(const RDom& domain, const Expr& value, const std::string& name = "");
/// Product of `value` over the points of the one RDom that it uses.
Expr product(const Expr& value, const std::string& name = "");
/// Product of `value` over the points of `domain`; axes of other RDoms stay indices.
Expr product(const RDom& domain, const Expr& value, const std::string& name = "");
/// Largest `value` over the points of the one RDom that it uses; the type's lowest value if there is no
/// point.
Expr maximum(const Expr& value, const std::string& name = "");
/// Largest `value` over the points of `domain`; axes of other RDoms stay indices.
Expr maximum(const RDom& domain, const Expr& value, const std::string& name = "");
/// Smallest `value` over the points of the one RDom that it uses; the type's highest value if there is no
/// point.
Expr minimum(const Expr& value, const std::string& name = "");
/// Smallest `value` over the points of `domain`; axes of other RDoms stay indices.
Expr minimum(const RDom& domain, const Expr& value, const std::string& name = "");
/// Point of the one RDom in `value` at which `value` is largest, one i32 per axis, followed by that value. If
/// there are several such points, it is the first in the order of the axes, outermost first; the first of all
/// points if no value is above the type's lowest.
Tuple argmax(const Expr& value, const std::string& name = "");
/// Point of `domain` at which `value` is largest, one i32 per axis, followed by that value; see
/// argmax(value).
Tuple argmax(const RDom& domain, const Expr& value, const std::string& name = "");
/// Point of the one RDom in `value` at which `value` is smallest, one i32 per axis, followed by that value.
/// If there are several such points, it is the first in the order of the axes, outermost first; the first of
/// all points if no value is below the type's highest.
Tuple argmin(const Expr& value, const std::string& name = "");
/// Point of `domain` at which `value` is smallest, one i32 per axis, followed by that value; see
/// argmin(value).
Tuple argmin(const RDom& domain, const Expr& value, const std::string& name = "");

}  // namespace tensordsl
