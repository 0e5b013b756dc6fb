// conv1 -> a: f32 [1, 64, 56, 56], "d0 d2 d3 d1" -> conv2   ->   a is an Image2D, "d0 d2 | d3 d1/4 | d1%4"
//
// Needs: storage.  Gives: layouts of images for the tensors of which every kernel reads or writes four
// neighbors at a time; from here on constants may be images too. Groups are scheduled once here, to know how
// their kernels read.
#pragma once

#include <optional>

#include "graph/stages/graph.h"

namespace tensordsl::graph {

/// Returns the limits of images for a target that prefers images, on a device that has them or on an unknown
/// one.
std::optional<ImageLimits> image_limits(const LoweringOptions& options);

/// Makes tensors with DefinedTensor::is_image images. Throws Error if the device is known to have none.
void place_pictures(Graph& graph, const GraphContext& context);

/// Decides which tensors are images. Tensors that the host reads or writes stay buffers, as do aliases, and
/// tensors that a strategy does not take in texels; parts and their whole are all one or the other.
/// `storage.reasons` gives the reasons.
void choose_images(Graph& graph, const GraphContext& context);

/// Stores the constants in images that the schedule wants there. Needs: store_constants_as_wanted.
void store_constants_in_images(const Graph& graph, definitions::StoredGroup& group,
                               const GroupSchedule& schedule);

}  // namespace tensordsl::graph
