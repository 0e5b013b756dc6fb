// Operators that shift and scale elements by statistics of a group of them.
#include <algorithm>

#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"
#include "tensordsl/boundary.h"

namespace tensordsl::ops::definitions {
namespace {

/// A group of elements for each `vars`: the element at a point of an RDom, and the index at which the group's
/// result is stored.
struct Group {
  std::vector<Var> vars;
  Expr element;
  std::vector<Expr> row;
  Size count;
};

/// Groups the elements that differ only along `axes`. Indices of the row along these axes are 0.
Group group_along(const OperatorOperands& operands, const Ints& axes) {
  const Shape& x = operands.infos[0].shape;
  std::vector<std::pair<Expr, Expr>> ranges;
  for (const std::int64_t axis : axes) ranges.emplace_back(0, index(x[static_cast<std::size_t>(axis)]));
  const RDom r(ranges, "r");
  Group group{index_vars(x), {}, {}, 1};
  std::vector<Expr> at(group.vars.begin(), group.vars.end());
  group.row = at;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto axis = static_cast<std::size_t>(axes[i]);
    at[axis] = r[static_cast<int>(i)];
    group.row[axis] = 0;
    group.count *= x[axis];
  }
  group.element = accumulated(read(operands, 0, at));
  return group;
}

Ints axes_from(std::int64_t first, std::size_t rank) {
  Ints axes;
  for (std::int64_t d = first; d < static_cast<std::int64_t>(rank); ++d) axes.push_back(d);
  return axes;
}

/// The Func `name`, which is the sum of `part`.
Func group_sum(const Group& group, const std::string& name, const Expr& part) {
  Func sum(name);
  sum(group.vars) += part;
  return sum;
}

/// The mean and variance of each group, in two passes: squares are taken of the differences from the mean,
/// which avoids cancellation.
struct Moments {
  Moments(const OperatorOperands& operands, const Group& group)
      : count(number(group.element.type(), group.count)),
        sum(group_sum(group, operands.name + "_sum", group.element)),
        squares(operands.name + "_squares") {
    const Expr difference = group.element - mean(group.row);
    squares(group.vars) += difference * difference;
  }

  Expr mean(const std::vector<Expr>& row) const { return sum(row) / count; }
  Expr variance(const std::vector<Expr>& row) const { return squares(row) / count; }

  Expr count;
  Func sum, squares;
};

Expr epsilon(const OperatorOperands& operands) { return operands.attributes.get<double>("epsilon"); }

}  // namespace

std::vector<Func> group_normalization(const OperatorOperands& operands) {
  const Shape& x = operands.infos[0].shape;
  const std::int64_t groups = operands.attributes.get<std::int64_t>("num_groups");
  const Size channels = quotient(x[1], groups);
  const std::vector<Var> vars = image_vars(x);

  std::vector<std::pair<Expr, Expr>> ranges{{0, index(channels)}};
  for (std::size_t d = 2; d < x.size(); ++d) ranges.emplace_back(0, index(x[d]));
  const RDom r(ranges, "r");
  std::vector<Expr> at{vars[0], scaled(vars[1], channels) + r[0]};
  for (int i = 1; i < r.rank(); ++i) at.emplace_back(r[i]);
  const Moments moments(operands, {{vars[0], vars[1]},
                                   accumulated(read(operands, 0, at)),
                                   {vars[0], vars[1]},
                                   channels * element_count(Shape(x.begin() + 2, x.end()))});

  const Expr of_channel = divided(vars[1], channels);
  const std::vector<Expr> row{vars[0], of_channel};
  // In opset 18 each group has a scale and a bias; later each channel has.
  const auto parameter = [&](std::size_t i) {
    return read(operands, i, {operands.infos[i].shape[0] == x[1] ? Expr(vars[1]) : of_channel});
  };
  const Expr factor = parameter(1) / sqrt(moments.variance(row) + epsilon(operands));
  const Expr value = (read_broadcast(operands, 0, vars) - moments.mean(row)) * factor + parameter(2);
  return {output(operands, vars, value)};
}

