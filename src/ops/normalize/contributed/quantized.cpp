// QLinear operators: quantized inputs and outputs of one scale each. Sums and products are computed from the
// quantized numbers and rounded once, as ONNX Runtime's kernels do; the others are the float operator between
// a DequantizeLinear and a QuantizeLinear.
#include <fmt/format.h>

#include "ops/element_types.h"
#include "ops/normalize/contributed/contributed_rules.h"
#include "ops/normalize/contributed/rewrite.h"

namespace tensordsl::ops::normalize::contributed {
namespace {

void require_quantized(const Rewrite& made, std::size_t i, std::size_t zero) {
  require_type(made, i, {Int(8), UInt(8)});
  if (made.has(zero) && made.info(zero).type != made.info(i).type) {
    refuse(made.node(), fmt::format("inputs {} and {} are {} and {}; their types must be the same", i, zero,
                                    to_string(made.info(i)), to_string(made.info(zero))));
  }
}

std::string one(Rewrite& made) { return made.scalar("one", Float(32), 1); }

/// `value` and the zero point, input `zero`, rounded together.
void give_rounded(Rewrite& made, std::string value, std::size_t zero, Type type) {
  if (made.has(zero)) {
    const std::string offset = made.cast("zero_value", made.scalar("zero", zero), Float(32));
    value = made.add("shifted", "Add", {value, offset});
  }
  made.give(0, made.quantize("rounded", value, one(made), "", type));
}

/// An operator of inputs (X, X_scale, X_zero_point, Y_scale, Y_zero_point).
struct Unary : Rewrite {
  Unary(NodeContext& context, const Node& node) : Rewrite(context, node) {
    require_quantized(*this, 0, 2);
    if (has(4) && info(4).type != info(0).type) {
      refuse(node, fmt::format("inputs 0 and 4 are {} and {}; their types must be the same",
                               to_string(info(0)), to_string(info(4))));
    }
  }

