// The axes of sums of products.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "classify/classify.h"

namespace tensordsl::classify {

/// a and b of f(..) = f(..) + a(..) * b(..), through casts; nothing if the update is not of that form.
std::optional<std::pair<Access, Access>> factors_of_update(const ir::Function& function,
                                                           const ir::Definition& update);

/// The dimensions of `function` that share an index with an axis of the update's domain.
std::vector<Window> windows_of(const ir::Function& function, const ir::Definition& update);

/// The roles of the axes. Needs: factors_of_update.
Contraction contraction_of(const ir::Function& function, const ir::Definition& update);

}  // namespace tensordsl::classify
