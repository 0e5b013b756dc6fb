// Tests definitions beyond ONNX Runtime's fixtures: several outputs, absent or unusual operands.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "ops/define_operator.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"

using namespace tensordsl;
using namespace tensordsl::ops;
using testing::define_operator;
using testing::func_shape;

namespace {

using Values = std::map<std::string, Attributes::Value>;

std::vector<Buffer> evaluate(const std::string& op, const std::vector<Buffer>& inputs, const Values& values,
                             std::size_t outputs = 1) {
  Attributes attributes;
  for (const auto& [name, value] : values) attributes.set(name, value);
  const auto defined = define_operator(op, testing::infos_of(inputs), attributes, "y", outputs);
  std::vector<Buffer> results;
  for (std::size_t i = 0; i < defined.outputs.size(); ++i) {
    results.push_back(runtime::interpret(defined.outputs[i].shared(),
                                         func_shape(defined.inferred.outputs[i].shape),
                                         {testing::by_name(inputs), {}}));
    CHECK(results.back().type() == defined.inferred.outputs[i].type);
  }
  return results;
}

Buffer of(Type type, const Ints& shape, const std::vector<double>& values) {
  Buffer buffer(type, shape);
  for (std::size_t i = 0; i < values.size(); ++i) buffer.set(static_cast<std::int64_t>(i), values[i]);
  return buffer;
}

std::vector<double> numbers(const Buffer& buffer) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < buffer.elements(); ++i) values.push_back(buffer.get(i));
  return values;
}

using Numbers = std::vector<double>;

}  // namespace

TEST_CASE("sizes: tensors that are made of attributes") {
  CHECK(numbers(evaluate("Shape", {}, {{"sizes", Ints{4, 1, 7}}})[0]) == Numbers{4, 1, 7});
  CHECK(numbers(evaluate("Size", {}, {{"sizes", Ints{28}}})[0]) == Numbers{28});
  Buffer value(Int(64), {1});
  value.set_int(0, (std::int64_t{1} << 53) + 1);
  CHECK(evaluate("ConstantOfShape", {}, {{"shape", Ints{2, 1}}, {"value", value}})[0].get_int(1) ==
        (std::int64_t{1} << 53) + 1);
  CHECK(numbers(
            evaluate("ConstantOfShape", {}, {{"shape", Ints{2}}, {"value", of(Float(16), {1}, {0.5})}})[0]) ==
        Numbers{0.5, 0.5});
  const auto range = [](std::int64_t type, const Attributes::Value& start, const Attributes::Value& delta) {
    return numbers(
        evaluate("Range", {}, {{"start", start}, {"delta", delta}, {"count", Ints{3}}, {"dtype", type}})[0]);
  };
  CHECK(range(7, Ints{5}, Ints{-2}) == Numbers{5, 3, 1});
  CHECK(range(5, Ints{-300}, Ints{100}) == Numbers{-300, -200, -100});
  CHECK(range(1, 0.5, 0.25) == Numbers{0.5, 0.75, 1});
  CHECK(range(11, Ints{2}, Ints{1}) == Numbers{2, 3, 4});
  CHECK(numbers(evaluate("EyeLike", {},
                         {{"shape", Ints{2, 3}}, {"dtype", std::int64_t{7}}, {"k", std::int64_t{1}}})[0]) ==
        Numbers{0, 1, 0, 0, 0, 1});
}

TEST_CASE("Split: every part starts where the one before it ends") {
  const Buffer x = of(Int(16), {2, 4}, {0, 1, 2, 3, 4, 5, 6, 7});
  const auto parts = evaluate("Split", {x}, {{"axis", std::int64_t{1}}, {"split", Ints{1, 2, 1}}}, 3);
  REQUIRE(parts.size() == 3);
  CHECK(numbers(parts[0]) == Numbers{0, 4});
  CHECK(numbers(parts[1]) == Numbers{1, 2, 5, 6});
  CHECK(numbers(parts[2]) == Numbers{3, 7});
}

