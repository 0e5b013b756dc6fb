// Loop and Scan whose steps are not unrolled: the graphs that import produces.
#include <doctest/doctest.h>

#include "onnx/evaluate_node.h"
#include "support/onnx_bodies.h"

using namespace tensordsl;
using namespace tensordsl::onnx;
using namespace tensordsl::testing;

namespace {

/// The lines of the nodes of `model`.
std::string nodes(const OnnxModel& model) {
  ImportOptions options;
  options.evaluate = evaluate_node;
  const std::string text = to_string(model.import(options));
  const std::size_t begin = text.find("\n%") + 1, end = text.find("output ");
  return begin == 0 ? "" : text.substr(begin, end - begin);
}

/// sum and all sums of the rows of x [length, 2], where `op` computes the next sum from sum and x.
OnnxModel scan(const char* op = "Add") {
  OnnxModel model;
  model.input("x", {1, 2}).floats("start", {2}, {0, 0});
  model.name_dim(0, 0, "length");
  const auto step = body("body", {"sum", "row"}, {"next", "next"}, [&](::onnx::GraphProto& graph) {
    add_node(graph, op, {"sum", "row"}, {"next"});
  });
  model.node("Scan", {"start", "x"}, {"last", "all"}, {step, attribute("num_scan_inputs", 1)});
  return model.output("last").output("all");
}

/// A Loop that adds the number of the iteration to `sum`; its outputs are the last sum and, if they are
/// named, all sums.
OnnxModel sums(const std::string& most, const std::string& begins, const std::string& goes_on,
               const Names& outputs = {"last"}) {
  OnnxModel model;
  model.input("start", {2})
      .input("n", {}, ::onnx::TensorProto::INT64)
      .input("c", {}, ::onnx::TensorProto::BOOL);
  model.ints("many", {}, {1000}).floats("limit", {}, {50});
  const auto step =
      body("body", {"i", "go", "sum"}, {goes_on, "next", "next"}, [](::onnx::GraphProto& graph) {
        add_node(graph, "Cast", {"i"}, {"number"}, {attribute("to", ::onnx::TensorProto::FLOAT)});
        add_node(graph, "Add", {"sum", "number"}, {"next"});
        add_node(graph, "ReduceMax", {"next"}, {"largest"}, {attribute("keepdims", 0)});
        add_node(graph, "Less", {"largest", "limit"}, {"is_less"});
      });
  model.node("Loop", {most, begins, "start"}, outputs, {step});
  for (const std::string& output : outputs) model.output(output);
  return model;
}

}  // namespace

TEST_CASE("repeated steps: a Scan of an open length is one step between marks") {
  CHECK(nodes(scan()) ==
        "%last.now: f32[2], %last.number: i64[] = LoopBegin(start: f32[2]) {carried=1, loop=\"last\", "
        "of=\"Scan\", step=\"last_step.count\"}\n"
        "%last.element: f32[2] = LoopElement(%x) {at=[last_step.count], axis=0}\n"
        "%last.next: f32[2] = Add(%last.now, %last.element)\n"
        "%last.next.row: f32[1,2] = Unsqueeze(%last.next) {axes=[0]}\n"
        "%last: f32[2], %all: f32[length,2] = LoopEnd(%last.number, %last.now, %last.next, %last.next.row) "
        "{carried=1, is_conditional=0, loop=\"last\", of=\"Scan\", rows=1, step=\"last_step.count\", "
        "steps=[length], taken=\"last_taken.count\"}\n");
}

TEST_CASE("repeated steps: a short Scan is written out, a long one not") {
  const auto of_length = [](std::int64_t length) {
    OnnxModel model = scan();
    auto* type = model.proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type();
    type->mutable_shape()->mutable_dim(0)->set_dim_value(length);
    return nodes(model).find("LoopEnd(") == std::string::npos;
  };
  CHECK(of_length(1));
  CHECK(of_length(128));
  CHECK(!of_length(129));
  CHECK(!of_length(1000000));
}

TEST_CASE("repeated steps: a number of iterations that is computed is a count, of at least 0") {
  const std::string text = nodes(sums("n", "", "go"));
  CHECK(
      text.starts_with("%last.Min: i64[] = Min(%n, last.most: i64[])\n"
                       "%last.Max: i64[] = Max(%last.Min, last.least: i64[])\n"
                       "%last.now: f32[2], %last.number: i64[] = LoopBegin(%start)"));
  CHECK(text.find("steps=[last_Max.count]") != std::string::npos);
}

