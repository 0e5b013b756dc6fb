// Tests what import accepts, the canonical form of nodes, and the errors for the rest.
#include <doctest/doctest.h>

#include <limits>

#include "onnx/evaluate_node.h"
#include "support/onnx_model.h"

using namespace tensordsl;
using namespace tensordsl::onnx;
using namespace tensordsl::ops;
using namespace tensordsl::testing;

namespace {

/// The lines of the nodes of `model`.
std::string nodes(const OnnxModel& model) {
  const std::string text = to_string(model.import());
  const std::size_t begin = text.find("\n%") + 1, end = text.find("output ");
  return begin == 0 ? "" : text.substr(begin, end - begin);
}

/// An OnnxModel with a symbolic batch.
OnnxModel symbolic(const std::string& dim) {
  OnnxModel model = one_node("Relu", {1, 3});
  auto* shape =
      model.proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
  shape->mutable_dim(0)->Clear();
  if (!dim.empty()) shape->mutable_dim(0)->set_dim_param(dim);
  return model;
}

}  // namespace

TEST_CASE("import: a model becomes a graph of typed tensors") {
  OnnxModel model;
  model.input("x", {1, 2, 4, 4}).floats("w", {3, 2, 3, 3}, Floats(54, 1.0F)).floats("b", {3}, {1, 2, 3});
  model.node("Conv", {"x", "w", "b"}, {"c"}, {attribute("auto_pad", "SAME_UPPER")})
      .node("Relu", {"c"}, {"y"});
  model.output("y", {1, 3, 4, 4});
  const Graph graph = model.import();
  CHECK(to_string(graph) ==
        "graph test (opset 17)\n"
        "input %x: f32[1,2,4,4]\n"
        "%c: f32[1,3,4,4] = Conv(%x, w: f32[3,2,3,3], b: f32[3]) "
        "{dilations=[1,1], group=1, kernel_shape=[3,3], pads=[1,1,1,1], strides=[1,1]}\n"
        "%y: f32[1,3,4,4] = Relu(%c)\n"
        "output %y: f32[1,3,4,4]\n");
  CHECK(graph.constants.at("b").get(2) == 3);
}

TEST_CASE("import: an initializer that is listed as an input is a constant") {
  OnnxModel model;
  model.input("x", {2}).input("k", {2}).floats("k", {2}, {1, 2}).node("Add", {"x", "k"}, {"y"}).output("y");
  CHECK(model.import().inputs == Names{"x"});
}

TEST_CASE("import: Constant nodes become constants") {
  OnnxModel model;
  auto value = attribute("value", ::onnx::AttributeProto::TENSOR);
  value.mutable_t()->set_data_type(::onnx::TensorProto::FLOAT);
  value.mutable_t()->add_dims(2);
  value.mutable_t()->add_float_data(1);
  value.mutable_t()->add_float_data(2);
  model.input("x", {2})
      .node("Constant", {}, {"a"}, {value})
      .node("Constant", {}, {"b"}, {attribute("value_float", 3.0F)});
  model.node("Add", {"x", "a"}, {"s"}).node("Add", {"s", "b"}, {"y"}).output("y");
  CHECK(nodes(model) == "%s: f32[2] = Add(%x, a: f32[2])\n%y: f32[2] = Add(%s, b: f32[])\n");
  CHECK(model.import().constants.at("a").get(1) == 2);
  OnnxModel wrong;
  wrong.node("Constant", {}, {"y"}, {attribute("value_string", "a")}).output("y");
  CHECK(wrong.error() ==
        "m.onnx: node 'y' (Constant): attribute value_string is not supported; "
        "supported attributes: sparse_value, value, value_float, value_floats, value_int, value_ints");
  OnnxModel empty;
  empty.node("Constant", {}, {"y"}).output("y");
  CHECK(empty.error() == "m.onnx: node 'y' (Constant): it has 0 attributes; it must have one, its value");
}

TEST_CASE("import: a constant is seen through an Identity where an operand must be known") {
  OnnxModel model;
  model.input("x", {2, 6})
      .ints("s", {2}, {3, 4})
      .node("Identity", {"s"}, {"t"})
      .node("Reshape", {"x", "t"}, {"y"});
  CHECK(nodes(model.output("y")) == "%y: f32[3,4] = Reshape(%x) {shape=[3,4]}\n");
}

TEST_CASE("import: an operand that must be known is computed by the evaluator") {
  OnnxModel model;
  model.input("x", {2, 6}).ints("a", {1}, {3}).ints("b", {1}, {4});
  model.node("Concat", {"a", "b"}, {"s"}, {attribute("axis", 0)})
      .node("Reshape", {"x", "s"}, {"y"})
      .output("y");
  CHECK(model.error() ==
        "m.onnx: node 'y' (Reshape): the shape 's' is computed when the model runs; supported: a constant "
        "shape");
  ImportOptions options;
  options.evaluate = [](const Node& node, const std::vector<const Buffer*>& inputs) {
    CHECK(node.op == "Concat");
    Buffer both(Int(64), {2});
    for (int i = 0; i < 2; ++i) both.set_int(i, inputs[static_cast<std::size_t>(i)]->get_int(0));
    return std::vector<Buffer>{both};
  };
  CHECK(model.import(options).info("y").shape == Shape{3, 4});
}

