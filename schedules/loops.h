// What strategies say of loops.
#pragma once

#include <string>
#include <vector>

#include "tensordsl/func.h"
#include "tensordsl/stored_tensor.h"

namespace tensordsl::schedules {

/// The variable of a dimension.
Var dim_of(const Func& f, int dim);

/// All of `loops`, which are neighbors, as one loop called `name`; the only one as itself.
Var fuse_all(Stage stage, const std::vector<Var>& loops, const std::string& name);

/// Dimensions as they lie in memory, the outermost first; one that is cut counts where its outer part lies.
std::vector<int> memory_order(const Layout& layout);

/// 1, 2, 4, .. up to `most`.
std::vector<int> powers_of_two(int most);

}  // namespace tensordsl::schedules
