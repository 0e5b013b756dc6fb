#include "lower/read/fixed_tensors.h"

#include <algorithm>

#include "lower/analyze/tensor_reads.h"
#include "lower/read/reads_inside.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

bool is_read_by_another(const Producer& p, const std::vector<Producer>& producers) {
  return std::ranges::any_of(producers, [&](const Producer& other) {
    return &other != &p && std::ranges::any_of(other.definitions, [&](const Definition& definition) {
      return std::ranges::any_of(definition.expressions(),
                                 [&](const Expr& e) { return reads(e, p.function->name); });
    });
  });
}

}  // namespace

FixedTensors::FixedTensors(const std::vector<Producer>& producers,
                           const std::vector<FunctionPtr>& functions) {
  for (const FunctionPtr& f : functions) {
    if (f->is_input()) extents_.emplace(f->name, f->shape);
  }
  for (const Producer& p : producers) {
    const std::vector<Expr>& bounds = p.function->schedule.bounds;
    if (p.is_output && is_read_by_another(p, producers)) {
      extents_.emplace(p.function->name, output_extents(*p.function));
    } else if (!p.is_output && !bounds.empty()) {
      extents_.emplace(p.function->name, bounds);
    }
  }
  for (const auto& [name, extents] : extents_) names_.insert(name);
}

std::vector<ReadRegion> FixedTensors::regions_of(const RootNest& nest) const {
  return nest.body.defined() ? read_regions(nest.body, names_) : std::vector<ReadRegion>();
}

std::vector<ReadRegion> FixedTensors::regions_in_doubt(const RootNest& nest,
                                                       const LaunchAssumptions& assumptions) const {
  if (!nest.body.defined()) return {};
  // Loop ranges often prove it at once, without the conditions around hundreds of reads.
  std::set<std::string> names;
  for (const auto& [name, extents] : extents_) {
    if (!is_known_inside(nest.body, name, extents, nest.condition)) names.insert(name);
  }
  if (names.empty()) return {};
  std::vector<ReadRegion> regions = read_regions(nest.body, names);
  std::erase_if(regions,
                [&](const ReadRegion& region) { return dimensions_in_doubt(region, assumptions).empty(); });
  return regions;
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
