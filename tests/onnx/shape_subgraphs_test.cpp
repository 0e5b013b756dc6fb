// Tests the import of nodes over shapes, of operands that must be known, and of operators that become others.
#include <doctest/doctest.h>

#include "onnx/evaluate_node.h"
#include "support/onnx_model.h"

using namespace tensordsl;
using namespace tensordsl::onnx;
using namespace tensordsl::ops;
using namespace tensordsl::testing;

namespace {

constexpr int kInt64 = ::onnx::TensorProto::INT64;

Graph import(const OnnxModel& model) {
  ImportOptions options;
  options.evaluate = evaluate_node;
  return model.import(options);
}

std::string error(const OnnxModel& model) {
  ImportOptions options;
  options.evaluate = evaluate_node;
  return model.error(options);
}

/// The lines of the nodes.
std::string nodes(const OnnxModel& model) {
  const std::string text = to_string(import(model));
  const std::size_t begin = text.find("\n%") + 1, end = text.find("output ");
  return begin == 0 ? "" : text.substr(begin, end - begin);
}

/// x: f32[batch,length,6]
OnnxModel symbolic(std::int64_t opset = 18) {
  OnnxModel model(opset);
  model.input("x", {1, 1, 6});
  auto* shape =
      model.proto.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
  shape->mutable_dim(0)->set_dim_param("batch");
  shape->mutable_dim(1)->set_dim_param("length");
  return model;
}

/// The value of the constant `y`.
Ints ints(const OnnxModel& model, const std::string& tensor = "y") {
  const Graph graph = import(model);
  REQUIRE(graph.is_constant(tensor));
  Ints values;
  const Buffer& value = graph.constants.at(tensor);
  for (std::int64_t i = 0; i < value.elements(); ++i) values.push_back(value.get_int(i));
  return values;
}

}  // namespace

TEST_CASE("shapes: a Reshape by parts of a symbolic shape") {
  OnnxModel model = symbolic();
  model.ints("zero", {}, {0}).ints("one", {}, {1}).ints("axes", {1}, {0}).ints("heads", {2}, {2, 3});
  model.node("Shape", {"x"}, {"s"}).node("Gather", {"s", "zero"}, {"b"}).node("Gather", {"s", "one"}, {"l"});
  model.node("Unsqueeze", {"b", "axes"}, {"b1"}).node("Unsqueeze", {"l", "axes"}, {"l1"});
  model.node("Concat", {"b1", "l1", "heads"}, {"shape"}, {attribute("axis", 0)});
  model.node("Reshape", {"x", "shape"}, {"y"}).output("y");
  const Graph graph = import(model);
  CHECK(to_string(graph.info("y")) == "f32[batch,length,2,3]");
  CHECK(to_string(graph.nodes.back().attributes) == "{shape=[batch,length,2,3]}");
  CHECK(to_string(graph.sizes.at("b")) == "[batch]");
  // Only the Reshape reads x.
  for (const Node& node : graph.nodes) CHECK((node.op == "Reshape") == (node.inputs == Names{"x"}));
}

TEST_CASE("shapes: those of known extents are constants") {
  OnnxModel model(15);
  model.input("x", {4, 5, 6})
      .node("Shape", {"x"}, {"y"}, {attribute("start", -2)})
      .node("Size", {"x"}, {"n"});
  model.node("Shape", {"x"}, {"e"}, {attribute("start", 2), attribute("end", -3)});
  model.output("y").output("n").output("e");
  CHECK(ints(model) == Ints{5, 6});
  CHECK(ints(model, "n") == Ints{120});
  CHECK(import(model).constants.at("n").shape().empty());
  CHECK(ints(model, "e").empty());
}