TEST_CASE("gathers: an index that is outside reads the nearest element") {
  const Buffer x = of(Float(32), {3}, {10, 20, 30});
  const Buffer places = of(Int(64), {5}, {-3, -4, 2, 3, 1e18});
  CHECK(numbers(evaluate("Gather", {x, places}, {})[0]) == Numbers{10, 10, 30, 30, 10});
  CHECK(numbers(evaluate("GatherElements", {x, places}, {})[0]) == Numbers{10, 10, 30, 30, 10});
  CHECK(numbers(evaluate("GatherND", {x, places.reshaped({5, 1})}, {})[0]) == Numbers{10, 10, 30, 30, 10});
  CHECK(numbers(evaluate("ReverseSequence",
                         {of(Int(8), {3, 2}, {1, 2, 3, 4, 5, 6}), of(Int(64), {2}, {2, 9})}, {})[0]) ==
        Numbers{3, 6, 1, 6, 5, 6});
}

TEST_CASE("scatters: updates come in order, and one that is outside is dropped") {
  const Buffer x = of(Float(32), {3}, {1, 2, 3});
  const Buffer places = of(Int(32), {4}, {-1, 0, -1, 3}), updates = of(Float(32), {4}, {4, 5, 6, 7});
  const auto scattered = [&](const char* reduction) {
    const Values values{{"reduction", std::string(reduction)}};
    const Numbers elements = numbers(evaluate("ScatterElements", {x, places, updates}, values)[0]);
    CHECK(numbers(evaluate("ScatterND", {x, places.reshaped({4, 1}), updates}, values)[0]) == elements);
    return elements;
  };
  CHECK(scattered("none") == Numbers{5, 2, 6});
  CHECK(scattered("add") == Numbers{6, 2, 13});
  CHECK(scattered("mul") == Numbers{5, 2, 72});
  CHECK(scattered("max") == Numbers{5, 2, 6});
  CHECK(scattered("min") == Numbers{1, 2, 3});
}

TEST_CASE(
    "scatters: sums of f16 are taken in f32, a NaN is not lost, and nothing is scattered by no indices") {
  const Buffer x = of(Float(16), {1}, {2048}), ones = of(Float(16), {4}, {1, 1, 1, 1});
  const Buffer places(Int(64), {4});
  CHECK(numbers(evaluate("ScatterElements", {x, places, ones}, {{"reduction", std::string("add")}})[0]) ==
        Numbers{2052});
  const Buffer not_a_number = of(Float(32), {1}, {NAN}), one = of(Float(32), {1}, {1});
  const Buffer zero(Int(64), {1});
  for (const char* reduction : {"max", "min"}) {
    const Values values{{"reduction", std::string(reduction)}};
    CHECK(std::isnan(evaluate("ScatterElements", {one, zero, not_a_number}, values)[0].get(0)));
    CHECK(std::isnan(evaluate("ScatterElements", {not_a_number, zero, one}, values)[0].get(0)));
  }
  const Buffer none(Int(64), {0}), no_places(Int(64), {0, 1});
  CHECK(numbers(evaluate("ScatterElements", {one, none, Buffer(Float(32), {0})}, {})[0]) == Numbers{1});
  CHECK(numbers(evaluate("ScatterND", {one, no_places, Buffer(Float(32), {0})}, {})[0]) == Numbers{1});
}

TEST_CASE("OneHot: an index that is outside is hot nowhere, whatever its type") {
  const Buffer values = of(Float(32), {2}, {-1, 1});
  const auto hot = [&](const Buffer& indices) {
    return numbers(evaluate("OneHot", {indices, values}, {{"depth", Ints{3}}})[0]);
  };
  CHECK(hot(of(Int(8), {3}, {-1, 3, -4})) == Numbers{-1, -1, 1, -1, -1, -1, -1, -1, -1});
  Buffer far(Int(64), {1});
  far.set_int(0, (std::int64_t{1} << 32) + 1);
  CHECK(hot(far) == Numbers{-1, -1, -1});
  CHECK(hot(of(Float(32), {1}, {2})) == Numbers{-1, -1, 1});
}

