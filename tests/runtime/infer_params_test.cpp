// Params that follow from the shapes of values.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "tensordsl/infer_params.h"

using namespace tensordsl;

namespace {

/// "batch = 4, length = 7", or "NAME does not fit".
std::string inferred(const std::vector<std::pair<std::vector<std::string>, std::vector<std::int64_t>>>& given,
                     ParamValues params = {}) {
  std::vector<GivenShape> inputs;
  for (const auto& [extents, shape] : given) {
    inputs.push_back({fmt::format("x{}", inputs.size()), {}, shape});
    for (const std::string& extent : extents) inputs.back().extents.emplace_back(extent);
  }
  if (const GivenShape* unfit = infer_params(inputs, params)) return unfit->input + " does not fit";
  std::string text;
  for (const auto& [name, value] : params)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value.to_string());
  return text;
}

}  // namespace

TEST_CASE("infer params: from extents, their multiples and sums") {
  CHECK(inferred({{{"batch", "2*length"}, {4, 14}}}) == "batch = 4, length = 7");
  CHECK(inferred({{{"length + 2"}, {2}}}) == "length = 0");
  CHECK(inferred({{{"past + length"}, {5}}, {{"length"}, {2}}}) == "length = 2, past = 3");
  CHECK(inferred({{{"length + past"}, {5}}}, {{"past", 1}}) == "length = 4, past = 1");
  CHECK(inferred({{{"3"}, {3}}, {{}, {}}}).empty());
}

TEST_CASE("infer params: of several that fit a small one is taken") {
  CHECK(inferred({{{"length/4*4"}, {8}}}) == "length = 8");
  CHECK(inferred({{{"length/4*3"}, {6}}}) == "length = 8");
  CHECK(inferred({{{"(length + 1)/2*5"}, {15}}}) == "length = 5");
  CHECK(inferred({{{"length/4*4"}, {0}}}) == "length = 0");
  CHECK(inferred({{{"min(length, 8)"}, {8}}}) == "length = 8");
}

TEST_CASE("infer params: a shape that no Param has is told") {
  CHECK(inferred({{{"n"}, {3}}, {{"length/4*4"}, {6}}}) == "x1 does not fit");
  CHECK(inferred({{{"2*length"}, {5}}}) == "x0 does not fit");
  CHECK(inferred({{{"min(length, 8)"}, {9}}}) == "x0 does not fit");
  // An extent of two unknown Params determines none, and a shape of another rank nothing.
  CHECK(inferred({{{"a*b"}, {6}}}).empty());
}
