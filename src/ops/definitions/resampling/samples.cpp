#include <functional>

#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"
#include "ops/definitions/resampling/interpolation.h"
#include "ops/definitions/resampling/sample_grid.h"
#include "ops/definitions/windows/window_axis.h"

namespace tensordsl::ops::definitions {
namespace {

struct Corner {
  Expr place;  ///< in a row-major plane; -1: outside it
  Expr weight;
};

/// Returns corner `number` of the 2^rank around a position. `inside` moves an element that is outside along a
/// dimension; null: there is no element.

Corner corner_of(const std::vector<SamplePlace>& places, const Sizes& extents, const Expr& number,
                 const std::function<Expr(const Expr& element, std::size_t dim)>& inside) {
  Expr place, weight, is_inside;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const int bit = static_cast<int>(places.size() - 1 - i);
    const Expr tap = number / (1 << bit) % 2;
    Expr element = places[i].element(tap);
    if (inside) {
      element = inside(element, i);
    } else {
      const Expr test = element >= 0 && element < index(extents[i]);
      is_inside = is_inside.defined() ? is_inside && test : test;
    }
    element = clamp(element, 0, index(extents[i] - 1));
    place = place.defined() ? scaled(place, extents[i]) + element : element;
    const Expr factor = places[i].weight(tap);
    weight = weight.defined() ? weight * factor : factor;
  }
  return {is_inside.defined() ? select(is_inside, place, -1) : place, weight};
}

}  // namespace

std::vector<Func> frames(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const Expr place = scaled(vars[1], operands.attributes.sizes("frame_step").at(0)) + vars[2];
  Expr value = read(operands, 0, {vars[0], place, vars[3]});
  if (operands.has_input(1)) value = value * read(operands, 1, {vars[2]});
  return {output(operands, vars, value)};
}

std::vector<Func> sample_places(const OperatorOperands& operands) {
  const Sizes extents = operands.attributes.sizes("extents");
  const auto padding = operands.attributes.get<std::string>("padding_mode");
  const bool align_corners = operands.attributes.get<std::int64_t>("align_corners") == 1;
  const std::vector<Var> vars = index_vars(operands.output().shape);
  std::vector<SamplePlace> places;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    std::vector<Expr> at{vars[0]};
    at.insert(at.end(), vars.begin() + 3, vars.end());
    places.push_back(grid_place(operands, 0, at, i, extents));
  }
  const auto reflected = [&](const Expr& element, std::size_t dim) {
    return reflected_element(element, extents[dim], align_corners);
  };
  const auto kept = [](const Expr& element, std::size_t) { return element; };
  Corner corner = padding == "reflection" ? corner_of(places, extents, vars[2], reflected)
                  : padding == "border"   ? corner_of(places, extents, vars[2], kept)
                                          : corner_of(places, extents, vars[2], nullptr);
  return {output(operands, 0, vars, corner.place), output(operands, 1, vars, corner.weight)};
}

std::vector<Func> window_places(const OperatorOperands& operands) {
  const Attributes& attributes = operands.attributes;
  const Sizes extents = attributes.sizes("extents");
  const Shape& out = operands.output().shape;
  const std::vector<Var> vars = index_vars(out);
  const auto& kernel = attributes.get<Ints>("kernel_shape");
  const auto &strides = attributes.get<Ints>("strides"), &dilations = attributes.get<Ints>("dilations"),
             &pads = attributes.get<Ints>("pads");
  const auto at_place = [&](const Expr& channel) {
    std::vector<Expr> at{vars[0], channel};
    at.insert(at.end(), vars.begin() + 3, vars.end());
    return at;
  };
  const std::size_t rank = extents.size();
  std::vector<SamplePlace> places;
  Expr rest = vars[1];
  std::vector<Expr> taps(rank);
  for (std::size_t i = rank; i-- > 0;) {
    taps[i] = rest % index(kernel[i]);
    rest = divided(rest, kernel[i]);
  }
  for (std::size_t i = 0; i < rank; ++i) {
    const WindowAxis axis{extents[i], out[i + 3], kernel[i], strides[i], dilations[i], pads[i], 0};
    const Expr channel = scaled(vars[1], rank) + index(static_cast<std::int64_t>(i));
    const Expr offset = accumulated(read(operands, 0, at_place(channel)));
    const Expr position = cast(offset.type(), axis.element(vars[i + 3], taps[i])) + offset;
    places.emplace_back("linear", position, extents[i]);
  }
  Corner corner = corner_of(places, extents, vars[2], nullptr);
  if (operands.has_input(1))
    corner.weight = corner.weight * accumulated(read(operands, 1, at_place(vars[1])));
  return {output(operands, 0, vars, corner.place), output(operands, 1, vars, corner.weight)};
}

std::vector<Func> samples(const OperatorOperands& operands) {
  const Shape &x = operands.infos[0].shape, &at = operands.infos[1].shape;
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const Size groups = operands.attributes.get<std::int64_t>("groups");
  Expr tap = vars[2];
  if (groups != Size(1))
    tap = scaled(divided(vars[1], quotient(x[1], groups)), quotient(at[1], groups)) + tap;
  Expr value;
  for (std::int64_t corner = 0; corner < at[2].value(); ++corner) {
    const std::vector<Expr> of_corner{vars[0], tap, index(corner), vars[3]};
    const Expr place = read(operands, 1, of_corner);
    const Expr element = accumulated(read(operands, 0, {vars[0], vars[1], clamp(place, 0, index(x[2] - 1))}));
    const Expr term = select(place >= 0, element, cast(element.type(), 0)) * read(operands, 2, of_corner);
    value = value.defined() ? value + term : term;
  }
  return {output(operands, vars, value)};
}

}  // namespace tensordsl::ops::definitions
