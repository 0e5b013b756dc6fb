// conv1 -> a: f32 [1, 64, 56, 56], "d0 d2 d3 d1" -> conv2   ->   a is an Image2D, "d0 d2 | d3 d1/4 | d1%4"
// Needs: storage, and groups scheduled with it.  Gives: layouts of images for the tensors of which every
// kernel reads or writes four neighbors at a time.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "definitions/definition_graph.h"
#include "graph/lower_groups.h"
#include "graph/plan_storage.h"

namespace tensordsl {

/// Which images there may be.
struct ImageUse {
  std::optional<ImageLimits> limits;   ///< none: no images
  std::set<std::string> kept_buffers;  ///< tensors (DefinedTensor::name) that are buffers whatever reads them
};

/// Of a target that prefers images, on a device that has them, or on an unknown one.
std::optional<ImageLimits> image_limits(const LoweringOptions& options);

/// Tensors that are to be images (DefinedTensor::is_image) are such from here on. Throws Error if the device
/// is known to have none.
void place_images(const DefinitionGraph& graph, const std::optional<DeviceInfo>& device,
                  TensorStorage& storage);

/// What the host reads or writes stays a buffer, as do aliases, and what a strategy does not take in texels;
/// parts and their whole are all one or the other. `storage.reasons` says which and why.
void choose_images(const DefinitionGraph& graph, const std::vector<ScheduledGroup>& groups,
                   const ImageUse& images, TensorStorage& storage);

/// The same of the constants that the schedule wants in an order of its own. Needs:
/// store_constants_as_wanted.
void store_constants_in_images(const DefinitionGraph& graph, Group& group, const ChosenSchedule& schedule,
                               const ImageUse& images);

/// The tensors (DefinedTensor::name of the owner) that a kernel may read beside, where it counts on zeros: at
/// indices that are no plain dimensions, or reach further than the tensor.
std::set<std::string> images_read_beside(const DefinitionGraph& graph, const TensorStorage& storage,
                                         const std::vector<ScheduledGroup>& groups);

}  // namespace tensordsl
