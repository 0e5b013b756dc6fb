// A probe of the driver for pipelines with images of one half to a texel.
#pragma once

#include "tensordsl/device.h"
#include "tensordsl/pipeline.h"

namespace tensordsl {

/// Drivers list CL_R with CL_HALF_FLOAT that read such texels as bytes (PoCL 3.1). If the pipeline has any, a
/// kernel reads two; throws DeviceError if they come out wrong.
void check_r16f_images(const CompiledPipeline& compiled, Device& device);

}  // namespace tensordsl
