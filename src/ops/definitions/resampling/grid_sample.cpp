#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"
#include "ops/definitions/resampling/sample_grid.h"
#include "tensordsl/boundary.h"

namespace tensordsl::ops::definitions {
namespace {

/// Converts a coordinate from -1 .. 1 over an extent to elements.
Expr denormalized(const Expr& coordinate, const Size& extent, bool align_corners) {
  const Type type = coordinate.type() == Float(64) ? Float(64) : Float(32);
  if (align_corners) return (coordinate + 1) * (number(type, extent - 1) / 2);
  return ((coordinate + 1) * number(type, extent) - 1) / 2;
}

/// `position` thrown back at the borders until it is between them.
Expr reflected(const Expr& position, const Size& extent, bool align_corners) {
  if (align_corners && extent == Size(1)) return cast(position.type(), 0);
  const Type type = position.type();
  const Expr low = align_corners ? 0.0 : -0.5;
  const Expr range = number(type, align_corners ? extent - 1 : extent);
  const Expr distance = abs(position - low), turns = floor(distance / range);
  const Expr rest = distance - turns * range;
  const Expr is_even = turns - 2 * floor(turns / 2) == 0;
  return low + select(is_even, rest, range - rest);
}

}  // namespace

Expr reflected_element(const Expr& element, const Size& extent, bool align_corners) {
  if (align_corners && extent == Size(1)) return 0;
  // Back and forth over the elements; where corners are aligned, those at the borders come once.
  const Size period = align_corners ? 2 * extent - 2 : 2 * extent;
  const Expr place = element % index(period);
  return min(place, index(align_corners ? period : period - 1) - place);
}

SamplePlace grid_place(const OperatorOperands& operands, std::size_t grid, std::vector<Expr> at,
                       std::size_t dim, const Sizes& extents, const std::string& mode) {
  const auto padding = operands.attributes.get<std::string>("padding_mode");
  const bool align_corners = operands.attributes.get<std::int64_t>("align_corners") == 1;
  // The grid has the last dimension first.
  at.push_back(index(static_cast<std::int64_t>(extents.size() - 1 - dim)));
  const Size extent = extents[dim];
  Expr position = denormalized(accumulated(read(operands, grid, at)), extent, align_corners);
  if (mode == "nearest") position = round(position);
  // Cubic interpolation continues outside: there each of its elements is one at the border.
  if (padding == "border" && mode != "cubic")
    position = clamp(position, 0, number(position.type(), extent - 1));
  if (padding == "reflection") position = reflected(position, extent, align_corners);
  return {mode, position, extent};
}

std::vector<Func> grid_sample(const OperatorOperands& operands) {
  const Attributes& attributes = operands.attributes;
  const Shape& x = operands.infos[0].shape;
  const auto mode = attributes.get<std::string>("mode"),
             padding = attributes.get<std::string>("padding_mode");
  const bool align_corners = attributes.get<std::int64_t>("align_corners") == 1;
  const std::vector<Var> vars = image_vars(operands.output().shape);
  const std::size_t rank = x.size() - 2;

  std::vector<SamplePlace> places;
  std::vector<Expr> of_place{vars[0]};
  of_place.insert(of_place.end(), vars.begin() + 2, vars.end());
  const Sizes extents(x.begin() + 2, x.end());
  for (std::size_t i = 0; i < rank; ++i)
    places.push_back(grid_place(operands, 1, of_place, i, extents, mode));

  const auto value_at = [&](const std::vector<Expr>& taps) {
    std::vector<Expr> at{vars[0], vars[1]};
    Expr is_inside, weight;
    for (std::size_t i = 0; i < rank; ++i) {
      const Size extent = x[i + 2];
      Expr element = places[i].element(taps[i]);
      if (padding == "reflection") element = reflected_element(element, extent, align_corners);
      if (padding == "zeros") {
        const Expr test = element >= 0 && element < index(extent);
        is_inside = is_inside.defined() ? is_inside && test : test;
      }
      at.push_back(clamp(element, 0, index(extent - 1)));
      const Expr factor = places[i].weight(taps[i]);
      weight = weight.defined() ? weight * factor : factor;
    }
    Expr value = read(operands, 0, at);
    if (is_inside.defined()) value = select(is_inside, value, cast(value.type(), 0));
    return mode == "nearest" ? value : accumulated(value) * weight;
  };

  if (mode == "cubic") {
    RDom r(std::vector<std::pair<Expr, Expr>>(rank, {0, 4}), "r");
    Func sum(operands.name + "_sum");
    sum(vars) += value_at({r.axes().begin(), r.axes().end()});
    return {output(operands, vars, sum(vars))};
  }
  Expr value;
  const int taps = places[0].taps();
  int corners = 1;
  for (std::size_t i = 0; i < rank; ++i) corners *= taps;
  for (int corner = 0; corner < corners; ++corner) {
    std::vector<Expr> at(rank);
    for (int i = static_cast<int>(rank) - 1, rest = corner; i >= 0; --i, rest /= taps)
      at[static_cast<std::size_t>(i)] = rest % taps;
    const Expr term = value_at(at);
    value = value.defined() ? value + term : term;
  }
  return {output(operands, vars, value)};
}

std::vector<Func> affine_grid(const OperatorOperands& operands) {
  const Shape& grid = operands.output().shape;
  const bool align_corners = operands.attributes.get<std::int64_t>("align_corners") == 1;
  const std::vector<Var> vars = index_vars(grid);
  const Type type = operands.infos[0].type == Float(64) ? Float(64) : Float(32);
  const std::size_t rank = grid.size() - 2;

  // [theta] * [x, y, (z,) 1]
  const auto theta = [&](std::size_t column) {
    return accumulated(read(operands, 0, {vars[0], vars.back(), index(static_cast<std::int64_t>(column))}));
  };
  Expr value = theta(rank);
  for (std::size_t column = 0; column < rank; ++column) {
    const std::size_t dim = rank - column;  // the last one first
    const Expr place = cast(type, vars[dim]), extent = number(type, grid[dim]);
    Expr coordinate = (2 * place + 1) / extent - 1;
    if (align_corners) coordinate = grid[dim] == Size(1) ? Expr(-1.0) : 2 * place / (extent - 1) - 1;
    value = value + theta(column) * coordinate;
  }
  return {output(operands, vars, value)};
}

}  // namespace tensordsl::ops::definitions
