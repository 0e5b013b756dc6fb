#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"
#include "ops/definitions/resampling/interpolation.h"
#include "ops/definitions/windows/window_axis.h"
#include "tensordsl/boundary.h"

namespace tensordsl::ops::definitions {

std::vector<Func> deform_conv(const OperatorOperands& operands) {
  const Attributes& attributes = operands.attributes;
  const Ints weights = known(operands.infos[1].shape);
  const std::int64_t groups = attributes.get<std::int64_t>("group");
  const std::int64_t offset_groups = attributes.get<std::int64_t>("offset_group");
  const std::int64_t inputs_per_group = weights[1], outputs_per_group = weights[0] / groups;
  const std::int64_t inputs_per_offset = inputs_per_group * groups / offset_groups;
  const std::vector<WindowAxis> axes = window_axes(operands);
  const std::vector<Var> vars = image_vars(operands.output().shape);

  auto ranges = tap_ranges(axes);
  ranges.emplace_back(0, index(inputs_per_group));
  const RDom r(ranges, "r");
  const Expr channel_in_group = r.axes().back();
  Expr in_channel = channel_in_group;
  if (groups > 1)
    in_channel = scaled(divided(vars[1], outputs_per_group), inputs_per_group) + channel_in_group;

  // The channel of the mask; the offsets have as many channels as dimensions for each of the mask's.
  Expr of_tap = divided(in_channel, inputs_per_offset);
  for (std::size_t i = 0; i < axes.size(); ++i)
    of_tap = scaled(of_tap, axes[i].kernel) + r[static_cast<int>(i)];
  const auto at_place = [&](const Expr& channel) {
    std::vector<Expr> at{vars[0], channel};
    at.insert(at.end(), vars.begin() + 2, vars.end());
    return at;
  };

  const auto rank = static_cast<std::int64_t>(axes.size());
  std::vector<SamplePlace> places;
  std::vector<Expr> extents(2), weight_at{vars[1], channel_in_group};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Expr tap = r[static_cast<int>(i)];
    const Expr channel = scaled(of_tap, rank) + index(static_cast<std::int64_t>(i));
    const Expr offset = accumulated(read(operands, 2, at_place(channel)));
    const Expr position = cast(offset.type(), axes[i].element(vars[i + 2], tap)) + offset;
    places.emplace_back("linear", position, axes[i].in);
    extents.push_back(index(axes[i].in));
    weight_at.push_back(tap);
  }

  const Func image = BoundaryConditions::constant(operands.input(0), 0, extents, operands.name + "_padded");
  Expr sample;
  for (std::uint32_t corner = 0; corner < (1U << axes.size()); ++corner) {
    std::vector<Expr> at{vars[0], in_channel};
    Expr weight;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const Expr tap = static_cast<int>(corner >> (axes.size() - 1 - i) & 1U);
      at.push_back(places[i].element(tap));
      const Expr factor = places[i].weight(tap);
      weight = weight.defined() ? weight * factor : factor;
    }
    const Expr term = accumulated(image(at)) * weight;
    sample = sample.defined() ? sample + term : term;
  }
  if (operands.has_input(4)) sample = sample * accumulated(read(operands, 4, at_place(of_tap)));

  Func sum(operands.name + "_sum");
  sum(vars) += sample * accumulated(read(operands, 1, weight_at));
  Expr value = sum(vars);
  if (operands.has_input(3)) value = value + read(operands, 3, {vars[1]});
  return {output(operands, vars, value)};
}

}  // namespace tensordsl::ops::definitions