TEST_CASE("shapes: if one output depends on symbols, no output is a constant") {
  OnnxModel model = symbolic();
  model.node("Shape", {"x"}, {"s"}).ints("parts", {2}, {2, 1});
  model.node("Split", {"s", "parts"}, {"a", "b"}).node("Reshape", {"x", "b"}, {"r"});
  OnnxModel known = model;
  const Graph graph = [&] {
    OnnxModel only = symbolic();
    only.node("Shape", {"x"}, {"s"}).ints("parts", {2}, {2, 1}).ints("rest", {1}, {-1});
    only.node("Split", {"s", "parts"}, {"a", "b"})
        .node("Concat", {"rest", "b"}, {"c"}, {attribute("axis", 0)});
    only.node("Reshape", {"x", "c"}, {"y"}).output("y").output("a");
    return import(only);
  }();
  CHECK_FALSE(graph.is_constant("b"));
  CHECK(to_string(graph.sizes.at("a")) == "[batch,length]");
  CHECK(to_string(graph.sizes.at("b")) == "[6]");
  CHECK(to_string(graph.info("y")) == "f32[batch*length,6]");
}

TEST_CASE("shapes: what is known of sizes are constant operands too") {
  OnnxModel model = symbolic();
  model.node("Shape", {"x"}, {"s"}).ints("parts", {2}, {2, 1}).ints("six", {1}, {6});
  model.node("Split", {"s", "parts"}, {"a", "b"}).node("Sub", {"b", "six"}, {"axes"});
  model.node("Unsqueeze", {"x", "axes"}, {"y"}).output("y");
  CHECK(to_string(import(model).info("y")) == "f32[1,batch,length,6]");
}

TEST_CASE("shapes: Range, ConstantOfShape, Expand, Slice and Tile of symbolic sizes") {
  OnnxModel model = symbolic();
  model.ints("one", {}, {1})
      .ints("zero", {}, {0})
      .ints("axes", {1}, {0})
      .ints("first", {1}, {0})
      .ints("two", {1}, {2});
  model.floats("table", {8, 6}, Floats(48, 1.0F));
  model.node("Shape", {"x"}, {"s"})
      .node("Gather", {"s", "one"}, {"l"})
      .node("Unsqueeze", {"l", "axes"}, {"l1"});
  model.node("Range", {"zero", "l", "one"}, {"r"}).node("Tile", {"r", "two"}, {"rr"});
  model.node("ConstantOfShape", {"s"}, {"c"}).node("Expand", {"r", "rshape"}, {"e"});
  model.node("Concat", {"l1", "l1"}, {"rshape"}, {attribute("axis", 0)});
  model.node("Slice", {"table", "first", "l1", "axes"}, {"rows"}).node("Add", {"x", "rows"}, {"y"});
  for (const char* name : {"r", "rr", "c", "e", "rows", "y"}) model.output(name);
  const Graph graph = import(model);
  CHECK(to_string(graph.info("r")) == "i64[length]");
  CHECK(to_string(graph.info("rr")) == "i64[length*2]");
  CHECK(to_string(graph.info("c")) == "f32[batch,length,6]");
  CHECK(to_string(graph.info("e")) == "i64[length,length]");
  CHECK(to_string(graph.info("rows")) == "f32[length,6]");
  CHECK(to_string(graph.info("y")) == "f32[batch,length,6]");
}

TEST_CASE("shapes: small tensors that are made of attributes are constants") {
  OnnxModel model;
  model.floats("a", {}, {0.5F})
      .floats("b", {}, {1.4F})
      .floats("c", {}, {0.25F})
      .node("Range", {"a", "b", "c"}, {"y"});
  const Graph graph = import(model.output("y"));
  CHECK(graph.nodes.empty());
  CHECK(graph.constants.at("y").shape() == Shape{4});
  CHECK(graph.constants.at("y").get(3) == 1.25);
  OnnxModel large;
  large.ints("s", {2}, {64, 64}).node("ConstantOfShape", {"s"}, {"y"}).output("y");
  CHECK(nodes(large) == "%y: f32[64,64] = ConstantOfShape() {shape=[64,64], value=f32[1]}\n");
}

