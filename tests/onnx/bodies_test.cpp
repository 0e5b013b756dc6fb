// Tests the import of the bodies of If, Loop, Scan and of a model's functions.
#include <doctest/doctest.h>

#include <functional>

#include "onnx/evaluate_node.h"
#include "support/onnx_bodies.h"

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

::onnx::AttributeProto branch(const std::string& name, const std::string& op) {
  return body(name, {}, {"t"}, [&](::onnx::GraphProto& graph) { add_node(graph, op, {"x"}, {"t"}); });
}

/// y = x if c, else -x
OnnxModel choice() {
  OnnxModel model;
  model.input("x", {2}).node("If", {"c"}, {"y"},
                             {branch("then_branch", "Relu"), branch("else_branch", "Neg")});
  return model.output("y");
}

void add_flag(OnnxModel& model, const std::string& name, bool value) {
  model.initializer(name, {}, ::onnx::TensorProto::BOOL).add_int32_data(value);
}

/// A Loop of `iterations` that adds x to a sum each time, and gives all sums.
OnnxModel loop(std::int64_t iterations) {
  OnnxModel model;
  model.input("x", {2}).ints("n", {}, {iterations}).floats("start", {2}, {1, 2});
  const auto repeated =
      body("body", {"i", "go", "sum"}, {"go", "next", "seen"}, [](::onnx::GraphProto& graph) {
        add_node(graph, "Add", {"sum", "x"}, {"next"});
        add_node(graph, "Relu", {"next"}, {"seen"});
      });
  model.node("Loop", {"n", "", "start"}, {"last", "all"}, {repeated});
  return model.output("last").output("all");
}

/// A function f(a, b) = a * b + slope of LeakyRelu, which is called with x, x.
OnnxModel with_function() {
  OnnxModel model;
  model.input("x", {2});
  auto* function = model.proto.add_functions();
  function->set_name("f");
  function->set_domain("own");
  function->add_opset_import()->set_version(13);
  function->add_input("a");
  function->add_input("b");
  function->add_output("r");
  function->add_attribute("slope");
  ::onnx::GraphProto graph;
  ::onnx::AttributeProto alpha = attribute("alpha", ::onnx::AttributeProto::FLOAT);
  alpha.set_ref_attr_name("slope");
  add_node(graph, "LeakyRelu", {"product"}, {"r"}, {alpha});
  add_node(graph, "Mul", {"a", "b"}, {"product"});
  *function->mutable_node() = graph.node();
  return model;
}

}  // namespace

TEST_CASE("If: an input that is given as a constant chooses the branch") {
  OnnxModel model = choice();
  model.input("c", {1}, ::onnx::TensorProto::BOOL);
  ImportOptions options;
  options.constants.emplace("c", Buffer(Int(64), {}));
  for (const std::int64_t value : {0, 1}) {
    options.constants.at("c").set_int(0, value);
    CHECK(to_string(model.import(options)).find(value ? "Relu(%x)" : "Neg(%x)") != std::string::npos);
  }
}

TEST_CASE("If: the branch of a constant condition takes its place") {
  OnnxModel yes = choice(), no = choice();
  add_flag(yes, "c", true);
  add_flag(no, "c", false);
  CHECK(nodes(yes) == "%y.t: f32[2] = Relu(%x)\n%y: f32[2] = Identity(%y.t)\n");
  CHECK(nodes(no) == "%y.t: f32[2] = Neg(%x)\n%y: f32[2] = Identity(%y.t)\n");
}

TEST_CASE("If: a condition that is computed is refused with its name") {
  OnnxModel model = choice();
  model.input("c", {}, ::onnx::TensorProto::BOOL);
  CHECK(model.error() ==
        "m.onnx: node 'y' (If): the condition 'c' is computed when the model runs; supported: a constant, as "
        "with --constant c=VALUE");
  OnnxModel computed = choice();
  computed.input("b", {}, ::onnx::TensorProto::BOOL);
  add_node(*computed.proto.mutable_graph(), "Identity", {"b"}, {"c"});
  CHECK(computed.error() ==
        "m.onnx: node 'y' (If): the condition 'c' is computed when the model runs from 'b'; supported: a "
        "constant, as with --constant b=VALUE");
}

