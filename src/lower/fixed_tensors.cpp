#include "lower/fixed_tensors.h"

namespace tensordsl::lower {

using namespace ir;

FixedTensors::FixedTensors(const std::vector<Producer>& producers,
                           const std::vector<FunctionPtr>& functions) {
  for (const FunctionPtr& f : functions) {
    if (f->is_input()) extents_.emplace(f->name, &f->shape);
  }
  for (std::size_t i = 0; i + 1 < producers.size(); ++i) {
    const schedule::ScheduledFunction& function = *producers[i].function;
    if (!function.schedule.bounds.empty()) extents_.emplace(function.name, &function.schedule.bounds);
  }
  for (const auto& [name, extents] : extents_) names_.insert(name);
}

std::vector<ReadRegion> FixedTensors::regions_of(const RootNest& nest) const {
  return nest.body.defined() ? read_regions(nest.body, names_) : std::vector<ReadRegion>();
}

std::vector<std::size_t> FixedTensors::dimensions_in_doubt(const ReadRegion& region,
                                                           const LaunchAssumptions& assumptions) const {
  std::vector<std::size_t> dimensions;
  const std::vector<Expr>& extents = this->extents(region.tensor);
  for (std::size_t d = 0; d < extents.size(); ++d) {
    const Expr &min = region.box[d].min, &extent = region.box[d].extent;
    const bool is_inside = can_prove_with(assumptions, Expr(0) <= min) &&
                           can_prove_with(assumptions, min + extent <= extents[d]);
    if (!is_inside) dimensions.push_back(d);
  }
  return dimensions;
}

}  // namespace tensordsl::lower