TEST_CASE("TopK: equal ones stand in their order, a NaN is the largest") {
  const auto top = [](const Buffer& x, std::int64_t k, std::int64_t largest) {
    return evaluate("TopK", {x}, {{"k", Ints{k}}, {"largest", largest}}, 2);
  };
  const Buffer x = of(Float(32), {6}, {1, 3, NAN, 3, -2, 1});
  const auto largest = top(x, 4, 1), smallest = top(x, 6, 0);
  CHECK(numbers(largest[1]) == Numbers{2, 1, 3, 0});
  CHECK(numbers(smallest[1]) == Numbers{4, 0, 5, 1, 3, 2});
  CHECK(smallest[0].get(0) == -2);
  Buffer wide(UInt(64), {2});
  wide.set_int(0, 1);
  wide.set_int(1, -1);
  CHECK(numbers(top(wide, 1, 1)[1]) == Numbers{1});
}

TEST_CASE("Gemm and Einsum: integers are exact") {
  const std::int64_t large = (std::int64_t{1} << 30) + 1;
  Buffer a(Int(64), {1, 2}), b(Int(64), {2, 1}), c(Int(64), {1});
  a.set_int(0, large);
  a.set_int(1, -1);
  b.set_int(0, large);
  b.set_int(1, 7);
  c.set_int(0, 5);
  const std::int64_t sum = large * large - 7;
  CHECK(evaluate("Gemm", {a, b, c}, {{"alpha", 1.0}, {"beta", -2.0}})[0].get_int(0) == sum - 10);
  CHECK(evaluate("Einsum", {a, b}, {{"equation", std::string("ij,ji->")}})[0].get_int(0) == sum);
}

TEST_CASE("Det: of a matrix without a first pivot, and of one without rank") {
  const auto det = [](const Ints& shape, const Numbers& values) {
    return evaluate("Det", {of(Float(64), shape, values)}, {})[0].get(0);
  };
  CHECK(det({2, 2}, {0, 2, 3, 0}) == doctest::Approx(-6));
  CHECK(det({3, 3}, {1, 2, 3, 2, 4, 6, 0, 1, 5}) == doctest::Approx(0));
  CHECK(det({3, 3}, {0, 0, 2, 0, 5, 1, 1, 7, 9}) == doctest::Approx(-10));
  CHECK(det({1, 1}, {-4}) == -4);
}

TEST_CASE("Pad: what is cropped is gone before the rest is repeated") {
  const Buffer x = of(Float(32), {5}, {0, 1, 2, 3, 4});
  const auto padded = [&](const char* mode, const Ints& pads) {
    return numbers(evaluate("Pad", {x}, {{"mode", std::string(mode)}, {"pads", pads}})[0]);
  };
  CHECK(padded("edge", {2, -2}) == Numbers{0, 0, 0, 1, 2});
  CHECK(padded("edge", {-2, 2}) == Numbers{2, 3, 4, 4, 4});
  CHECK(padded("reflect", {2, -2}) == Numbers{2, 1, 0, 1, 2});
  CHECK(padded("reflect", {-2, 2}) == Numbers{2, 3, 4, 3, 2});
  CHECK(padded("wrap", {-3, 5}) == Numbers{3, 4, 3, 4, 3, 4, 3});
  CHECK(padded("reflect", {4, 1}) == Numbers{4, 3, 2, 1, 0, 1, 2, 3, 4, 3});
  CHECK_THROWS_WITH_AS(padded("reflect", {9, 0}),
                       "mode = \"reflect\" with pads of 9 and 0 needs 10 or more elements in dimension 0 "
                       "of [5], but there are 5",
                       ShapeError);
  CHECK(numbers(evaluate("Pad", {Buffer(Float(32), {0}), of(Float(32), {}, {3})},
                         {{"pads", Ints{1, 1}}})[0]) == Numbers{3, 3});
}
