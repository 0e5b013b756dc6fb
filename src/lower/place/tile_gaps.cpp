#include "lower/place/tile_gaps.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>

#include "lower/analyze/own_reads.h"
#include "lower/place/strided_reads.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// Whether each element along a dimension is made without the others: an update writes there what it runs
/// over.
bool is_computed_alone(const Producer& p, std::size_t d) {
  return std::all_of(p.definitions.begin(), p.definitions.end(), [&](const Definition& definition) {
    const Expr& arg = definition.args[d];
    const bool is_pure = arg->kind == ExprKind::Var && arg->name == p.function->dims[d];
    return is_pure && reads_own_element_only(definition, p.function->name);
  });
}

/// Elements that one vector of the Func covers along a dimension; a vector over all of it covers any
/// number.
int vector_lanes(const schedule::ScheduledFunction& function, const std::string& dim) {
  int lanes = 1;
  for (const schedule::StageSchedule& stage : function.stages) {
    for (const schedule::Axis& axis : stage.axes) {
      if (axis.loop != LoopKind::Vectorized) continue;
      const auto roots = schedule::roots_of(stage, axis.name);
      if (std::find(roots.begin(), roots.end(), dim) == roots.end()) continue;
      const auto split = std::find_if(stage.transforms.begin(), stage.transforms.end(),
                                      [&](const auto& t) { return t.split && t.split->inner == axis.name; });
      lanes = std::lcm(lanes, split == stage.transforms.end() ? INT16_MAX : split->split->factor);
    }
  }
  return lanes;
}

}  // namespace

Box without_gaps(const Producer& p, const Stmt& body, const Box& box) {
  Box result = box;
  for (std::size_t d = 0; d < box.size(); ++d) {
    if (!is_computed_alone(p, d)) continue;
    const auto runs = runs_of_reads(body, p.function->name, d, box[d].min);
    if (!runs || runs->length % vector_lanes(*p.function, p.function->dims[d]) != 0) continue;
    result[d] = {box[d].min, Expr(runs->length * runs->count), runs->length, runs->stride};
  }
  return result;
}

}  // namespace tensordsl::lower
