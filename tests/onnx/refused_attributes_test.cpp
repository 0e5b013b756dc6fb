// Tests that a node is refused if an attribute or operand of it would be ignored.
#include <doctest/doctest.h>

#include "onnx/evaluate_node.h"
#include "support/onnx_model.h"

using namespace tensordsl;
using namespace tensordsl::onnx;
using namespace tensordsl::testing;

namespace {

std::string error(const OnnxModel& model) {
  ImportOptions options;
  options.evaluate = evaluate_node;
  return model.error(options);
}

}  // namespace

TEST_CASE("refused: Range of 16 bits is computed in f32, and another precision is refused") {
  const auto error_of = [](int type) {
    OnnxModel model(27);
    const std::string bytes(type == ::onnx::TensorProto::FLOAT16 ? 2 : 4, '\0');
    for (const char* name : {"start", "limit"}) model.initializer(name, {}, type).set_raw_data(bytes);
    model.initializer("delta", {}, type)
        .set_raw_data(bytes.size() == 2 ? std::string("\x00\x3c", 2) : std::string("\x00\x00\x80\x3f", 4));
    return error(
        model.node("Range", {"start", "limit", "delta"}, {"y"}, {attribute("stash_type", 10)}).output("y"));
  };
  CHECK(error_of(::onnx::TensorProto::FLOAT16) ==
        "m.onnx: node 'y' (Range): attribute stash_type = 10 is not supported; supported: 1 (FLOAT)");
  CHECK(error_of(::onnx::TensorProto::FLOAT) == "no error");
}

TEST_CASE("refused: a Resize with scales and sizes that both have elements") {
  OnnxModel two(13);
  two.input("x", {4, 4}).floats("f", {2}, {2, 2}).ints("s", {2}, {8, 8});
  CHECK(two.node("Resize", {"x", "", "f", "s"}, {"y"}).output("y").error() ==
        "m.onnx: node 'y' (Resize): scales and sizes are given; supported: one of them");
  OnnxModel one(11);
  one.input("x", {4, 4}).floats("f", {0}, {}).ints("s", {2}, {8, 8});
  CHECK(one.node("Resize", {"x", "", "f", "s"}, {"y"}).output("y").error() == "no error");
}
