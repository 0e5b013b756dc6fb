#pragma once

#include "graph/compile_graph.h"
#include "tensordsl/model.h"

namespace tensordsl {

/// What the graph compiler takes of a target: figures from its profile, else from its device.
CompileOptions options_of(const CompileTarget& target);

}  // namespace tensordsl
