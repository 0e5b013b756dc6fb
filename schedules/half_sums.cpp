#include "schedules/half_sums.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/expr_node.h"
#include "schedule/schedule.h"
#include "schedules/factor_reads.h"
#include "schedules/loops.h"

namespace tensordsl::schedules {
namespace {

/// A step rounds to 11 bits: of so many steps of like size the last digit or two are wrong.
constexpr std::int64_t kMostSteps = 64, kFewestSteps = 8;
constexpr int kTexel = 4;
constexpr const char* kInPart = "in_part";

bool is_half(const classify::Access& factor) {
  return !factor.tensor->is_tuple() && factor.tensor->type() == Float(16);
}

/// A divisor that is whole texels, if the steps are.
int steps_of_part(std::int64_t steps) {
  if (steps <= kMostSteps) return static_cast<int>(steps);
  const int multiple = steps % kTexel == 0 ? kTexel : 1;
  for (int divisor = static_cast<int>(kMostSteps); divisor >= kFewestSteps; --divisor) {
    if (divisor % multiple == 0 && steps % divisor == 0) return divisor;
  }
  return 0;
}

}  // namespace

std::optional<HalfSums> half_sums(const Group& group, const classify::Classification& anchor,
                                  const Target& target) {
  const Func& sum = group.anchors[0];
  if (!target.computes_halves || !anchor.roles || sum.type() != Float(32)) return std::nullopt;
  if (!is_half(anchor.roles->a) || !is_half(anchor.roles->b)) return std::nullopt;
  const auto& domain = sum.contents().definitions[1].domain;
  if (domain.empty() || sum.contents().definitions[1].predicate.defined()) return std::nullopt;
  HalfSums halves;
  halves.outermost = domain.size();
  std::int64_t steps = 1;
  while (halves.outermost > 0) {
    const std::int64_t* extent = ir::as_int(domain[halves.outermost - 1].extent);
    if (!extent || steps * *extent > kMostSteps) break;
    steps *= *extent;
    --halves.outermost;
  }
  if (halves.outermost > 0 && halves.outermost < domain.size()) return halves;
  // Nothing is whole, or everything: one axis is divided, into one part in the end.
  halves.outermost = halves.outermost == 0 ? 0 : domain.size() - 1;
  const ir::ReductionAxis& axis = domain[halves.outermost];
  const std::int64_t* extent = ir::as_int(axis.extent);
  if (!extent) return std::nullopt;
  halves.divided = axis.name;
  halves.steps = steps_of_part(*extent);
  return halves.steps > 0 ? std::optional(halves) : std::nullopt;
}

Func sum_in_half(Func sum, const HalfSums& halves) {
  std::vector<Var> axes = axes_of(sum);
  axes.resize(halves.outermost);
  Stage update = sum.update();
  if (!halves.divided.empty()) {
    axes.emplace_back("of_parts");
    update.split(Var(halves.divided), axes.back(), Var(kInPart), halves.steps, Tail::Exact);
  }
  std::vector<Var> parts;
  for (std::size_t i = 0; i < axes.size(); ++i) parts.emplace_back(fmt::format("part_{}", i));
  return update.rfactor_in_half(axes, parts);
}

std::string axis_in_part(const std::string& axis, const HalfSums& halves) {
  return axis == halves.divided ? kInPart : axis;
}

Target for_halves(const Target& target) {
  Target result = target;
  constexpr int kWidest = 16;
  result.vector_width = std::min(kWidest, 2 * target.vector_width);
  return result;
}

}  // namespace tensordsl::schedules