TEST_CASE("opsets: the bounds of Clip are attributes from inputs and from attributes") {
  const std::string expected = "%y: f32[2] = Clip(%x) {max=6, min=0}\n";
  CHECK(nodes(one_node("Clip", {2}, {attribute("min", 0.0F), attribute("max", 6.0F)}, 7)) == expected);
  OnnxModel inputs;
  inputs.input("x", {2})
      .floats("lo", {}, {0})
      .floats("hi", {}, {6})
      .node("Clip", {"x", "lo", "hi"}, {"y"})
      .output("y");
  CHECK(nodes(inputs) == expected);
  OnnxModel upper;
  upper.input("x", {2}).floats("hi", {}, {6}).node("Clip", {"x", "", "hi"}, {"y"}).output("y");
  CHECK(nodes(upper) == "%y: f32[2] = Clip(%x) {max=6}\n");
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  CHECK(nodes(one_node("Clip", {2}, {attribute("min", 0.0F), attribute("max", kInfinity)}, 7)) ==
        "%y: f32[2] = Clip(%x) {min=0}\n");
  CHECK(nodes(one_node("Clip", {2}, {attribute("min", -kInfinity), attribute("max", 6.0F)}, 7)) ==
        "%y: f32[2] = Clip(%x) {max=6}\n");
}

TEST_CASE("opsets: Clip with computed bounds becomes Max and Min") {
  OnnxModel model;
  model.input("x", {2})
      .input("lo", {})
      .floats("hi", {}, {6})
      .node("Clip", {"x", "lo", "hi"}, {"y"})
      .output("y");
  CHECK(nodes(model) == "%y.min: f32[2] = Max(%x, %lo)\n%y: f32[2] = Min(%y.min, hi: f32[])\n");
}

TEST_CASE("opsets: a Concat of many inputs is one of several, and a Sum is additions") {
  OnnxModel model;
  Names names;
  for (int i = 0; i < 30; ++i) {
    names.push_back("x" + std::to_string(i));
    model.input(names.back(), {1});
  }
  model.node("Concat", names, {"y"}, {attribute("axis", 0)}).output("y");
  const Graph graph = model.import();
  REQUIRE(graph.nodes.size() == 3);
  CHECK(graph.nodes[0].inputs.size() == 15);
  CHECK(graph.nodes[1].inputs.size() == 15);
  CHECK(graph.nodes[2].inputs == Names{"y.part", "y.part.2"});
  OnnxModel sum;
  sum.input("a", {2}).input("b", {2}).node("Sum", {"a", "b", "a"}, {"y"}).output("y");
  CHECK(nodes(sum) == "%y.partial1: f32[2] = Add(%a, %b)\n%y: f32[2] = Add(%y.partial1, %a)\n");
}

TEST_CASE("import: what has no elements is a constant") {
  OnnxModel model;
  model.input("e", {0, 3}).input("x", {2, 3}).node("Relu", {"e"}, {"r"});
  model.node("Concat", {"r", "x"}, {"y"}, {attribute("axis", 0)}).output("y").output("r").output("e");
  const Graph graph = model.import();
  CHECK(nodes(model) == "%y: f32[2,3] = Concat(%x) {axis=0}\n");
  CHECK(graph.inputs == Names{"e", "x"});
  CHECK(graph.constants.at("r").shape() == Shape{0, 3});
}

TEST_CASE("opsets: the axes of Squeeze and Unsqueeze are attributes from inputs and from attributes") {
  const std::string expected = "%y: f32[2,1] = Squeeze(%x) {axes=[0]}\n";
  CHECK(nodes(one_node("Squeeze", {1, 2, 1}, {attribute("axes", Ints{0})}, 11)) == expected);
  OnnxModel inputs;
  inputs.input("x", {1, 2, 1}).ints("a", {1}, {-3}).node("Squeeze", {"x", "a"}, {"y"}).output("y");
  CHECK(nodes(inputs) == expected);
  OnnxModel unsqueeze;
  unsqueeze.input("x", {2}).ints("a", {2}, {0, 2}).node("Unsqueeze", {"x", "a"}, {"y"}).output("y");
  CHECK(nodes(unsqueeze) == "%y: f32[1,2,1] = Unsqueeze(%x) {axes=[0,2]}\n");
}

TEST_CASE("opsets: Pad takes pads and value from inputs and from attributes") {
  const std::string expected = "%y: f32[3,5] = Pad(%x) {pads=[0,1,1,1], value=2}\n";
  CHECK(nodes(one_node("Pad", {2, 3}, {attribute("pads", Ints{0, 1, 1, 1}), attribute("value", 2.0F)}, 10)) ==
        expected);
  OnnxModel inputs;
  inputs.input("x", {2, 3})
      .ints("p", {4}, {0, 1, 1, 1})
      .floats("v", {}, {2})
      .node("Pad", {"x", "p", "v"}, {"y"});
  CHECK(nodes(inputs.output("y")) == expected);
  OnnxModel axes(18);
  axes.input("x", {2, 3}).ints("p", {2}, {1, 2}).ints("a", {1}, {-1}).node("Pad", {"x", "p", "", "a"}, {"y"});
  CHECK(nodes(axes.output("y")) == "%y: f32[2,6] = Pad(%x) {pads=[0,1,0,2], value=0}\n");
}

