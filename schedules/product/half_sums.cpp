#include "schedules/product/half_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"
#include "schedules/product/factor_reads.h"
#include "schedules/support/loops.h"
#include "schedules/support/texels.h"

namespace tensordsl::schedules {
namespace {

/// Bounds the rounding error: each step rounds to 11 bits, so parts of 64 steps are off by 0.2 % of the
/// largest sum of normal numbers.
constexpr std::int64_t kMostPartSteps = 64, kFewestPartSteps = 8;
constexpr const char* kInPart = "in_part";

bool is_half_factor(const classify::Access& factor) {
  return !factor.tensor->is_tuple() && factor.tensor->type() == Float(16);
}

/// Returns a Func's value, or a number, without the cast around it.
const Expr& without_cast(const Expr& e) { return e->kind == ir::ExprKind::Cast ? (*e)[0] : e; }

/// True if the stored value may be the sum times a number below 1, or divided: then the sum itself may exceed
/// the range of f16.
bool is_shrunk(const definitions::StoredGroup& group) {
  const auto shrinks = [](const Expr& e) {
    if (e->kind == ir::ExprKind::Div) return without_cast((*e)[0])->kind == ir::ExprKind::Call;
    if (e->kind != ir::ExprKind::Mul) return false;
    const auto is_small = [](const Expr& factor) {
      const ir::ExprNode& number = *without_cast(factor);
      return number.kind == ir::ExprKind::FloatImm && std::abs(number.number) < 1;
    };
    const auto is_computed = [](const Expr& factor) {
      return without_cast(factor)->kind == ir::ExprKind::Call;
    };
    return (is_small((*e)[0]) && is_computed((*e)[1])) || (is_small((*e)[1]) && is_computed((*e)[0]));
  };
  bool found = false;
  for (const Func& func : group.epilogue) {
    for (const Expr& value : func.contents().definitions[0].expressions()) {
      ir::visit(value, [&](const Expr& e) {
        found = found || shrinks(e);
        return !found;
      });
    }
  }
  return found;
}

/// A divisor that is whole texels, if the steps are.
int steps_of_part(std::int64_t steps) {
  if (steps <= kMostPartSteps) return static_cast<int>(steps);
  const int multiple = steps % kTexel == 0 ? kTexel : 1;
  for (int divisor = static_cast<int>(kMostPartSteps); divisor >= kFewestPartSteps; --divisor) {
    if (divisor % multiple == 0 && steps % divisor == 0) return divisor;
  }
  return 0;
}

}  // namespace

std::optional<HalfSums> half_sums(const definitions::StoredGroup& group,
                                  const classify::Classification& anchor, const Target& target) {
  const Func& sum = group.anchors[0];
  if (!target.computes_halves || !anchor.roles || sum.type() != Float(32)) return std::nullopt;
  if (!is_half_factor(anchor.roles->a) || !is_half_factor(anchor.roles->b)) return std::nullopt;
  // Sums with weights are as small as the stored result. Squares, and scores before they are scaled, may
  // exceed the range of f16.
  if (!is_of_constants(group, anchor.roles->a) && !is_of_constants(group, anchor.roles->b))
    return std::nullopt;
  if (is_shrunk(group)) return std::nullopt;
  const auto& domain = sum.contents().definitions[1].domain;
  if (domain.empty() || sum.contents().definitions[1].predicate.defined()) return std::nullopt;
  HalfSums halves;
  halves.outer_axes = domain.size();
  std::int64_t steps = 1;
  while (halves.outer_axes > 0) {
    const std::int64_t* extent = ir::as_int(domain[halves.outer_axes - 1].extent);
    if (!extent || steps * *extent > kMostPartSteps) break;
    steps *= *extent;
    --halves.outer_axes;
  }
  if (halves.outer_axes > 0 && halves.outer_axes < domain.size()) return halves;
  // No axis fits a part, or all of them do: divides one axis into parts (one part if it all fits).
  halves.outer_axes = halves.outer_axes == 0 ? 0 : domain.size() - 1;
  const ir::ReductionAxis& axis = domain[halves.outer_axes];
  const std::int64_t* extent = ir::as_int(axis.extent);
  if (!extent) return std::nullopt;
  halves.divided = axis.name;
  halves.steps = steps_of_part(*extent);
  return halves.steps > 0 ? std::optional(halves) : std::nullopt;
}

Func sum_in_half(Func sum, const HalfSums& halves) {
  std::vector<Var> axes = axes_of(sum);
  axes.resize(halves.outer_axes);
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
