// images a: 56 x 896, b: 28 x 896, c: 56 x 896 texels   ->   slot 4: a, c and b, in an image of 56 x 896
// Needs: a Program whose launches are all there, and buffers in slots.  Gives: slots of its images.
#pragma once

#include <set>
#include <string>

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// Intermediate images of one type, which are not needed at the same time, share one: the largest first, each
/// in the smallest that is there and has its rows and columns, and layers. Those of `exact` (Tensor::name),
/// outside of which kernels read zeros, are alone in an image of their size, or with others of it, and with
/// smaller ones that need no border.
void share_images(Program& program, const std::set<std::string>& exact);

/// Shares the images of Graph::program.
void share_images(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