TEST_CASE("opsets: Softmax before 13 normalizes over all dimensions from its axis on") {
  CHECK(nodes(one_node("Softmax", {2, 3}, {}, 11)) == "%y: f32[2,3] = Softmax(%x) {axis=1}\n");
  CHECK(nodes(one_node("Softmax", {2, 3, 4}, {}, 13)) == "%y: f32[2,3,4] = Softmax(%x) {axis=2}\n");
  CHECK(nodes(one_node("Softmax", {2, 3, 4}, {}, 11)) ==
        "%y.flat: f32[2,12] = Reshape(%x) {shape=[2,12]}\n"
        "%y.softmax: f32[2,12] = Softmax(%y.flat) {axis=1}\n"
        "%y: f32[2,3,4] = Reshape(%y.softmax) {shape=[2,3,4]}\n");
}

TEST_CASE("opsets: names made by import avoid those of the model") {
  OnnxModel model(11);
  model.input("x", {2, 3, 4}).node("Softmax", {"x"}, {"y"}).node("Relu", {"y"}, {"y.flat"}).output("y.flat");
  CHECK(nodes(model).starts_with("%y.flat.2: f32[2,12] = Reshape(%x)"));
}

TEST_CASE("opsets: an operator that the model's operator set does not have is refused") {
  OnnxModel model(13);
  model.input("x", {2}).node("HardSwish", {"x"}, {"y"}).output("y");
  CHECK(model.error() == "m.onnx: node 'y': operator HardSwish is not in opset 13; it is in opsets 14 to 28");
}

TEST_CASE("opsets: Dropout gives back its input and its unused mask is dropped") {
  OnnxModel model(12);
  model.input("x", {2}).floats("r", {}, {0.5F}).node("Dropout", {"x", "r"}, {"y", "mask"}).output("y");
  CHECK(nodes(model) == "%y: f32[2] = Dropout(%x)\n");
  OnnxModel used(12);
  used.input("x", {2}).node("Dropout", {"x"}, {"y", "mask"}).output("y").output("mask");
  CHECK(nodes(used) == "%y: f32[2], %mask: bool[2] = Dropout(%x)\n");
  OnnxModel third(12);
  third.input("x", {1, 1, 4});
  third.node("AveragePool", {"x"}, {"y", "places"}, {attribute("kernel_shape", Ints{2})});
  third.output("y").output("places");
  CHECK(third.error() ==
        "m.onnx: node 'y' (AveragePool): its output 1 ('places') is used; supported: output 0");
  OnnxModel training(12);
  auto& flag = training.input("x", {2}).initializer("t", {}, ::onnx::TensorProto::BOOL);
  flag.add_int32_data(1);
  training.node("Dropout", {"x", "", "t"}, {"y"}).output("y");
  CHECK(training.error() ==
        "m.onnx: node 'y' (Dropout): training_mode = 1 is not supported; supported: 0 (inference)");
}

TEST_CASE("opsets: before 10 the mask of Dropout is of the type of the data") {
  OnnxModel model(9);
  model.input("x", {2}).node("Dropout", {"x"}, {"y", "mask"}).output("y").output("mask");
  CHECK(nodes(model) ==
        "%y: f32[2], %mask.bool: bool[2] = Dropout(%x)\n"
        "%mask: f32[2] = Cast(%mask.bool) {to=1}\n");
}

TEST_CASE("opsets: before 7 is_test says inference") {
  const auto with = [](int value) { return one_node("Dropout", {2}, {attribute("is_test", value)}, 6); };
  CHECK(nodes(with(1)) == "%y: f32[2] = Dropout(%x)\n");
  CHECK(with(0).error() ==
        "m.onnx: node 'y' (Dropout): attribute is_test = 0 is not supported; supported: 1 (inference)");
}

TEST_CASE("opsets: before 7 an operand lies along the dimensions that axis says") {
  const auto add = [](const Ints& second, int axis, int opset = 6) {
    OnnxModel model(opset);
    model.input("a", {2, 3, 4, 5}).input("b", second);
    model.node("Add", {"a", "b"}, {"y"}, {attribute("broadcast", 1), attribute("axis", axis)});
    return model.output("y");
  };
  const std::string aligned =
      "%y.aligned: f32[3,4,1] = Reshape(%b) {shape=[3,4,1]}\n"
      "%y: f32[2,3,4,5] = Add(%a, %y.aligned)\n";
  CHECK(nodes(add({3, 4}, 1)) == aligned);
  CHECK(nodes(add({3, 4}, -3)) == aligned);
  CHECK(nodes(add({4, 5}, 2)) == "%y: f32[2,3,4,5] = Add(%a, %b)\n");
  CHECK(add({4, 5}, 3).error() ==
        "m.onnx: node 'y' (Add): axis 3 does not fit an input 1 [4,5] to an input 0 of 4 dimensions");
  CHECK(add({4, 5}, 2, 7).error() ==
        "m.onnx: node 'y' (Add): attribute axis = 2 is not supported; supported attributes: none");
  OnnxModel slope(6);
  slope.input("x", {2, 3, 4}).input("s", {3}).node("PRelu", {"x", "s"}, {"y"}).output("y");
  CHECK(nodes(slope) ==
        "%y.aligned: f32[3,1] = Reshape(%s) {shape=[3,1]}\n"
        "%y: f32[2,3,4] = PRelu(%x, %y.aligned)\n");
}

