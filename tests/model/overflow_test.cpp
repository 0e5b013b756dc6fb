// Constants that f16 cannot hold: a warning names each.
#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "support/load_model.h"

using namespace tensordsl;
using testing::load_model;
using testing::OnnxModel;

namespace {

/// Returns the warnings of y = x + k, with k of 4 elements, compiled with fp16.
std::vector<std::string> warnings_of(const std::vector<float>& constant,
                                     Precision precision = Precision::Float16) {
  OnnxModel model;
  model.input("x", {2, 4}).floats("k", {4}, constant);
  model.node("Add", {"x", "k"}, {"y"}).output("y", {2, 4});
  CompileTarget target;
  target.precision = precision;
  return load_model(model).compile(target).warnings;
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace

TEST_CASE("overflow: a constant that f16 stores as infinity is named, with its first such value") {
  CHECK(warnings_of({1, -70000, 3, 1e30F}) ==
        std::vector<std::string>{
            "the constant 'k' is stored as f16, in which 2 of its values are infinite, the "
            "first -70000; compile with fp32, or scale the model"});
  CHECK(
      warnings_of({1, 2, 3, 65520}) ==
      std::vector<std::string>{"the constant 'k' is stored as f16, in which 1 of its values is infinite, the "
                               "first 65520; compile with fp32, or scale the model"});
}

TEST_CASE("overflow: what f16 holds, is infinite anyway, or is stored as f32 is no overflow") {
  CHECK(warnings_of({1, 2, 65519, -65504}).empty());
  CHECK(warnings_of({1, kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()}).empty());
  CHECK(warnings_of({1, -70000, 3, 1e30F}, Precision::Float32).empty());
}
