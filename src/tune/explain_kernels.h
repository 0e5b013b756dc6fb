// Explains the speed of kernels, as text.
#pragma once

#include <string>

#include "graph/compile_graph.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::tune {

/// Explains the kernels whose label, output or name contains `filter`, one after the other: the spaces with
/// what pruning removed from them, the ten best configurations with what bounds each, and examples of removed
/// configurations. Empty if there is no such kernel. `profile`: of the device that `compile` targets.
std::string explain(definitions::DefinitionGraph graph, const graph::CompileOptions& compile,
                    const HwProfile& profile, const std::string& filter);

}  // namespace tensordsl::tune