TEST_CASE("opsets: the axes of a reduction are attributes from inputs and from attributes") {
  const std::string text = "%y: f32[2,1,4] = ReduceSum(%x) {axes=[1], keepdims=1, noop_with_empty_axes=0}\n";
  OnnxModel model;
  model.input("x", {2, 3, 4}).ints("axes", {1}, {-2}).node("ReduceSum", {"x", "axes"}, {"y"}).output("y");
  CHECK(nodes(model) == text);
  CHECK(nodes(one_node("ReduceSum", {2, 3, 4}, {attribute("axes", Ints{1})}, 11)) == text);
  OnnxModel computed;
  computed.input("x", {2, 3}).input("axes", {1}, ::onnx::TensorProto::INT64);
  CHECK(computed.node("ReduceSum", {"x", "axes"}, {"y"}).output("y").error() ==
        "m.onnx: node 'y' (ReduceSum): the axes 'axes' is an input and is not a constant; supported: "
        "a constant axes, as with --constant axes=VALUE");
  OnnxModel sum;
  sum.input("x", {2, 3}).ints("axis", {}, {-1}).node("CumSum", {"x", "axis"}, {"y"}).output("y");
  CHECK(nodes(sum) == "%y: f32[2,3] = CumSum(%x) {axis=1, exclusive=0, reverse=0}\n");
}

TEST_CASE("opsets: CastLike is Cast to the type of the other input") {
  OnnxModel model;
  model.input("x", {2})
      .input("like", {1}, ::onnx::TensorProto::UINT16)
      .node("CastLike", {"x", "like"}, {"y"});
  CHECK(nodes(model.output("y")) == "%y: u16[2] = Cast(%x) {to=4}\n");
}

TEST_CASE("opsets: a Mean of more inputs than a kernel has arguments is a quotient of a sum") {
  OnnxModel model;
  CHECK(nodes(OnnxModel().input("x", {2}).node("Mean", {"x", "x"}, {"y"}).output("y")) ==
        "%y: f32[2] = Mean(%x, %x)\n");
  model.input("x", {2}).node("Mean", Names(30, "x"), {"y"}).output("y");
  const std::string text = nodes(model);
  CHECK(
      text.ends_with("%y.sum: f32[2] = Add(%y.sum.partial28, %x)\n"
                     "%y: f32[2] = Div(%y.sum, y.count: f32[])\n"));
  CHECK(model.import().constants.at("y.count").get(0) == 30);
}

TEST_CASE("opsets: Min and Max of any number of inputs become binary") {
  OnnxModel model;
  model.input("a", {2})
      .input("b", {2})
      .input("c", {2})
      .node("Max", {"a", "b", "c"}, {"y"})
      .node("Min", {"y"}, {"z"});
  CHECK(nodes(model.output("z")) ==
        "%y.partial1: f32[2] = Max(%a, %b)\n"
        "%y: f32[2] = Max(%y.partial1, %c)\n"
        "%z: f32[2] = Identity(%y)\n");
}

TEST_CASE("opsets: a constant exponent of another type is converted") {
  OnnxModel model;
  model.input("x", {2}).ints("two", {}, {2}).node("Pow", {"x", "two"}, {"y"}).output("y");
  CHECK(nodes(model) == "%y: f32[2] = Pow(%x, y.exponent: f32[])\n");
  OnnxModel fraction;
  fraction.input("x", {2}, ::onnx::TensorProto::INT32).floats("e", {}, {0.5F}).node("Pow", {"x", "e"}, {"y"});
  CHECK(nodes(fraction.output("y")) == "%y: i32[2] = Pow(%x, e: f32[])\n");
}

TEST_CASE("opsets: BatchNormalization is for inference") {
  OnnxModel model(14);
  const Names inputs{"x", "s", "s", "s", "s"};
  model.input("x", {1, 2, 3, 3})
      .floats("s", {2}, {1, 1})
      .node("BatchNormalization", inputs, {"y"}, {attribute("training_mode", 1)});
  CHECK(
      model.output("y").error() ==
      "m.onnx: node 'y' (BatchNormalization): attribute training_mode = 1 is not supported; supported: 0, or "
      "weights as data");
}