TEST_CASE("If: the inputs that a model will be given choose a branch, and a warning says so") {
  OnnxModel model = choice();
  model.input("c", {}, ::onnx::TensorProto::BOOL);
  for (const bool value : {false, true}) {
    ImportOptions options;
    options.inputs = {{"c", Buffer(Bool(), {})}, {"unknown", Buffer(Int(32), {1})}};
    options.inputs.at("c").set_int(0, value);
    const Graph graph = model.import(options);
    CHECK(to_string(graph).find(value ? "Relu(%x)" : "Neg(%x)") != std::string::npos);
    CHECK(graph.overridden == std::vector<std::string>{"c"});
    CHECK(graph.warnings ==
          std::vector<std::string>{fmt::format(
              "the model is loaded only for c = {}, the sizes of the inputs: node 'y' (If): the condition "
              "'c' is computed when the model runs; supported: a constant, as with --constant c=VALUE",
              value ? 1 : 0)});
  }
}

TEST_CASE("If: a condition that sizes would tell is refused with the dimensions to fix") {
  OnnxModel model;
  model.input("x", {2}).ints("two", {1}, {2});
  model.name_dim(0, 0, "length");
  model.node("Shape", {"x"}, {"s"}).node("Equal", {"s", "two"}, {"c"});
  model.node("If", {"c"}, {"y"}, {branch("then_branch", "Relu"), branch("else_branch", "Neg")}).output("y");
  CHECK(model.error() ==
        "m.onnx: node 'y' (If): the condition 'c' is computed when the model runs; supported: a constant; "
        "fix its dimensions, as in --dim length=1");
  // With inputs the condition is known; the graph then holds only for inputs of these sizes.
  ImportOptions options;
  options.evaluate = evaluate_node;
  options.inputs = {{"x", Buffer(Float(32), {2})}};
  CHECK(to_string(model.import(options)).find("Relu(%x)") != std::string::npos);
  options.inputs = {{"x", Buffer(Float(32), {3})}};
  CHECK(to_string(model.import(options)).find("Neg(%x)") != std::string::npos);
  options.inputs = {{"x", Buffer(Float(32), {2, 1})}};  // of another rank: it determines nothing
  CHECK_THROWS_AS(model.import(options), ModelError);
}

TEST_CASE("If: what a branch reads is computed before it, and checked") {
  OnnxModel model;
  add_flag(model, "c", true);
  model.input("x", {2}).node("If", {"c"}, {"y"},
                             {body("then_branch", {}, {"t"}, [](::onnx::GraphProto& graph) {
                               add_node(graph, "Neg", {"late"}, {"t"});
                             })});
  model.node("Relu", {"x"}, {"late"}).output("y");
  CHECK(nodes(model) == "%late: f32[2] = Relu(%x)\n%y.t: f32[2] = Neg(%late)\n%y: f32[2] = Identity(%y.t)\n");
  OnnxModel wrong;
  add_flag(wrong, "c", true);
  wrong.node("If", {"c"}, {"y"}, {branch("then_branch", "Relu")}).output("y");
  CHECK(wrong.error() ==
        "m.onnx: node 'y' (If): its input 'x' is not defined: no input, initializer or node output has this "
        "name");
  OnnxModel nested;
  nested.node("If", {"c"}, {"y"}, {branch("then_branch", "Gelato")}).output("y");
  CHECK(nested.error().starts_with(
      "m.onnx: node 't': operator Gelato (opset 17) is not supported; supported: "));
}

TEST_CASE("Loop: as many bodies as there are iterations") {
  CHECK(nodes(loop(2)) ==
        "%last.0.next: f32[2] = Add(start: f32[2], %x)\n"
        "%last.0.seen: f32[2] = Relu(%last.0.next)\n"
        "%last.1.next: f32[2] = Add(%last.0.next, %x)\n"
        "%last.1.seen: f32[2] = Relu(%last.1.next)\n"
        "%last: f32[2] = Identity(%last.1.next)\n"
        "%all.part: f32[1,2] = Unsqueeze(%last.0.seen) {axes=[0]}\n"
        "%all.part.2: f32[1,2] = Unsqueeze(%last.1.seen) {axes=[0]}\n"
        "%all: f32[2,2] = Concat(%all.part, %all.part.2) {axis=0}\n");
}

