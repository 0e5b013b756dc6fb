// A group as kernels.
#pragma once

#include <memory>
#include <string>

#include "tensordsl/program.h"

namespace tensordsl::graph {

/// The kernels of a group, or why there are none.
struct LoweredGroup {
  std::shared_ptr<const Program> program;  ///< null: the host computes it
  std::string refusal;
};

}  // namespace tensordsl::graph