TEST_CASE("opsets: BatchNormalization of weights goes by their own statistics") {
  OnnxModel model(14);
  model.input("x", {2})
      .floats("w", {1, 2, 2}, {1, 3, -5, -7})
      .floats("s", {2}, {2, 1})
      .floats("b", {2}, {0, 7});
  model.node("BatchNormalization", {"w", "s", "b", "b", "b"}, {"n"},
             {attribute("training_mode", 1), attribute("epsilon", 0.0F), attribute("momentum", 1.0F)});
  model.node("Add", {"n", "x"}, {"y"}).output("y");
  ImportOptions options;
  options.evaluate = evaluate_node;
  const Graph graph = model.import(options);
  REQUIRE(graph.is_constant("n"));
  CHECK(graph.constants.at("n").get(0) == -2);
  CHECK(graph.constants.at("n").get(1) == 2);
  CHECK(graph.constants.at("n").get(2) == 8);
  CHECK(graph.constants.at("n").get(3) == 6);
}

TEST_CASE("errors: operators and attributes that are not supported are named with what is") {
  const std::string text = one_node("Gelato", {2}).error();
  CHECK(
      text.starts_with("m.onnx: node 'y': operator Gelato (opset 17) is not supported; supported: Abs, Acos, "
                       "Acosh, Add, AffineGrid, And, "));
  CHECK(text.find(", Concat, Constant, ConstantOfShape, Conv, ") != std::string::npos);
  OnnxModel custom = one_node("Relu", {2});
  custom.proto.mutable_graph()->mutable_node(0)->set_domain("com.example");
  CHECK(custom.error() ==
        "m.onnx: node 'y': operator Relu of the domain 'com.example' is not supported; supported: operators "
        "of ONNX's own domain and of com.microsoft, and those that a C++ program defines in "
        "ModelOptions::operators, here none");
  custom.proto.mutable_graph()->mutable_node(0)->set_domain("com.microsoft");
  const std::string contributed = custom.error();
  CHECK(contributed.starts_with(
      "m.onnx: node 'y': operator Relu of the domain 'com.microsoft' is not supported; supported: of this "
      "domain Attention, BiasGelu, BiasSplitGelu, CDist, "));
  CHECK(contributed.ends_with(
      ", Trilu, Unique, and those that a C++ program defines in ModelOptions::operators, here none"));
  custom.proto.mutable_graph()->mutable_node(0)->set_domain("com.microsoft.nchwc");
  CHECK(custom.error() ==
        "m.onnx: node 'y': operator Relu of the domain 'com.microsoft.nchwc' is not supported; supported: "
        "models that ONNX Runtime writes up to the optimization level ORT_ENABLE_EXTENDED, and those that a "
        "C++ program defines in ModelOptions::operators, here none");
  CHECK(one_node("MaxPool", {1, 1, 4}, {attribute("kernel_shape", Ints{2}), attribute("storage_order", 2)})
            .error() ==
        "m.onnx: node 'y' (MaxPool): attribute storage_order = 2 is not supported; supported: 0, 1");
  CHECK(one_node("Relu", {2}, {attribute("body", ::onnx::AttributeProto::GRAPH)}).error() ==
        "m.onnx: node 'y' (Relu): attribute body is of type GRAPH, which is not supported; "
        "supported: INT, FLOAT, STRING, INTS, FLOATS, STRINGS, TENSOR");
  CHECK(one_node("Relu", {2}, {attribute("a", 1), attribute("a", 2)}).error() ==
        "m.onnx: node 'y' (Relu): the attribute name 'a' is not printable text or appears twice");
}

TEST_CASE("errors: opsets that are too old, too new or absent") {
  CHECK(one_node("Relu", {2}, {}, 5).error() == "m.onnx: opset 5 is not supported; supported: 6 to 28");
  CHECK(one_node("Relu", {2}, {}, 29).error() == "m.onnx: opset 29 is not supported; supported: 6 to 28");
  OnnxModel model = one_node("Relu", {2});
  model.proto.clear_opset_import();
  CHECK(model.error() == "m.onnx: opset 0 is not supported; supported: 6 to 28");
}

TEST_CASE("errors: every tensor has one definition") {
  OnnxModel twice;
  twice.input("x", {2}).node("Relu", {"x"}, {"y"}).node("Neg", {"x"}, {"y"}).output("y");
  CHECK(twice.error() == "m.onnx: tensor 'y' is defined twice, the second time as output of a node");
  OnnxModel input;
  input.input("x", {2}).node("Relu", {"x"}, {"x"}).output("x");
  CHECK(input.error() == "m.onnx: tensor 'x' is defined twice, the second time as output of a node");
  OnnxModel constant;
  constant.floats("k", {1}, {1}).floats("k", {1}, {1}).output("k");
  CHECK(constant.error() == "m.onnx: tensor 'k' is defined twice, the second time as initializer");
  OnnxModel missing;
  missing.input("x", {2}).node("Add", {"x", "w"}, {"y"}).output("y");
  CHECK(missing.error() ==
        "m.onnx: node 'y' (Add): its input 'w' is not defined: no input, initializer or node output has this "
        "name");
  OnnxModel output;
  output.input("x", {2}).node("Relu", {"x"}, {"y"}).output("z");
  CHECK(output.error() == "m.onnx: the output 'z' is not defined by any node");
  OnnxModel none;
  CHECK(none.input("x", {2}).node("Relu", {"x"}, {"y"}).error() == "m.onnx: the graph has no output");
}