TEST_CASE("Loop: without iterations the values stay, and the outputs are empty if their shape is known") {
  CHECK(loop(0).error() ==
        "m.onnx: node 'last' (Loop): it has no iterations, and its body does not declare the shape of output "
        "1");
  OnnxModel model = loop(0);
  auto& value =
      *model.proto.mutable_graph()->mutable_node(0)->mutable_attribute(0)->mutable_g()->mutable_output(2);
  OnnxModel::describe(value, "seen", {2}, ::onnx::TensorProto::FLOAT);
  const Graph graph = model.import();
  CHECK(graph.constants.at("last").get(1) == 2);
  CHECK(graph.constants.at("all").shape() == Ints{0, 2});
}

TEST_CASE("Loop: a condition that the constants decide ends it; one that never ends is refused") {
  const auto until = [](const char* limit) {
    OnnxModel model;
    model.input("x", {2}).input("free", {}, ::onnx::TensorProto::BOOL).ints("three", {}, {3});
    const auto repeated =
        body("body", {"i", "go", "sum"}, {"goes_on", "next"}, [&](::onnx::GraphProto& graph) {
          add_node(graph, "Add", {"sum", "x"}, {"next"});
          add_node(graph, "Sub", {"three", "i"}, {"left"});
          add_node(graph, "Cast", {"left"}, {"is_left"}, {attribute("to", 9)});
          add_node(graph, "Identity", {limit}, {"goes_on"});
        });
    model.node("Loop", {"", "", "x"}, {"y"}, {repeated}).output("y");
    return model;
  };
  ImportOptions options;
  options.evaluate = [](const Node& node, const std::vector<const Buffer*>& inputs) {
    // Evaluates Sub and Cast.
    Buffer result(node.op == "Cast" ? Bool() : Int(64), {});
    result.set_int(
        0, node.op == "Cast" ? inputs[0]->get_int(0) != 0 : inputs[0]->get_int(0) - inputs[1]->get_int(0));
    return std::vector{result};
  };
  const Graph graph = until("is_left").import(options);
  CHECK(graph.nodes.size() == 5);  // 4 iterations, and y
  CHECK(to_string(until("free").import(options)).find("LoopEnd(") != std::string::npos);
  CHECK(until("go").error(options) ==
        "m.onnx: node 'y' (Loop): the loop never ends: it has neither a number of iterations nor a computed "
        "condition; supported: one of them");
}

TEST_CASE("Loop: a body that does not fit its node is refused") {
  OnnxModel model;
  model.input("x", {2}).ints("n", {}, {2});
  model.node("Loop", {"n", "", "x"}, {"y"}, {body("body", {"i"}, {"i"}, [](::onnx::GraphProto&) {})});
  CHECK(model.output("y").error() ==
        "m.onnx: node 'y' (Loop): its body has 1 inputs and 1 outputs, but the node has 3 and 1");
}

TEST_CASE("Scan: along any axis, in any direction") {
  OnnxModel model;
  model.input("x", {2, 3}).floats("start", {2}, {0, 0});
  const auto step = body("body", {"sum", "column"}, {"next", "next"}, [](::onnx::GraphProto& graph) {
    add_node(graph, "Add", {"sum", "column"}, {"next"});
  });
  model.node("Scan", {"start", "x"}, {"last", "all"},
             {step, attribute("num_scan_inputs", 1), attribute("scan_input_axes", Ints{-1}),
              attribute("scan_input_directions", Ints{1}), attribute("scan_output_axes", Ints{1})});
  const std::string text = nodes(model.output("last").output("all"));
  CHECK(
      text.starts_with("%x.part: f32[2,1] = Pad(%x) {pads=[0,-2,0,0], value=0}\n"
                       "%x.element: f32[2] = Squeeze(%x.part) {axes=[1]}\n"
                       "%last.0.next: f32[2] = Add(start: f32[2], %x.element)\n"
                       "%last.0.next.part: f32[2,1] = Unsqueeze(%last.0.next) {axes=[1]}\n"
                       "%x.part.2: f32[2,1] = Pad(%x) {pads=[0,-1,0,-1], value=0}\n"));
  CHECK(
      text.ends_with("%last.scanned: f32[2,3] = Concat(%last.0.next.part, %last.1.next.part, "
                     "%last.2.next.part) {axis=1}\n"
                     "%last: f32[2] = Identity(%last.2.next)\n"
                     "%all: f32[2,3] = Identity(%last.scanned)\n"));
}

