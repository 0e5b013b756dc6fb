// Checks the rules on which every pass may rely. Throws InternalError that names the broken rule and shows
// the node.
#pragma once

#include <set>
#include <string>

#include "ir/nodes/stmt.h"

namespace tensordsl::ir {

/// Rules: operands have the types their kind asks for; every Var is bound by a For or Let around it or is in
/// `free`; no name is bound twice on one path; For bounds are scalar i32; If conditions are scalar Bool;
/// stores' index lanes match their value's; no Call is left; a buffer is loaded and stored with one element
/// type and is either allocated around the access or in `buffers`; a Register is accessed with the single
/// index 0; barriers do not stand under an If whose condition uses a thread loop's variable. Those of
/// `buffers` that are `images` may also be accessed by texel: at scalar coordinates, for one element or four.
/// Without `is_convergent`, the rule of barriers is left out: a test that says nothing may still stand around
/// one.
void verify(const Stmt& stmt, const std::set<std::string>& buffers, const std::set<std::string>& free = {},
            const std::set<std::string>& images = {}, bool is_convergent = true);

/// Checks types only, of one expression.
void verify(const Expr& expr);

}  // namespace tensordsl::ir
