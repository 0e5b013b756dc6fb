// in[n, y, x, c], layout "n y x c" of [1, 56, 56, 64]   ->   in[((n*56 + y)*56 + x)*64 + c]
// Storage flattening.
// Needs: one index per dimension.  Gives: one linear index everywhere; allocations with one constant extent.
#pragma once

#include <map>
#include <string>

#include "ir/simplify/simplify.h"
#include "lower/pass_context.h"
#include "lower/stages.h"

namespace tensordsl::lower {

KernelBody flatten_storage(const KernelBody& kernel, const PassContext& context);

/// Flattens the indices of a statement. `tensors` has every buffer and the layout of every allocation;
/// `bounds`: ranges of the free variables, `last` the largest values of some of them, as expressions over
/// others.
ir::Stmt with_linear_addresses(const ir::Stmt& stmt, const StoredTensors& tensors,
                               const ir::Bounds& bounds = {}, const std::map<std::string, Expr>& last = {});

/// Returns the elements of the tensor `name` in memory. Throws ScheduleError if they are more than an index
/// reaches.
Expr stored_elements(const std::string& name, const StoredTensor& tensor);

}  // namespace tensordsl::lower
