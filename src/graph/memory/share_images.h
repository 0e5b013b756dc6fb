// images a: 56 x 896, b: 28 x 896, c: 56 x 896 texels   ->   slot 4: a, c and b, in an image of 56 x 896
// Needs: a Program whose launches are all there, and buffers in slots.  Gives: slots of its images.
#pragma once

#include <set>
#include <string>

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// Intermediate images of one type that are not needed at the same time share an image: the largest first,
/// each in the smallest existing one that has its rows, columns and layers. Images of `exact` (Tensor::name),
/// outside of which kernels read zeros, share only an image of their own size, with others of `exact` or with
/// smaller images that need no border.
void share_images(Program& program, const std::set<std::string>& exact);

/// Shares the images of Graph::program.
void share_images(Graph& graph, const GraphContext& context);

}  // namespace tensordsl::graph