std::vector<Func> instance_normalization(const OperatorOperands& operands) {
  const Shape& x = operands.infos[0].shape;
  const Group group = group_along(operands, axes_from(2, x.size()));
  const Moments moments(operands, group);
  const std::vector<Var> vars = index_vars(x);
  const Expr scale = read(operands, 1, {vars[1]}), bias = read(operands, 2, {vars[1]});
  const Expr factor = scale / sqrt(moments.variance(group.row) + epsilon(operands));
  const Expr value = (read_broadcast(operands, 0, vars) - moments.mean(group.row)) * factor + bias;
  return {output(operands, vars, value)};
}

std::vector<Func> layer_normalization(const OperatorOperands& operands) {
  const Shape& x = operands.infos[0].shape;
  const Group group =
      group_along(operands, axes_from(operands.attributes.get<std::int64_t>("axis"), x.size()));
  const Moments moments(operands, group);
  const Expr mean = moments.mean(group.row);
  const Expr inverse_deviation = 1 / sqrt(moments.variance(group.row) + epsilon(operands));

  Expr value = (read_broadcast(operands, 0, group.vars) - mean) * inverse_deviation *
               read_broadcast(operands, 1, group.vars);
  if (operands.has_input(2)) value = value + read_broadcast(operands, 2, group.vars);
  std::vector<Func> results{output(operands, group.vars, value)};
  const auto add_statistic = [&](const char* name, const Expr& statistic) {
    if (results.size() == operands.outputs.size()) return;
    Func result(operands.name + name);
    result(group.vars) = cast(operands.outputs[results.size()].type, statistic);
    results.push_back(result);
  };
  add_statistic("_mean", mean);
  add_statistic("_inverse_deviation", inverse_deviation);
  return results;
}

std::vector<Func> lp_normalization(const OperatorOperands& operands) {
  const Group group = group_along(operands, {operands.attributes.get<std::int64_t>("axis")});
  const bool is_euclidean = operands.attributes.get<std::int64_t>("p") == 2;
  const Expr part = is_euclidean ? group.element * group.element : abs(group.element);
  const Expr sum = group_sum(group, operands.name + "_sum", part)(group.row);
  const Expr norm = is_euclidean ? sqrt(sum) : sum;
  const Expr value = read_broadcast(operands, 0, group.vars) / norm;
  return {output(operands, group.vars, select(norm == 0, 0, value))};
}

std::vector<Func> lrn(const OperatorOperands& operands) {
  const auto number_of = [&](const char* name) { return operands.attributes.get<double>(name); };
  const std::int64_t size = operands.attributes.get<std::int64_t>("size");
  const Shape& x = operands.infos[0].shape;
  const std::vector<Var> vars = image_vars(x);
  std::vector<Expr> extents(x.size());
  extents[1] = index(x[1]);
  const Func padded = BoundaryConditions::constant(operands.input(0), 0, extents, operands.name + "_padded");

  const RDom r({{0, index(size)}}, "r");
  std::vector<Expr> at(vars.begin(), vars.end());
  at[1] = shifted(vars[1] + r, -((size - 1) / 2));
  const Expr element = accumulated(padded(at));
  Func sum(operands.name + "_sum");
  sum(vars) += element * element;
  const Expr base = number_of("bias") + number_of("alpha") / static_cast<double>(size) * sum(vars);
  return {output(operands, vars, read_broadcast(operands, 0, vars) / pow(base, number_of("beta")))};
}

std::vector<Func> mean_variance_normalization(const OperatorOperands& operands) {
  const Group group = group_along(operands, operands.attributes.get<Ints>("axes"));
  const Moments moments(operands, group);
  const Expr deviation = sqrt(moments.variance(group.row)) + 1e-9;
  const Expr difference = read_broadcast(operands, 0, group.vars) - moments.mean(group.row);
  return {output(operands, group.vars, difference / deviation)};
}

std::vector<Func> rms_normalization(const OperatorOperands& operands) {
  const Shape& x = operands.infos[0].shape;
  const Group group =
      group_along(operands, axes_from(operands.attributes.get<std::int64_t>("axis"), x.size()));
  const Func squares = group_sum(group, operands.name + "_squares", group.element * group.element);
  const Expr mean = squares(group.row) / number(squares.type(), group.count);
  const Expr value = read_broadcast(operands, 0, group.vars) / sqrt(mean + epsilon(operands));
  return {output(operands, group.vars, value * read_broadcast(operands, 1, group.vars))};
}

}  // namespace tensordsl::ops::definitions