TEST_CASE("errors: names that are not text are refused and messages stay on one line") {
  OnnxModel model;
  model.input("x\ny", {2}).output("x\ny");
  CHECK(model.error() == "m.onnx: the input 'x?y' has a name that is not printable text");
  OnnxModel bad_op = one_node("Re\nlu\xFF", {2});
  CHECK(bad_op.error().starts_with("m.onnx: node 'y': operator Re?lu? (opset 17) is not supported"));
}

TEST_CASE("errors: the shapes found are named") {
  OnnxModel model;
  model.input("x", {2, 3}).input("z", {2, 4}).node("Add", {"x", "z"}, {"y"}).output("y");
  CHECK(model.error() ==
        "m.onnx: node 'y' (Add): [2,3] and [2,4] do not broadcast: 3 against 4 in dimension 1 from the end");
}

TEST_CASE("errors: an output that is not what the file declares") {
  OnnxModel shape;
  shape.input("x", {2, 3}).node("Relu", {"x"}, {"y"}).output("y", {2, 4});
  CHECK(shape.import().warnings == Names{"the output 'y' is declared as f32[2,4]; it is f32[2,3]"});
  OnnxModel type;
  type.input("x", {2}).node("Relu", {"x"}, {"y"}).output("y", {2}, ::onnx::TensorProto::INT64);
  CHECK(type.error() == "m.onnx: the output 'y' is declared as i64[2] but computed as f32[2]");
}

TEST_CASE("inputs: a symbolic dimension stays one, or has the size that it is given") {
  const auto extent = [](const std::string& name) {
    return to_string(symbolic(name).import().info("y").shape[0]);
  };
  CHECK(extent("N") == "N");
  CHECK(extent("") == "x_0_");
  CHECK(extent("?") == "x_0_");
  CHECK(extent("past + N*2") == "N*2 + past");
  CHECK(extent("past + ") == "past___");
  CHECK(extent("n") == "n_size");
  CHECK(extent("rows2") == "rows2_size");
  ImportOptions options;
  options.dims = {{"N", 4}};
  CHECK(symbolic("N").import(options).info("y").shape == Shape{4, 3});
  CHECK(to_string(symbolic("M + N").import(options).info("y").shape[0]) == "M + 4");
  options.dims = {{"N", 4}, {"M", 2}};
  CHECK(symbolic("N").error(options) ==
        "m.onnx: no input has the symbolic dimension M, for which 2 is given");
  // A dimension's own name fixes it whatever the file calls it, and nothing else of that name.
  options.dims = {{"x[0]", 5}};
  CHECK(symbolic("N").import(options).info("y").shape == Shape{5, 3});
  CHECK(symbolic("?").import(options).info("y").shape == Shape{5, 3});
  options.dims = {{"N", 4}, {"x[0]", 5}};
  CHECK(symbolic("N").error(options) ==
        "m.onnx: the dimension x[0] has the sizes x[0] = 5 and N = 4; drop one of them");
  options.dims = {{"N", -1}};
  CHECK(symbolic("N").error(options) ==
        "m.onnx: the symbolic dimension N has the size -1; it must not be negative");
}

TEST_CASE("inputs: dimensions that are called ? or have the extent -1 are symbolic, each for itself") {
  OnnxModel onnx = one_node("Relu", {-1, 2, -1, 7});
  auto* shape =
      onnx.proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
  shape->mutable_dim(1)->set_dim_param("?");
  shape->mutable_dim(3)->set_dim_param("?");
  CHECK(to_string(onnx.import().info("y").shape) == "[x_0_,x_1_,x_2_,x_3_]");
}

TEST_CASE("inputs: one for which a constant is given is no input any more") {
  OnnxModel onnx;
  onnx.input("x", {4}).input("shape", {2}, ::onnx::TensorProto::INT64).node("Reshape", {"x", "shape"}, {"y"});
  onnx.output("y");
  const auto given = [](Type type, const Ints& values, bool is_scalar = false) {
    Buffer value(type, is_scalar ? Ints{} : Ints{static_cast<std::int64_t>(values.size())});
    for (std::size_t i = 0; i < values.size(); ++i) value.set_int(static_cast<std::int64_t>(i), values[i]);
    ImportOptions options;
    options.constants.emplace("shape", value);
    return options;
  };
  for (const Type type : {Int(64), Int(32), Float(64)}) {
    const Graph graph = onnx.import(given(type, {2, 2}));
    CHECK(graph.info("y").shape == Shape{2, 2});
    CHECK(graph.inputs == std::vector<std::string>{"x"});
  }
  CHECK(onnx.error(given(Int(64), {4})) ==
        "m.onnx: the input 'shape' is i64[2]; the constant given for it is i64[1]");
  CHECK(onnx.error(given(Int(64), {4}, true)) ==
        "m.onnx: the input 'shape' is i64[2]; the constant given for it is i64[]");
  ImportOptions half = given(Float(64), {2, 2});
  half.constants.at("shape").set(1, 2.5);
  CHECK(onnx.error(half) ==
        "m.onnx: the input 'shape' is i64[2]; the constant given for it has the element 2.5, which is not a "
        "whole number");
  ImportOptions other;
  other.constants.emplace("size", Buffer(Int(64), {}));
  CHECK(onnx.error(other) ==
        "m.onnx: the model has no input 'size', for which a constant is given; its inputs are x, shape");
  // One element fits an input of one, whatever their ranks.
  OnnxModel one;
  one.input("x", {4}).input("size", {1}, ::onnx::TensorProto::INT64).node("Reshape", {"x", "size"}, {"y"});
  ImportOptions scalar;
  scalar.constants.emplace("size", Buffer(Int(64), {}));
  scalar.constants.at("size").set_int(0, -1);
  CHECK(one.output("y").import(scalar).info("y").shape == Shape{4});
}

