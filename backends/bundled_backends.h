// The backends that tensordsl comes with: who writes kernels. backends/drivers has those who run them.
#pragma once

#include "codegen/backend.h"

namespace tensordsl {

/// The first writes the kernels where no device is known.
Backends bundled_backends();

}  // namespace tensordsl
