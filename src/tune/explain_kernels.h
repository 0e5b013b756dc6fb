// Explains the speed of kernels, as text.
#pragma once

#include <string>

#include "graph/compile_graph.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::tune {

/// Explains the kernels that `filter` selects (graph::select_groups), one after the other: the spaces with
/// what pruning removed from them, the ten best configurations with what bounds each, and examples of removed
/// configurations.
/// Throws Error if it selects none. `profile`: of the device that `compile` targets.
std::string explain(const definitions::DefinitionGraph& graph, const graph::CompileOptions& compile,
                    const HwProfile& profile, const std::string& filter);

}  // namespace tensordsl::tune