  std::string x() { return dequantize("x", input(0), scalar("x_scale", 1), zero("x_zero", 2)); }
  std::string zero(const std::string& step, std::size_t i) { return has(i) ? scalar(step, i) : ""; }
  std::vector<Node> quantized(const std::string& y) {
    give(0, quantize("quantized", y, scalar("y_scale", 3), zero("y_zero", 4), info(0).type));
    return take();
  }
};

}  // namespace

std::vector<Node> qlinear_add(NodeContext& context, Node node) {
  Rewrite made(context, node);
  require_quantized(made, 0, 2);
  require_quantized(made, 3, 5);
  const std::string c = made.scalar("c_scale", 6);
  const auto term = [&](const std::string& name, std::size_t i) {
    const std::string ratio = made.add(name + "_ratio", "Div", {made.scalar(name + "_scale", i + 1), c});
    return made.dequantize(name, made.input(i), ratio,
                           made.has(i + 2) ? made.scalar(name + "_zero", i + 2) : "");
  };
  const std::string a = term("a", 0), b = term("b", 3);
  give_rounded(made, made.add("sum", "Add", {a, b}), 7, made.info(0).type);
  return made.take();
}

std::vector<Node> qlinear_mul(NodeContext& context, Node node) {
  Rewrite made(context, node);
  require_quantized(made, 0, 2);
  require_quantized(made, 3, 5);
  const auto factor = [&](const std::string& name, std::size_t i) {
    return made.dequantize(name, made.input(i), one(made),
                           made.has(i + 2) ? made.scalar(name + "_zero", i + 2) : "");
  };
  const std::string a = factor("a", 0), b = factor("b", 3);
  const std::string scales =
      made.add("scales", "Mul", {made.scalar("a_scale", 1), made.scalar("b_scale", 4)});
  const std::string ratio = made.add("ratio", "Div", {scales, made.scalar("c_scale", 6)});
  const std::string product = made.add("product", "Mul", {a, b});
  give_rounded(made, made.add("scaled", "Mul", {product, ratio}), 7, made.info(0).type);
  return made.take();
}

std::vector<Node> qlinear_sigmoid(NodeContext& context, Node node) {
  Unary made(context, node);
  return made.quantized(made.add("sigmoid", "Sigmoid", {made.x()}));
}

std::vector<Node> qlinear_leaky_relu(NodeContext& context, Node node) {
  Unary made(context, node);
  return made.quantized(made.add("leaky_relu", "LeakyRelu", {made.x()}, made.attributes({"alpha"})));
}

std::vector<Node> qlinear_average_pool(NodeContext& context, Node node) {
  Unary made(context, node);
  const bool is_last = made.flag("channels_last");
  const std::size_t rank = made.shape(0).size();
  if (rank < 3) refuse(node, fmt::format("input 0 is {}; it must be [N,C,..]", to_string(made.info(0))));
  std::string x = made.x();
  if (is_last) x = made.channels_first("channels_first", x, rank);
  // A window past the end of the pads is divided by all of its taps, where ONNX divides by those before it.
  const bool is_whole = made.flag("ceil_mode") && made.flag("count_include_pad");
  std::string y = made.add(
      "pool", is_whole ? "WholeAveragePool" : "AveragePool", {x},
      made.attributes({"auto_pad", "ceil_mode", "count_include_pad", "kernel_shape", "pads", "strides"}));
  if (is_last) y = made.channels_last("channels_last", y, rank);
  give_rounded(made, made.add("ratio", "Div", {y, made.scalar("y_scale", 3)}), 4, made.info(0).type);
  return made.take();
}

std::vector<Node> qlinear_conv(NodeContext& context, Node node) {
  Rewrite made(context, node);
  const bool is_last = made.flag("channels_last");
  const std::size_t rank = made.shape(0).size();
  if (rank < 3) refuse(node, fmt::format("input 0 is {}; it must be [N,C,..]", to_string(made.info(0))));
  std::vector<std::string> inputs = node.inputs;
  if (is_last) inputs[0] = made.channels_first("channels_first", inputs[0], rank);
  std::string y =
      made.add("conv", "QLinearConv", inputs,
               made.attributes({"auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"}));
  if (is_last) y = made.channels_last("channels_last", y, rank);
  made.give(0, y);
  return made.take();
}

std::vector<Node> qlinear_global_average_pool(NodeContext& context, Node node) {
  Unary made(context, node);
  const Shape& x = made.shape(0);
  if (x.size() < 3) refuse(node, fmt::format("input 0 is {}; it must be [N,C,..]", to_string(made.info(0))));
  const std::size_t first = made.flag("channels_last") ? 1 : 2;
  Ints axes;
  Size count = 1;
  for (std::size_t d = first; d < first + x.size() - 2; ++d) {
    axes.push_back(static_cast<std::int64_t>(d));
    count *= x[d];
  }
  // The sum of integers is exact, and is scaled once.
  const std::string numbers = made.dequantize("x", made.input(0), one(made), made.zero("x_zero", 2));
  const std::string sum =
      made.add("sum", "ReduceSum", {numbers}, attributes_of({{"axes", axes}, {"keepdims", std::int64_t{1}}}));
  const std::string elements = made.cast(
      "elements", made.add("count", "Size", {}, attributes_of({{"sizes", Sizes{count}}})), Float(32));
  const std::string divisor = made.add("divisor", "Mul", {made.scalar("y_scale", 3), elements});
  const std::string ratio = made.add("ratio", "Div", {made.scalar("x_scale", 1), divisor});
  const std::string mean = made.add("mean", "Mul", {sum, ratio});
  made.give(0, made.quantize("quantized", mean, one(made), made.zero("y_zero", 4), made.info(0).type));
  return made.take();
}

std::vector<Node> qlinear_concat(NodeContext& context, Node node) {
  Rewrite made(context, node);
  if (node.inputs.size() % 3 != 2) {
    refuse(node, fmt::format("{} inputs are given; it takes 2, and 3 for each tensor", node.inputs.size()));
  }
  std::vector<std::string> parts;
  for (std::size_t i = 2; i < node.inputs.size(); i += 3) {
    require_quantized(made, i, i + 2);
    parts.push_back(made.dequantize("part", made.input(i), made.scalar("part_scale", i + 1),
                                    made.has(i + 2) ? made.scalar("part_zero", i + 2) : ""));
  }
  const auto rank = static_cast<std::int64_t>(made.shape(2).size());
  const std::size_t axis =
      axis_from_start(node, node.attributes.get<std::int64_t>("axis"), static_cast<std::size_t>(rank));
  const std::string whole = made.concat("whole", parts, static_cast<std::int64_t>(axis));
  const Type type = made.has(1) ? made.info(1).type : made.info(2).type;
  made.give(0, made.quantize("quantized", whole, made.scalar("y_scale", 0),
                             made.has(1) ? made.scalar("y_zero", 1) : "", type));
  return made.take();
}

std::vector<Node> qlinear_softmax(NodeContext& context, Node node) {
  Unary made(context, node);
  const Shape& shape = made.shape(0);
  const bool is_flat = node.attributes.get<std::int64_t>("opset") < 13;
  const std::size_t axis = axis_from_start(node, made.integer("axis", is_flat ? 1 : -1), shape.size());
  std::string x = made.x();
  if (is_flat) {
    const auto at = shape.begin() + static_cast<std::ptrdiff_t>(axis);
    x = made.reshape("flat", x,
                     {element_count(Shape(shape.begin(), at)), element_count(Shape(at, shape.end()))});
  }
  std::string y =
      made.add("softmax", "Softmax", {x},
               attributes_of({{"axis", is_flat ? std::int64_t{1} : static_cast<std::int64_t>(axis)}}));
  if (is_flat) y = made.reshape("unflattened", y, shape);
  // The kernel of ONNX Runtime multiplies by a whole number of steps, 256 of 1/256.
  const std::string inverse = made.add("inverse", "Reciprocal", {made.scalar("y_scale", 3)});
  const std::string steps = made.add("steps", "Floor", {inverse});
  const std::string scaled = made.add("scaled", "Mul", {y, steps});
  made.give(0, made.quantize("quantized", scaled, one(made), made.zero("y_zero", 4), made.info(0).type));
  return made.take();
}

}  // namespace tensordsl::ops::normalize::contributed