TEST_CASE("repeated steps: a condition before the loop is a count of 0 or 1 times as many") {
  const std::string text = nodes(sums("many", "c", "go"));
  CHECK(text.starts_with("%last.Cast: i64[] = Cast(%c) {to=7}\n"));
  CHECK(text.find("steps=[last_Cast.count*1000]") != std::string::npos);
}

TEST_CASE("repeated steps: a condition that is computed says how long the outputs are") {
  const std::string text = nodes(sums("many", "", "is_less", {"last", "all"}));
  CHECK(text.find("%all: f32[last_taken.count,2] = LoopEnd(") != std::string::npos);
  CHECK(text.find("is_conditional=1") != std::string::npos);
  CHECK(text.find("steps=[1000]") != std::string::npos);
}

TEST_CASE("repeated steps: outputs of all steps need to be bounded") {
  CHECK(sums("", "", "is_less", {"last", "all"}).error() ==
        "m.onnx: node 'last' (Loop): each iteration adds to output 1, but the maximum number of iterations "
        "is unknown; supported: a known number");
  CHECK(sums("n", "", "go", {"last", "all"}).error() ==
        "m.onnx: node 'last' (Loop): the number of iterations, each of which adds to an output, 'n' is "
        "computed "
        "when the model runs; supported: a constant, as with --constant n=VALUE");
  ImportOptions options;
  options.evaluate = evaluate_node;
  options.inputs.emplace("n", Buffer(Int(64), {}));
  options.inputs.at("n").set_int(0, 3);
  const Graph graph = sums("n", "", "go", {"last", "all"}).import(options);
  CHECK(to_string(graph.info("all").shape) == "[3,2]");
  CHECK(graph.warnings.size() == 1);
}

TEST_CASE("repeated steps: values that change their shapes are written out, or refused") {
  OnnxModel model = scan("Concat");
  auto& node = *model.proto.mutable_graph()->mutable_node(0);
  *node.mutable_attribute(0)->mutable_g()->mutable_node(0)->add_attribute() = attribute("axis", 0);
  node.mutable_attribute(0)->mutable_g()->mutable_output()->RemoveLast();
  node.mutable_output()->RemoveLast();
  model.proto.mutable_graph()->mutable_output()->RemoveLast();
  CHECK(model.error().find("fix its dimensions, as in --dim length=1") != std::string::npos);
  ImportOptions options;
  options.dims.emplace("length", 200);
  CHECK(to_string(model.import(options).info("last").shape) == "[402]");
}

TEST_CASE("repeated steps: numbers of iterations and conditions of other types or shapes are refused") {
  OnnxModel model = sums("n", "", "go");
  OnnxModel::describe(*model.proto.mutable_graph()->mutable_input(1), "n", {2}, ::onnx::TensorProto::INT32);
  CHECK(model.error() ==
        "m.onnx: node 'last' (Loop): the number of iterations 'n' is i32[2]; it must be one i64");
  CHECK(sums("many", "", "number").error() ==
        "m.onnx: node 'last' (Loop): the condition that its body computes is f32[]; it must be one bool");
  CHECK(sums("many", "n", "go").error() ==
        "m.onnx: node 'last' (Loop): the condition 'n' is i64[]; it must be one bool");
}

TEST_CASE("repeated steps: one in another has marks of its own") {
  OnnxModel model;
  model.input("start", {2}).input("n", {}, ::onnx::TensorProto::INT64).input("x", {1, 2});
  model.name_dim(2, 0, "length");
  const auto inner = body("body", {"i", "go", "a"}, {"go", "b"}, [](::onnx::GraphProto& graph) {
    add_node(graph, "Add", {"a", "row"}, {"b"});
  });
  const auto outer = body("body", {"sum", "row"}, {"next"}, [&](::onnx::GraphProto& graph) {
    add_node(graph, "Loop", {"n", "", "sum"}, {"next"}, {inner});
  });
  model.node("Scan", {"start", "x"}, {"last"}, {outer, attribute("num_scan_inputs", 1)}).output("last");
  const std::string text = nodes(model);
  const std::size_t first = text.find("LoopBegin("), second = text.find("LoopBegin(", first + 1);
  CHECK(second != std::string::npos);
  CHECK(text.find("step=\"last_step.count\"") < text.find("step=\"last_next_step.count\""));
}