TEST_CASE("errors: a shape that is computed names the inputs of the model") {
  OnnxModel direct(13);
  direct.input("x", {2, 6}).input("shape", {2}, kInt64).node("Reshape", {"x", "shape"}, {"y"}).output("y");
  CHECK(error(direct) ==
        "m.onnx: node 'y' (Reshape): the shape 'shape' is an input and is not a constant; supported: a "
        "constant shape, as with --constant shape=VALUE");
  OnnxModel computed(13);
  computed.input("x", {2, 6}).input("b", {1}, kInt64).input("a", {1}, kInt64).input("unused", {1}, kInt64);
  computed.node("Add", {"a", "b"}, {"c"}).node("Neg", {"c"}, {"s"}).node("Neg", {"unused"}, {"other"});
  computed.node("Expand", {"x", "s"}, {"y"}).output("y");
  CHECK(
      error(computed) ==
      "m.onnx: node 'y' (Expand): the shape 's' is computed when the model runs from 'a', 'b'; supported: a "
      "constant shape, as with --constant a=VALUE --constant b=VALUE");
  OnnxModel axes = symbolic();
  axes.node("Shape", {"x"}, {"s"}).node("Squeeze", {"x", "s"}, {"y"}).output("y");
  CHECK(error(axes) ==
        "m.onnx: node 'y' (Squeeze): the axes 's' is [batch,length,6], which depends on symbolic dimensions; "
        "supported: a constant axes, or known sizes");
}

TEST_CASE("opsets: Slice and Split take operands and attributes") {
  OnnxModel old(9);
  old.input("x", {4, 6});
  old.node("Slice", {"x"}, {"y"},
           {attribute("starts", Ints{1}), attribute("ends", Ints{-1}), attribute("axes", Ints{1})});
  CHECK(nodes(old.output("y")) ==
        "%y: f32[4,4] = Slice(%x) {axes=[0,1], ends=[4,5], placed=1, starts=[0,1], steps=[1,1]}\n");
  OnnxModel equal(11);
  equal.input("x", {4, 6}).node("Split", {"x"}, {"a", "b", "c"}, {attribute("axis", 1)}).output("a");
  // The last outputs count, although they are not read.
  CHECK(nodes(equal) == "%a: f32[4,2], %b: f32[4,2], %c: f32[4,2] = Split(%x) {axis=1, split=[2,2,2]}\n");
  OnnxModel middle(13);
  middle.input("x", {4, 6}).ints("p", {2}, {1, 3}).node("Split", {"x", "p"}, {"", "y"}).output("y");
  CHECK(nodes(middle) == "%y.output0: f32[1,6], %y: f32[3,6] = Split(%x) {axis=0, split=[1,3]}\n");
}

TEST_CASE("opsets: a Gather at a known place is a Slice") {
  const auto gathered = [](const Ints& shape, std::int64_t place) {
    OnnxModel model;
    model.input("x", {3, 5})
        .ints("i", shape, {place})
        .node("Gather", {"x", "i"}, {"y"}, {attribute("axis", 1)});
    return model.output("y");
  };
  CHECK(nodes(gathered({}, -1)) ==
        "%y.slice: f32[3,1] = Slice(%x) {axes=[0,1], ends=[3,5], placed=1, starts=[0,4], steps=[1,1]}\n"
        "%y: f32[3] = Squeeze(%y.slice) {axes=[1]}\n");
  CHECK(nodes(gathered({1}, 2)) ==
        "%y: f32[3,1] = Slice(%x) {axes=[0,1], ends=[3,3], placed=1, starts=[0,2], steps=[1,1]}\n");
  CHECK(nodes(gathered({1, 1}, 2)) == "%y: f32[3,1,1] = Gather(%x, i: i64[1,1]) {axis=1}\n");
  CHECK(error(gathered({}, 5)) == "m.onnx: node 'y' (Gather): the index 5 is outside dimension 1 of [3,5]");
  CHECK(error(gathered({}, -6)) == "m.onnx: node 'y' (Gather): the index -6 is outside dimension 1 of [3,5]");
}

