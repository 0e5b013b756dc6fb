// The backends that tensordsl comes with: who writes kernels. backends/drivers has those who run them.
#pragma once

#include "codegen/backend.h"

namespace tensordsl {

/// Returns the bundled backends. The first writes the kernels if no device is known.
Backends bundled_backends();

}  // namespace tensordsl
