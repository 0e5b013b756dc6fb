#include "classify/movement.h"

#include <algorithm>

namespace tensordsl::classify {

using namespace ir;

namespace {

bool is_identity(const Movement& movement, const Function& function, const std::vector<Expr>& extents,
                 const std::vector<Expr>& source) {
  if (movement.source.indices.size() != function.dims.size() || source.size() != extents.size()) return false;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (!same(unmarked(source[d]), unmarked(extents[d]))) return false;
    const std::int64_t* extent = as_int(extents[d]);
    const bool is_only_place = extent && *extent == 1;
    if (!is_only_place && !movement.source.indices[d].is_axis(function.dims[d])) return false;
  }
  return true;
}

std::optional<std::vector<std::int64_t>> constants(const std::vector<Expr>& extents) {
  std::vector<std::int64_t> values;
  for (const Expr& extent : extents) {
    const std::int64_t* value = as_int(extent);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

/// Sets is_bijective, keeps_order and digits. Needs: one extent for each dimension.
void compare_digits(Movement& movement, const Function& function, const std::vector<Expr>& indices,
                    const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& source) {
  std::vector<Axis> axes;
  for (std::size_t d = 0; d < extents.size(); ++d) axes.push_back({function.dims[d], extents[d]});
  std::vector<Digit> of_source;
  std::vector<std::vector<Digit>> of_dims;
  for (std::size_t d = 0; d < source.size(); ++d) {
    // Tries the index as written first: the simplifier turns (a*6 + b) % 4 into (a*2 + b) % 4, which loses
    // the 6.
    auto digits = digits_of(unmarked(indices[d]), axes);
    if (!digits && !movement.source.indices[d].is_clamped)
      digits = digits_of(movement.source.indices[d].index, axes);
    if (!digits || value_count(*digits) != source[d]) return;
    of_source.insert(of_source.end(), digits->begin(), digits->end());
    of_dims.push_back(*digits);
  }
  movement.is_bijective = use_each_once(axes, of_source);
  if (!movement.is_bijective) return;
  movement.keeps_order = are_in_order(axes, of_source);
  movement.digits = std::move(of_dims);
}

}  // namespace

std::optional<Movement> movement_of(const Function& function, const std::vector<Expr>& extents,
                                    const std::vector<Expr>& source_extents) {
  if (function.definitions.size() != 1 || function.is_tuple()) return std::nullopt;
  const Expr& value = function.definitions[0].value();
  if (value->kind != ExprKind::Call || value->component != kWhole) return std::nullopt;
  Movement movement{accesses_of(value).back()};
  const std::vector<Expr>& source = source_extents.empty() ? movement.source.tensor->shape : source_extents;
  movement.is_identity = is_identity(movement, function, extents, source);
  if (movement.is_identity) {
    movement.is_bijective = movement.keeps_order = true;
    return movement;
  }
  const auto known = constants(extents), of_source = constants(source);
  const bool fits = known && of_source && of_source->size() == movement.source.indices.size() &&
                    known->size() == function.dims.size();
  if (fits && movement.source.kind() != IndexKind::DataDependent)
    compare_digits(movement, function, value->operands, *known, *of_source);
  return movement;
}

}  // namespace tensordsl::classify