TEST_CASE("opsets: blocks become Reshape, Transpose and Reshape") {
  CHECK(nodes(one_node("SpaceToDepth", {1, 2, 4, 6}, {attribute("blocksize", 2)}, 13)) ==
        "%y.split: f32[1,2,2,2,3,2] = Reshape(%x) {shape=[1,2,2,2,3,2]}\n"
        "%y.transposed: f32[1,2,2,2,2,3] = Transpose(%y.split) {perm=[0,3,5,1,2,4]}\n"
        "%y: f32[1,8,2,3] = Reshape(%y.transposed) {shape=[1,8,2,3]}\n");
  const auto refusal = [](const Ints& shape, const std::vector<::onnx::AttributeProto>& attributes) {
    return error(one_node("DepthToSpace", shape, attributes, 13));
  };
  CHECK(
      refusal({1, 6, 2, 2}, {attribute("blocksize", 2)}) ==
      "m.onnx: node 'y' (DepthToSpace): dimension 1 of [1,6,2,2] is not a multiple of 4, with blocksize = 2");
  CHECK(refusal({1, 8, 2, 2}, {attribute("blocksize", 2), attribute("mode", "DRC")}) ==
        "m.onnx: node 'y' (DepthToSpace): attribute mode = \"DRC\" is not supported; supported: DCR, CRD");
  CHECK(refusal({8, 2, 2}, {attribute("blocksize", 2)}) ==
        "m.onnx: node 'y' (DepthToSpace): the input is f32[8,2,2]; it must be [N,C,H,W]");
  CHECK(refusal({1, 8, 2, 2}, {attribute("blocksize", 0)}) ==
        "m.onnx: node 'y' (DepthToSpace): attribute blocksize = 0 is not supported; supported: 1 to 32768");
  CHECK(refusal({1, 8, 2, 2}, {attribute("blocksize", 2), attribute("size", 2)}) ==
        "m.onnx: node 'y' (DepthToSpace): attribute size = 2 is not supported; supported attributes: "
        "blocksize, "
        "mode");
}

TEST_CASE("opsets: CenterCropPad is a Pad") {
  OnnxModel model(18);
  model.input("x", {5, 4, 3})
      .ints("s", {2}, {2, 7})
      .node("CenterCropPad", {"x", "s"}, {"y"}, {attribute("axes", Ints{0, -1})});
  CHECK(nodes(model.output("y")) == "%y: f32[2,4,7] = Pad(%x) {pads=[-1,0,2,-2,0,2], value=0}\n");
}

TEST_CASE("opsets: a value of Pad that is computed, or no double, is an input") {
  OnnxModel model(18);
  model.input("x", {2}).input("v", {}).ints("p", {2}, {0, 1}).node("Pad", {"x", "p", "v"}, {"y"}).output("y");
  CHECK(nodes(model) == "%y: f32[3] = Pad(%x, %v) {pads=[0,1]}\n");
  OnnxModel large(18);
  large.input("x", {2}, kInt64)
      .ints("v", {}, {INT64_MAX})
      .ints("p", {2}, {0, 1})
      .node("Pad", {"x", "p", "v"}, {"y"});
  CHECK(nodes(large.output("y")) == "%y: i64[3] = Pad(%x, v: i64[]) {pads=[0,1]}\n");
}

