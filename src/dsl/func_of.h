// Funcs from definitions that exist already.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/nodes/function.h"
#include "tensordsl/func.h"

namespace tensordsl {

/// Returns a Func with these definitions and no schedule. `dims` are the variables of the first one; calls to
/// itself have a null function and its name. Its types are the types of the first definition's values. Needs:
/// definitions that fit each other.
Func func_of(const std::string& name, const std::vector<std::string>& dims,
             std::vector<ir::Definition> definitions);

/// Returns the replacement of a read of another tensor: a Call, whose indices are rewritten already.
using ReplaceRead = std::function<Expr(const Expr& call)>;

/// Returns a Func named `name` that computes the values of `f`, with each read of another tensor replaced.
/// Values keep the types of `f`. The schedule is not copied.
Func copy_with_reads(const Func& f, const std::string& name, const ReplaceRead& replace);

}  // namespace tensordsl
