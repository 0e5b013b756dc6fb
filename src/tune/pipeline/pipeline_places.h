// A pipeline -> the placement of each of its Funcs: in its reader, with a tile of it, or before it
#pragma once

#include <functional>

#include "tune/pipeline/isolated_group.h"
#include "tune/pipeline/pipeline_kernels.h"

namespace tensordsl::tune {

/// Chooses placements greedily, by the predicted time of the whole pipeline: the launches, and the best
/// schedule of each kernel. `should_stop`: true: the search ends; null: it runs to its end. Equal pipelines
/// get equal placements.
Places choose_places(PipelineKernels& kernels, const std::function<bool()>& should_stop);

}  // namespace tensordsl::tune