TEST_CASE("opsets: Resize and Upsample have attributes for all dimensions") {
  const std::string asymmetric =
      "coordinate_transformation_mode=\"asymmetric\", cubic_coeff_a=-0.75, exclude_outside=0, "
      "extrapolation_value=0, mode=\"nearest\", nearest_mode=";
  CHECK(nodes(one_node("Upsample", {4, 3}, {[] {
                         auto scales = attribute("scales", ::onnx::AttributeProto::FLOATS);
                         scales.add_floats(2);
                         scales.add_floats(1);
                         return scales;
                       }()},
                       7)) ==
        "%y: f32[8,3] = Resize(%x) {" + asymmetric + "\"floor\", scales=[2,1], sizes=[8,3]}\n");
  OnnxModel both(10);
  both.input("x", {4, 4}).floats("s", {2}, {2, 0.5F}).node("Resize", {"x", "s"}, {"y"}).output("y");
  CHECK(nodes(both) == "%y.larger: f32[8,4] = Resize(%x) {" + asymmetric +
                           "\"floor\", scales=[2,1], sizes=[8,4]}\n"
                           "%y: f32[8,2] = Resize(%y.larger) {" +
                           asymmetric + "\"ceil\", scales=[1,0.5], sizes=[8,2]}\n");
  OnnxModel ratio(18);
  ratio.input("x", {1, 4, 8})
      .ints("s", {2}, {6, 8})
      .node("Resize", {"x", "", "", "s"}, {"y"},
            {attribute("axes", Ints{1, 2}), attribute("keep_aspect_ratio_policy", "not_smaller")});
  CHECK(to_string(import(ratio.output("y")).info("y")) == "f32[1,6,12]");
  OnnxModel antialias(18);
  antialias.input("x", {4})
      .ints("s", {1}, {2})
      .node("Resize", {"x", "", "", "s"}, {"y"}, {attribute("antialias", 1)});
  CHECK(error(antialias.output("y")) ==
        "m.onnx: node 'y' (Resize): attribute antialias = 1 is not supported with mode = \"nearest\"; "
        "supported: linear, cubic");
}

TEST_CASE("opsets: what has as many elements as the data says is computed of constants") {
  OnnxModel places;
  places.ints("x", {2, 3}, {0, 5, 0, 7, 0, 1}).node("NonZero", {"x"}, {"y"}).output("y");
  CHECK(ints(places) == Ints{0, 1, 1, 1, 0, 2});
  OnnxModel different;
  different.ints("x", {2, 3}, {3, 1, 3, 2, 1, 3}).node("Unique", {"x"}, {"y", "first", "inverse", "counts"});
  different.output("y").output("first").output("inverse").output("counts");
  CHECK(ints(different) == Ints{1, 2, 3});
  CHECK(ints(different, "first") == Ints{1, 3, 0});
  CHECK(ints(different, "inverse") == Ints{2, 0, 2, 1, 0, 2});
  CHECK(ints(different, "counts") == Ints{2, 1, 3});
  OnnxModel columns;
  columns.ints("x", {2, 3}, {3, 1, 3, 2, 1, 2})
      .node("Unique", {"x"}, {"y"}, {attribute("axis", -1), attribute("sorted", 0)});
  CHECK(ints(columns.output("y")) == Ints{3, 1, 2, 1});
  OnnxModel chosen;
  auto& condition = chosen.initializer("c", {2}, ::onnx::TensorProto::BOOL);
  condition.add_int32_data(0);
  condition.add_int32_data(1);
  chosen.input("x", {3, 2}).node("Compress", {"x", "c"}, {"y"}, {attribute("axis", 0)}).output("y");
  CHECK(nodes(chosen) == "%y: f32[1,2] = Gather(%x, y.indices: i64[1]) {axis=0}\n");
}

