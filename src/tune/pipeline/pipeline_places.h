// A pipeline -> the place where each of its Funcs is computed: in its reader, with a tile of it, or before it
#pragma once

#include <functional>

#include "tune/pipeline/isolated_group.h"
#include "tune/pipeline/pipeline_kernels.h"

namespace tensordsl::tune {

/// Greedily, by the time that is predicted of the whole: launches, and of each kernel its best schedule.
/// `should_stop`: true: no better places are looked for; null: they are. Equal pipelines get equal places.
Places choose_places(PipelineKernels& kernels, const std::function<bool()>& should_stop);

}  // namespace tensordsl::tune
