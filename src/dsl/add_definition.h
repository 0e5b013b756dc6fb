// Adds a definition to a Func, after checking its requirements.
#pragma once

#include <vector>

#include "schedule/func_schedule.h"

namespace tensordsl {

/// Checks that the index is a defined i32. Throws DefinitionError otherwise.
void require_index(const schedule::ScheduledFunction& function, const Expr& index);

/// Adds the pure definition f(args) = values. Throws DefinitionError if it does not define every point.
void define_pure(schedule::ScheduledFunction& function, const std::vector<Expr>& args,
                 const std::vector<Expr>& values);

/// Removes all definitions of the function.
void undefine(schedule::ScheduledFunction& function);

/// Adds an update. `values` are cast to the Func's types. Throws DefinitionError if it does not fit the first
/// definition.
void define_update(schedule::ScheduledFunction& function, const std::vector<Expr>& args,
                   std::vector<Expr> values);

}  // namespace tensordsl