TEST_CASE("what data selects is counted: the extent is a symbol, and a tensor holds it") {
  OnnxModel computed;
  computed.input("x", {3}).node("NonZero", {"x"}, {"y"}).output("y");
  const Graph graph = computed.import();
  CHECK(to_string(graph.info("y")) == "i64[1,y_number.count]");
  REQUIRE(graph.counts.size() == 1);
  CHECK(graph.counts[0].param == "y_number.count");
  CHECK(graph.counts[0].tensor == "y.number");
  CHECK(graph.counts[0].bound == Size(3));

  OnnxModel boxes;
  boxes.input("b", {1, 5, 4}).input("s", {1, 2, 5}).ints("limit", {1}, {3});
  boxes.node("NonMaxSuppression", {"b", "s", "limit"}, {"y"}).output("y");
  CHECK(to_string(boxes.import().info("y")) == "i64[y_number.count,3]");
  CHECK(boxes.import().counts[0].bound == Size(6));
  OnnxModel far;
  far.input("b", {1, 5, 4}).input("s", {1, 2, 5}).ints("limit", {1}, {std::int64_t{1} << 40});
  far.node("NonMaxSuppression", {"b", "s", "limit"}, {"y"}).output("y");
  for (int i : {0, 1}) {
    auto* shape =
        far.proto.mutable_graph()->mutable_input(i)->mutable_type()->mutable_tensor_type()->mutable_shape();
    shape->mutable_dim(i + 1)->set_dim_param("boxes");
  }
  CHECK(to_string(far.import().counts[0].bound) == "boxes*2");
  OnnxModel unlimited;
  unlimited.input("b", {1, 5, 4})
      .input("s", {1, 2, 5})
      .node("NonMaxSuppression", {"b", "s"}, {"y"})
      .output("y");
  CHECK(unlimited.import().constants.at("y").shape() == Ints{0, 3});

  OnnxModel wrong;
  wrong.input("b", {1, 5, 4}).input("s", {1, 2, 6}).ints("limit", {1}, {3});
  wrong.node("NonMaxSuppression", {"b", "s", "limit"}, {"y"}).output("y");
  CHECK(error(wrong) ==
        "m.onnx: node 'y.boxes' (NonMaxSuppression): the boxes [1,5,4] and scores [1,2,6] do not fit; they "
        "must be "
        "[b,n,4] and [b,c,n]");
  OnnxModel condition;
  condition.input("x", {3}).input("c", {4}, ::onnx::TensorProto::BOOL).node("Compress", {"x", "c"}, {"y"});
  CHECK(error(condition.output("y")) ==
        "m.onnx: node 'y' (Compress): the condition has 4 elements for dimension 0 of [3]");
  OnnxModel attributes;
  attributes.input("x", {3}).node("NonZero", {"x"}, {"y"}, {attribute("count", 1)}).output("y");
  CHECK(error(attributes) == "m.onnx: node 'y' (NonZero): it has one input, and no attributes");
}

TEST_CASE("what must be known when a model is compiled is refused if it is a count") {
  OnnxModel m;
  m.input("x", {3}).node("NonZero", {"x"}, {"y"}).node("Shape", {"y"}, {"shape"}).ints("one", {}, {1});
  m.node("Gather", {"shape", "one"}, {"number"}).node("CumSum", {"x", "number"}, {"z"}).output("z");
  CHECK(
      error(m) ==
      "m.onnx: node 'z' (CumSum): the axis 'number' is [y_number.count], which depends on data; supported: a "
      "constant axis");
}

TEST_CASE("shapes: symbolic dimensions that an operator takes to be equal are") {
  OnnxModel model = symbolic();
  model.input("mask", {1, 6}).ints("first", {1}, {0}).ints("rest", {2}, {-1, 6});
  model.name_dim(1, 0, "total");
  model.node("Shape", {"mask"}, {"s"}).node("Gather", {"s", "first"}, {"t"});
  model.node("Concat", {"t", "rest"}, {"shape"}, {attribute("axis", 0)});
  model.node("Add", {"x", "mask"}, {"a"}).node("Reshape", {"a", "shape"}, {"y"}).output("y");
  const Graph graph = import(model);
  CHECK(to_string(graph.info("mask")) == "f32[length,6]");
  CHECK(to_string(graph.sizes.at("t")) == "[length]");
  CHECK(to_string(graph.info("y")) == "f32[length,batch,6]");
  REQUIRE(graph.warnings.size() == 1);
  CHECK(graph.warnings[0] ==
        "the symbolic dimension total is assumed to be length, because otherwise: node 'a' (Add): "
        "[batch,length,6] and [total,6] do not broadcast: length against total in dimension 2 from the end; "
        "--dim total=NUMBER fixes it");
}

