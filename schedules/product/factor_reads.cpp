#include "schedules/product/factor_reads.h"

#include <algorithm>
#include <set>

#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"

namespace tensordsl::schedules {
namespace {

using definitions::GroupOperand;
using definitions::StoredGroup;

/// An index of a read: one of the Func's dimensions, or such a dimension divided by a constant.
struct Quotient {
  std::size_t dim = 0;
  std::int64_t divisor = 1;
};

std::optional<Quotient> quotient_of(const classify::IndexMap& index, const std::vector<std::string>& dims) {
  const ir::ExprNode& node = *index.index;
  const std::int64_t* divisor = node.kind == ir::ExprKind::Div ? ir::as_int(node[1]) : nullptr;
  const ir::ExprNode& of = divisor ? *node[0] : node;
  const auto dim = std::ranges::find(dims, of.name);
  if (of.kind != ir::ExprKind::Var || dim == dims.end()) return std::nullopt;
  return Quotient{static_cast<std::size_t>(dim - dims.begin()), divisor ? *divisor : 1};
}

}  // namespace

const GroupOperand* operand_of(const StoredGroup& group, const classify::Access& access) {
  const auto found = std::ranges::find_if(
      group.operands, [&](const GroupOperand& operand) { return operand.input.shared() == access.tensor; });
  return found == group.operands.end() ? nullptr : &*found;
}

const Func* maker_of(const StoredGroup& group, const classify::Access& access) {
  const auto made =
      std::ranges::find_if(group.prologue, [&](const Func& func) { return func.shared() == access.tensor; });
  return made == group.prologue.end() ? nullptr : &*made;
}

std::optional<std::vector<classify::IndexMap>> indices_in(const StoredGroup& group,
                                                          const classify::Access& factor,
                                                          const Func& operand) {
  if (factor.tensor == operand.shared()) return factor.indices;
  const Func* made = maker_of(group, factor);
  if (!made) return std::nullopt;
  for (const classify::Access& read : group.class_of(*made).reads) {
    if (read.tensor != operand.shared()) continue;
    std::vector<classify::IndexMap> indices;
    for (const classify::IndexMap& index : read.indices) {
      const auto quotient = quotient_of(index, made->contents().dims);
      if (!quotient) return std::nullopt;
      indices.push_back(factor.indices[quotient->dim]);
    }
    return indices;
  }
  return std::nullopt;
}

bool is_of_constants(const StoredGroup& group, const classify::Access& factor) {
  const auto is_free = [&](const classify::Access& read) {
    const GroupOperand* operand = operand_of(group, read);
    return operand && operand->is_constant && indices_in(group, factor, operand->input);
  };
  const Func* made = maker_of(group, factor);
  return made ? std::ranges::all_of(group.class_of(*made).reads, is_free) : is_free(factor);
}

std::vector<std::int64_t> divisors_of_axis(const StoredGroup& group, const classify::Contraction& factors,
                                           const std::string& axis, std::int64_t steps) {
  std::set<std::int64_t> found;
  for (const classify::Access* factor : {&factors.a, &factors.b}) {
    const Func* made = maker_of(group, *factor);
    if (!made) continue;
    for (const classify::Access& read : group.class_of(*made).reads) {
      for (const classify::IndexMap& index : read.indices) {
        const auto quotient = quotient_of(index, made->contents().dims);
        if (quotient && quotient->divisor > 1 && factor->indices[quotient->dim].is_axis(axis))
          found.insert(quotient->divisor);
      }
    }
  }
  std::vector<std::int64_t> divisors;
  for (const std::int64_t divisor : found) {
    const bool is_nested = divisors.empty() || divisor % divisors.back() == 0;
    if (is_nested && steps % divisor == 0) divisors.push_back(divisor);
  }
  return divisors;
}

}  // namespace tensordsl::schedules
