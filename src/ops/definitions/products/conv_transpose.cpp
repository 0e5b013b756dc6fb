#include <numeric>
#include <optional>

#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"
#include "ops/shapes/windows.h"
#include "tensordsl/boundary.h"

namespace tensordsl::ops::definitions {
namespace {

/// One spatial dimension. Input element e and tap k go into output element e * stride + k * dilation - begin.
/// An output element o takes the taps for which o + begin - k * dilation is a multiple of the stride: every
/// step-th one, or none.
struct TransposedAxis {
  Size in;
  std::int64_t kernel, stride, dilation, begin;

  std::int64_t common() const { return std::gcd(stride, dilation); }
  std::int64_t step() const { return stride / common(); }
  /// Returns the most taps that go into an output element.
  std::int64_t taps() const { return (kernel + step() - 1) / step(); }

  /// The first tap that goes into it.
  Expr first_tap(const Expr& output) const {
    if (step() == 1) return 0;
    // The dilation's inverse modulo the step.
    std::int64_t inverse = 1;
    while (inverse * (dilation / common()) % step() != 1) ++inverse;
    return scaled(divided(shifted(output, begin), common()), inverse) % index(step());
  }
  Expr tap(const Expr& output, const Expr& r) const {
    return step() == 1 ? r : first_tap(output) + scaled(r, step());
  }
  /// The input element that the r-th tap of the output element reads.
  Expr element(const Expr& output, const Expr& r) const {
    Expr position = shifted(output, begin);
    if (dilation > 1 && step() > 1) position = position - scaled(first_tap(output), dilation);
    return divided(position, stride) - scaled(r, dilation / common());
  }
  /// True if there is an r-th tap; nullopt if there always is.
  std::optional<Expr> has_tap(const Expr& output, const Expr& r) const {
    std::optional<Expr> test;
    if (common() > 1) test = shifted(output, begin) % index(common()) == 0;
    if (kernel % step() != 0) {
      const Expr inside = tap(output, r) < index(kernel);
      test = test ? *test && inside : inside;
    }
    return test;
  }
};

std::vector<TransposedAxis> transposed_axes(const OperatorOperands& operands) {
  const Window window = Window::of(operands.attributes);
  std::vector<TransposedAxis> axes;
  for (std::size_t i = 0; i < window.rank(); ++i) {
    axes.push_back({operands.infos[0].shape[i + 2], window.kernel[i], window.strides[i], window.dilations[i],
                    window.pads[i]});
  }
  return axes;
}

}  // namespace

std::vector<Func> conv_transpose(const OperatorOperands& operands) {
  const Ints weights = known(operands.infos[1].shape);
  const std::int64_t groups = operands.attributes.get<std::int64_t>("group");
  const std::int64_t inputs_per_group = weights[0] / groups, outputs_per_group = weights[1];
  const std::vector<TransposedAxis> axes = transposed_axes(operands);
  const std::vector<Var> vars = image_vars(operands.output().shape);

  std::vector<std::pair<Expr, Expr>> ranges;
  for (const TransposedAxis& axis : axes) ranges.emplace_back(0, index(axis.taps()));
  ranges.emplace_back(0, index(inputs_per_group));
  const RDom r(ranges, "r");

  Expr in_channel = r.axes().back(), out_channel_in_group = vars[1];
  if (groups > 1) {
    in_channel = scaled(divided(vars[1], outputs_per_group), inputs_per_group) + in_channel;
    out_channel_in_group = vars[1] % index(outputs_per_group);
  }

  std::vector<Expr> at{vars[0], in_channel}, weight_at{in_channel, out_channel_in_group}, extents(2);
  Expr is_there;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Expr tap = r[static_cast<int>(i)], place = vars[i + 2];
    at.push_back(axes[i].element(place, tap));
    const Expr weight = axes[i].tap(place, tap);
    weight_at.push_back(axes[i].kernel % axes[i].step() == 0 ? weight
                                                             : min(weight, index(axes[i].kernel - 1)));
    extents.push_back(index(axes[i].in));
    if (const auto test = axes[i].has_tap(place, tap))
      is_there = is_there.defined() ? is_there && *test : *test;
  }

  const Func x = BoundaryConditions::constant(operands.input(0), 0, extents, operands.name + "_padded");
  Expr product = accumulated(x(at)) * accumulated(read(operands, 1, weight_at));
  if (is_there.defined()) product = select(is_there, product, 0);
  Func sum(operands.name + "_sum");
  sum(vars) += product;

  Expr value = sum(vars);
  if (operands.has_input(2)) value = value + read(operands, 2, {vars[1]});
  return {output(operands, vars, value)};
}

}  // namespace tensordsl::ops::definitions