TEST_CASE("inputs: a constant has a value of the input's type, rounded where both are floats") {
  struct Case {
    int type;
    Buffer value;
    std::string refused;  // empty: it is taken
  };
  const auto number = [](Type type, double value) {
    Buffer buffer(type, {});
    buffer.set(0, value);
    return buffer;
  };
  const auto integer = [](Type type, std::int64_t value) {
    Buffer buffer(type, {});
    buffer.set_int(0, value);
    return buffer;
  };
  using Proto = ::onnx::TensorProto;
  const double infinity = std::numeric_limits<double>::infinity();
  const Case cases[] = {
      {Proto::INT64, number(Float(64), 0x1p63), "9.223372036854776e+18, which is out of the range of i64"},
      {Proto::INT64, number(Float(64), -0x1p63), ""},
      {Proto::INT64, integer(UInt(64), INT64_MIN), "9223372036854775808, which is out of the range of i64"},
      {Proto::UINT64, integer(UInt(64), -1), ""},
      {Proto::UINT64, integer(Int(64), -1), "-1, which is out of the range of u64"},
      {Proto::UINT64, number(Float(64), 0x1p64), "1.8446744073709552e+19, which is out of the range of u64"},
      {Proto::INT32, integer(Int(64), std::int64_t{1} << 31), "2147483648, which is out of the range of i32"},
      {Proto::INT32, number(Float(32), 7), ""},
      {Proto::INT32, number(Float(64), std::nan("")), "nan, which is not a whole number"},
      {Proto::FLOAT, number(Float(64), 0.1), ""},
      {Proto::FLOAT, number(Float(64), 1e39), "1e+39, which is out of the range of f32"},
      {Proto::FLOAT, number(Float(64), infinity), ""},
      {Proto::FLOAT, number(Float(64), std::nan("")), ""},
      {Proto::FLOAT, integer(Int(64), 16777216), ""},
      {Proto::FLOAT, integer(Int(64), 16777217), "16777217, which f32 would round to 16777216"},
      {Proto::DOUBLE, integer(Int(64), INT64_MAX),
       "9223372036854775807, which f64 would round to 9.223372036854776e+18"},
      {Proto::FLOAT16, number(Float(32), 65519), ""},
      {Proto::FLOAT16, number(Float(32), 65520), "65520, which is out of the range of f16"},
      {Proto::BOOL, integer(Int(64), 1), ""},
      {Proto::BOOL, integer(Int(64), 2), "2, which is neither true nor false"},
      {Proto::BOOL, number(Float(64), 0.5), "0.5, which is neither true nor false"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.refused);
    OnnxModel model;
    model.input("x", {2}, c.type)
        .input("k", {}, c.type)
        .node("Identity", {"x"}, {"y"})
        .output("y")
        .output("k");
    ImportOptions options;
    options.constants = {{"k", c.value}};
    const std::string error = model.error(options);
    if (c.refused.empty()) {
      CHECK(error == "no error");
    } else {
      CHECK(error.ends_with("; the constant given for it has the element " + c.refused));
    }
  }
}

TEST_CASE("inputs: one that becomes a constant has a type that it takes at each run") {
  OnnxModel model;
  model.input("x", {4})
      .input("shape", {2}, ::onnx::TensorProto::INT64)
      .node("Reshape", {"x", "shape"}, {"y"});
  model.output("y");
  const auto given = [](Type type) {
    Buffer shape(type, {2});
    shape.set(0, 2);
    shape.set(1, 2);
    ImportOptions options;
    options.inputs = {{"shape", shape}};
    return options;
  };
  for (const Type type : {Int(64), Int(32), UInt(8)})
    CHECK(model.import(given(type)).info("y").shape == Shape{2, 2});
  CHECK(model.error(given(Float(64))) ==
        "m.onnx: the input 'shape' is i64; the value given for it is f64[2]; convert it with "
        ".astype(np.int64)");
  ImportOptions untyped = given(Float(64));
  untyped.untyped_inputs = {"shape"};
  CHECK(model.import(untyped).info("y").shape == Shape{2, 2});
}