TEST_CASE("shapes: a Reshape with -1 of open sizes asks that the other extents divide them, no more") {
  OnnxModel model = symbolic();
  model.ints("shape", {2}, {4, -1}).node("Reshape", {"x", "shape"}, {"y"}).output("y");
  const Graph graph = import(model);
  CHECK(to_string(graph.info("x")) == "f32[batch,length/2*2,6]");
  CHECK(to_string(graph.info("y")) == "f32[4,batch*(length/2)*3]");
  REQUIRE(graph.warnings.size() == 1);
  CHECK(graph.warnings[0].starts_with(
      "the symbolic dimension length is assumed to be length/2*2, because otherwise"));
  // A quotient may become a known size.
  OnnxModel then;
  then.input("x", {1, 6}).ints("shape", {2}, {12, -1}).ints("all", {3}, {1, 12, 5});
  then.node("Reshape", {"x", "shape"}, {"r"}).node("Reshape", {"r", "all"}, {"y"}).output("y");
  then.name_dim(0, 0, "length");
  CHECK(to_string(import(then).info("x")) == "f32[10,6]");
  CHECK(to_string(import(then).info("y")) == "f32[1,12,5]");
}

TEST_CASE("shapes: a symbolic number of channels is that of a norm's weights") {
  for (const char* norm : {"InstanceNormalization", "BatchNormalization", "GroupNormalization"}) {
    CAPTURE(norm);
    OnnxModel model(18);
    model.input("x", {1, 1, 4, 5}).floats("s", {3}, {1, 2, 3});
    model.name_dim(0, 1, "channels");
    std::vector<std::string> inputs{"x", "s", "s"};
    if (norm == std::string("BatchNormalization")) inputs.insert(inputs.end(), 2, "s");
    const bool has_groups = norm == std::string("GroupNormalization");
    model
        .node(norm, inputs, {"y"},
              has_groups ? std::vector{attribute("num_groups", 1)} : std::vector<::onnx::AttributeProto>())
        .output("y");
    const Graph graph = import(model);
    CHECK(to_string(graph.info("x")) == "f32[1,3,4,5]");
    CHECK(graph.warnings.size() == 1);
  }
}

TEST_CASE("shapes: what is halved and doubled again meets what it was") {
  OnnxModel model(18);
  model.input("x", {1, 1, 4, 5}).floats("scales", {4}, {1, 1, 2, 1});
  model.name_dim(0, 2, "height");
  model.node("MaxPool", {"x"}, {"half"},
             {attribute("kernel_shape", Ints{2, 1}), attribute("strides", Ints{2, 1})});
  model.node("Resize", {"half", "", "scales"}, {"again"}, {attribute("mode", "nearest")});
  model.node("Concat", {"x", "again"}, {"y"}, {attribute("axis", 1)}).output("y");
  const Graph graph = import(model);
  CHECK(to_string(graph.info("x")) == "f32[1,1,height/2*2,5]");
  CHECK(to_string(graph.info("y")) == "f32[1,2,height/2*2,5]");
}

TEST_CASE("shapes: the extents of convolutions may be computed by nodes") {
  OnnxModel model = symbolic();
  model.ints("one", {1}, {1}).ints("seven", {1}, {7}).ints("eight", {1}, {8}).ints("rest", {1}, {-1});
  model.node("Shape", {"x"}, {"s"}, {attribute("start", 1), attribute("end", 2)});
  model.node("Sub", {"s", "seven"}, {"room"}).node("Div", {"room", "eight"}, {"steps"});
  model.node("Add", {"steps", "one"}, {"windows"}).node("Sub", {"s", "one"}, {"less"});
  model.node("Div", {"less", "eight"}, {"whole"});
  model.node("Concat", {"windows", "whole"}, {"y"}, {attribute("axis", 0)}).output("y");
  CHECK(to_string(import(model).sizes.at("y")) == "[(length + 1)/8,(length + 7)/8 - 1]");
}
