#include "lower/read/guard_input_reads.h"

#include "ir/simplify/simplify.h"
#include "lower/analyze/launch_assumptions.h"
#include "lower/place/infer_bounds.h"
#include "lower/read/read_guards.h"
#include "lower/read/reads_inside.h"

namespace tensordsl::lower {

using namespace ir;

Expr padded_extent(const Function& input, std::size_t dimension) {
  const int padding = schedule::scheduled(input).layout_or_default().padding(static_cast<int>(dimension));
  const Expr& extent = input.shape[dimension];
  return padding == 1 ? extent : simplify((extent + (padding - 1)) / padding * padding);
}

std::vector<OutsideRead> outside_reads(const RootNest& nest, const Function& input, bool with_padding) {
  std::vector<OutsideRead> result;
  if (!nest.body.defined() || is_known_inside(nest.body, input.name, input.shape, nest.condition))
    return result;
  const auto read = required_intervals(nest.body, input.name, false, Unbounded::Kept);
  const LaunchAssumptions launch = assumptions_of(nest.condition);
  for (std::size_t d = 0; read && d < read->size(); ++d) {
    const auto& [low, high] = (*read)[d];
    const Expr end = high.defined() ? simplify(high + 1) : Expr();
    const Expr extent = with_padding ? padded_extent(input, d) : input.shape[d];
    if (!low.defined() || !end.defined() || can_prove_with(launch, low < Expr(0)) ||
        can_prove_with(launch, extent < end))
      result.push_back({d, low, end});
  }
  return result;
}

PlacedFunctions guard_input_reads(PlacedFunctions placed, const std::vector<FunctionPtr>& functions) {
  for (RootNest& nest : placed.nests) {
    for (const FunctionPtr& f : functions) {
      if (!f->is_input()) continue;
      std::set<std::size_t> dimensions;
      for (const OutsideRead& read : outside_reads(nest, *f)) dimensions.insert(read.dimension);
      if (!dimensions.empty()) nest.body = guard_reads(nest.body, f->name, f->shape, dimensions);
    }
  }
  placed.guards_reads = true;
  return placed;
}

}  // namespace tensordsl::lower