TEST_CASE("inputs: a size that is computed from data is what it is with the inputs, and runs check that") {
  OnnxModel model;
  model.input("x", {3}).input("more", {1}).ints("zero", {}, {0}).ints("one", {}, {1});
  model.node("ReduceSum", {"x"}, {"sum"}, {attribute("keepdims", 0)});
  model.node("Cast", {"sum"}, {"n"}, {attribute("to", ::onnx::TensorProto::INT64)});
  model.node("Range", {"zero", "n", "one"}, {"places"});
  model.node("Cast", {"places"}, {"floats"}, {attribute("to", ::onnx::TensorProto::FLOAT)});
  model.node("Mul", {"floats", "more"}, {"y"}).output("y");
  ImportOptions options;
  options.evaluate = evaluate_node;
  const std::string refusal =
      "node 'places' (Range): the limit 'n' is computed when the model runs from 'x'; supported: a constant "
      "limit";
  CHECK(model.error(options) == "m.onnx: " + refusal);
  options.inputs = {{"more", Buffer(Float(32), {1})}};
  CHECK(model.error(options) == "m.onnx: " + refusal);
  Buffer x(Float(32), {3});
  for (std::int64_t i = 0; i < 3; ++i) x.set(i, 2);
  options.inputs.emplace("x", x);
  const Graph graph = model.import(options);
  CHECK(graph.info("y").shape == Shape{6});
  CHECK(graph.inputs == std::vector<std::string>{"x", "more"});
  CHECK(graph.overridden.empty());
  CHECK(graph.is_for_values == std::vector<std::string>{"x"});
  CHECK(graph.warnings ==
        std::vector<std::string>{"the model is loaded only for n = 6, the sizes of the inputs: " + refusal});
  CHECK(graph.constants.at("n").get_int(0) == 6);
  REQUIRE(graph.counts.size() == 1);
  CHECK(graph.counts[0].tensor == "n.computed");
  REQUIRE(graph.requirements.size() == 1);
  CHECK(graph.requirements[0].dimension == -1);
  CHECK(to_string(graph.requirements[0].begin) == graph.counts[0].param);
  CHECK(to_string(graph.requirements[0].end) == "6");
  // A value that cannot be an extent is refused as before.
  x.set(0, -9);
  options.inputs.at("x") = x;
  CHECK(model.error(options) == "m.onnx: " + refusal);
  options.inputs.at("x") = Buffer(Float(64), {3});
  CHECK(
      model.error(options) ==
      "m.onnx: the input 'x' is f32; the value given for it is f64[3]; convert it with .astype(np.float32)");
}

TEST_CASE("inputs: huge and missing shapes and unsupported types are refused") {
  CHECK(
      one_node("Relu", {std::int64_t{1} << 62, 8}).error() ==
      "m.onnx: input 'x': a tensor f32[4611686018427387904,8] is larger than the limit of 8589934592 bytes");
  OnnxModel text;
  text.input("x", {2}, ::onnx::TensorProto::STRING).node("Identity", {"x"}, {"y"}).output("y");
  CHECK(text.error() ==
        "m.onnx: input 'x' has elements of type STRING; supported: FLOAT, DOUBLE, FLOAT16, INT8, "
        "UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, BOOL, BFLOAT16, FLOAT8E4M3FN, FLOAT8E4M3FNUZ, "
        "FLOAT8E5M2, FLOAT8E5M2FNUZ, UINT4, INT4, FLOAT4E2M1, FLOAT8E8M0, UINT2, INT2");
  OnnxModel shapeless = one_node("Relu", {2});
  shapeless.proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->clear_shape();
  CHECK(shapeless.error() == "m.onnx: input 'x' is not a tensor of known shape");
}

TEST_CASE("import: a Squeeze without axes has to know which extents are 1") {
  OnnxModel model;
  model.input("x", {1, 4}).name_dim(0, 0, "rows").node("Squeeze", {"x"}, {"y"}).output("y");
  CHECK(model.error() ==
        "m.onnx: node 'y' (Squeeze): without axes it drops the dimensions of extent 1, and rows_size of "
        "[rows_size,4] "
        "may "
        "be one; fix its dimensions, as in --dim rows_size=1");
  for (const std::int64_t rows : {1, 2}) {
    ImportOptions options;
    options.inputs = {{"x", Buffer(Float(32), {rows, 4})}};
    CHECK(model.import(options).info("y").shape == (rows == 1 ? Shape{4} : Shape{2, 4}));
  }
}

TEST_CASE("import: inputs that do not have the sizes that a model was taken to have give it theirs") {
  OnnxModel model;
  model.input("a", {1, 3}).input("b", {1, 3}).name_dim(0, 0, "n").name_dim(1, 0, "m");
  model.node("Add", {"a", "b"}, {"y"}).output("y");
  CHECK(model.import({}).info("y").shape[0] == Size::symbol("n_size"));
  const auto with_rows = [&](std::int64_t a, std::int64_t b) {
    ImportOptions options;
    options.inputs = {{"a", Buffer(Float(32), {a, 3})}, {"b", Buffer(Float(32), {b, 3})}};
    return model.import(options);
  };
  CHECK(with_rows(2, 2).info("y").shape[0] == Size::symbol("n_size"));
  const Graph graph = with_rows(2, 1);
  CHECK(graph.info("y").shape == Shape{2, 3});
  CHECK(graph.info("b").shape == Shape{1, 3});
  CHECK(graph.warnings ==
        std::vector<std::string>{"the model is loaded only for n = 2, m = 1, the sizes of the inputs: the "
                                 "input 'b' is [1,3], but the model was loaded for [n_size,3]"});
}