TEST_CASE("functions: a call becomes the nodes, with the call's attributes and the function's operator set") {
  OnnxModel model = with_function();
  model.node("f", {"x", "x"}, {"y"}, {attribute("slope", 0.5F)});
  model.proto.mutable_graph()->mutable_node(0)->set_domain("own");
  CHECK(nodes(model.output("y")) ==
        "%y.product: f32[2] = Mul(%x, %x)\n"
        "%y.r: f32[2] = LeakyRelu(%y.product) {alpha=0.5}\n"
        "%y: f32[2] = Identity(%y.r)\n");
  OnnxModel without = with_function();
  without.node("f", {"x", "x"}, {"y"});
  without.proto.mutable_graph()->mutable_node(0)->set_domain("own");
  CHECK(nodes(without.output("y")).find("LeakyRelu(%y.product) {alpha=0.01}") != std::string::npos);
}

TEST_CASE("functions: names of the model are not seen in them, and they must not call themselves") {
  OnnxModel model = with_function();
  model.node("f", {"x", "x"}, {"y"}).output("y");
  model.proto.mutable_graph()->mutable_node(0)->set_domain("own");
  auto& product = *model.proto.mutable_functions(0)->mutable_node(1);
  product.set_input(1, "x");
  CHECK(model.error() == "m.onnx: tensor 'x' is not defined in the function");
  product.set_op_type("f");
  product.set_domain("own");
  CHECK(model.error() == "m.onnx: node '': the function f calls itself, or the calls nest too deep");
}

TEST_CASE("Constant: sparse values are spread out") {
  const auto sparse = [](const Ints& indices, const Ints& dims) {
    auto value = attribute("sparse_value", ::onnx::AttributeProto::SPARSE_TENSOR);
    auto& tensor = *value.mutable_sparse_tensor();
    tensor.mutable_values()->set_data_type(::onnx::TensorProto::FLOAT);
    tensor.mutable_values()->set_name("s");
    tensor.mutable_values()->add_dims(2);
    for (const float number : {3.0F, 4.0F}) tensor.mutable_values()->add_float_data(number);
    tensor.mutable_indices()->set_data_type(::onnx::TensorProto::INT64);
    tensor.mutable_indices()->add_dims(2);
    if (indices.size() > 2) tensor.mutable_indices()->add_dims(2);
    for (const std::int64_t index : indices) tensor.mutable_indices()->add_int64_data(index);
    for (const std::int64_t extent : dims) tensor.add_dims(extent);
    OnnxModel model;
    return model.node("Constant", {}, {"y"}, {value}).output("y");
  };
  for (const Ints& indices : {Ints{1, 5}, Ints{0, 1, 1, 2}}) {
    const Buffer y = sparse(indices, {2, 3}).import().constants.at("y");
    REQUIRE(y.shape() == Ints{2, 3});
    CHECK(y.get(1) == 3);
    CHECK(y.get(5) == 4);
    CHECK(y.get(0) + y.get(2) + y.get(3) + y.get(4) == 0);
  }
  CHECK(sparse({1, 6}, {2, 3}).error() ==
        "m.onnx: tensor 's': an index of value 1 is outside the sparse tensor's shape [2,3]");
  CHECK(sparse({0, 1, 1, 3}, {2, 3}).error() ==
        "m.onnx: tensor 's': an index of value 1 is outside the sparse tensor's shape [2,3]");
}

TEST_CASE("errors: operators of other things than tensors of numbers are named as such") {
  const auto error = [](const char* op) { return one_node(op, {2}).error(); };
  CHECK(error("SequenceAt") == "m.onnx: node 'y' (SequenceAt): operators of sequences are not supported");
  CHECK(error("Optional") == "m.onnx: node 'y' (Optional): operators of optional values are not supported");
  CHECK(error("StringNormalizer") ==
        "m.onnx: node 'y' (StringNormalizer): operators of strings are not supported");
  CHECK(error("Bernoulli") == "m.onnx: node 'y' (Bernoulli): operators of random numbers are not supported");
}
