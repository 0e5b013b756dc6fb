// fp16:  x: f16, y = conv(x, w)   ->   x: f32
// Needs: a graph whose constants are stored as they will be.  Gives: the same, with inputs that are stored as
// they come.
#pragma once

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// With fp16, keeps model inputs that only sums of products read in f32, on targets whose work-groups run on
/// one thread. Such sums read the pixels of a picture one by one, and converting each takes longer than
/// reading half of the bytes saves. The host need not convert them either.
void keep_input_precision(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
