// Tests that the expected outputs of a kernel are those of its definitions.
#include "tune/trial/expected_outputs.h"

#include <doctest/doctest.h>

#include "tensordsl/tensordsl.h"

namespace tensordsl::tune {
namespace {

/// y(i) = 2*x(i) of 64 elements.
struct Doubled {
  Input x{"x", Float(32), {64}};
  Func y{"y"};
  definitions::StoredGroup group;
  std::map<std::string, Buffer> inputs;

  explicit Doubled(Type stored = Float(32)) {
    Var i("i");
    y(i) = x(i) * 2.0f;
    y.bound({64});
    group.outputs = {y};
    group.stored = {{stored, {Expr(64)}, Layout::row_major(1)}};
    Buffer values(Float(32), {64});
    for (std::int64_t k = 0; k < 64; ++k) values.set(k, static_cast<double>(k));
    inputs.emplace("x", values);
  }
};

}  // namespace

TEST_CASE("expected outputs: the first element, the last and some between, as the definitions say") {
  const Doubled d;
  const measure::ExpectedOutputs expected = expected_outputs(d.group, d.inputs, {});
  REQUIRE(expected.elements.size() == 12);
  CHECK(expected.elements[0].at == 0);
  CHECK(expected.elements[1].at == 63);
  for (const auto& element : expected.elements) CHECK(element.value == 2.0 * static_cast<double>(element.at));
  CHECK(expected.tolerance == 1e-4);
}

TEST_CASE("expected outputs: what is stored in f16 may be wrong by more") {
  const Doubled d(Float(16));
  CHECK(expected_outputs(d.group, d.inputs, {}).tolerance == 1e-2);
}

}  // namespace tensordsl::tune
