// Why kernels run as they do, as text.
#pragma once

#include <string>

#include "graph/compile_graph.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::tune {

/// Explains the kernels whose label, output or name contains `filter`, one behind the other: the spaces with
/// what pruning left out of them, the ten best points with what bounds each, and examples of what was left
/// out. Empty if there is no such kernel. `profile`: of the device that `compile` aims at.
std::string explain(definitions::DefinitionGraph graph, const graph::CompileOptions& compile,
                    const HwProfile& profile, const std::string& filter);

}  // namespace tensordsl::tune
