#include "lower/stages.h"

#include <fmt/format.h>

namespace tensordsl::lower {

std::vector<Expr> output_extents(const schedule::ScheduledFunction& output) {
  if (!output.schedule.bounds.empty()) return output.schedule.bounds;
  std::vector<Expr> extents;
  for (int d = 0; d < output.rank(); ++d)
    extents.push_back(ir::make_var(fmt::format("{}_extent_{}", output.name, d)));
  return extents;
}

}  // namespace tensordsl::lower
