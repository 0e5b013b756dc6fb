// Tests which layout transformations are bijections, and which keep the order.
#include "classify/movement.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>

#include "ops/define_operator.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"

using namespace tensordsl;
using namespace tensordsl::classify;
using namespace tensordsl::ops;
using testing::define_operator;

namespace {

std::vector<Expr> exprs(const Shape& shape) {
  std::vector<Expr> extents;
  for (const Size& extent : shape) extents.push_back(extent.expr());
  return extents;
}

std::string text(const std::optional<Movement>& movement) {
  if (!movement) return "none";
  if (movement->is_identity) return "identity";
  if (movement->keeps_order) return "keeps order";
  return movement->is_bijective ? "bijection" : "no bijection";
}

std::string operator_text(const std::string& op, const Shape& x,
                          const std::map<std::string, Attributes::Value>& values) {
  Attributes attributes;
  for (const auto& [name, value] : values) attributes.set(name, value);
  const auto y = define_operator(op, {{"", Float(32), x}}, attributes);
  return text(movement_of(y.outputs.at(0).contents(), exprs(y.inferred.shape())));
}

std::string reshaped(const Shape& from, const Ints& to) {
  return operator_text("Reshape", from, {{"shape", to}});
}

const Var d0("d0"), d1("d1"), d2("d2"), d3("d3");

}  // namespace

TEST_CASE("layout transformation: every reshape keeps the order, however its dimensions regroup") {
  CHECK(reshaped({2, 12, 5}, {2, 3, 4, 5}) == "keeps order");
  CHECK(reshaped({2, 3, 4, 5}, {2, 12, 5}) == "keeps order");
  CHECK(reshaped({10, 3, 4}, {6, 20}) == "keeps order");
  CHECK(reshaped({1, 1000, 1, 1}, {1, 1000}) == "keeps order");
  CHECK(reshaped({6, 4}, {4, 6}) == "keeps order");
  CHECK(reshaped({7}, {7, 1}) == "keeps order");
  CHECK(reshaped({3, 4}, {3, 4}) == "identity");
}

TEST_CASE("layout transformation: a transpose is a bijection, of units only it keeps the order") {
  CHECK(operator_text("Transpose", {2, 3, 4}, {{"perm", Ints{2, 0, 1}}}) == "bijection");
  CHECK(operator_text("Transpose", {2, 1, 4}, {{"perm", Ints{0, 2, 1}}}) == "keeps order");
  CHECK(operator_text("Transpose", {2, 3, 4}, {{"perm", Ints{0, 1, 2}}}) == "identity");
  CHECK(operator_text("Transpose", {3, 3}, {{"perm", Ints{1, 0}}}) == "bijection");
}

TEST_CASE("layout transformation: space to depth and back are bijections") {
  const Input x("x", Float(32), {1, 4, 6, 6}), y("y", Float(32), {1, 16, 3, 3});
  Func to_depth("to_depth"), to_space("to_space");
  // Blocks of 2 x 2.
  to_depth(d0, d1, d2, d3) = x(d0, d1 % 4, d2 * 2 + d1 / 8, d3 * 2 + d1 / 4 % 2);
  CHECK(text(movement_of(to_depth.contents(), exprs({1, 16, 3, 3}))) == "bijection");
  to_space(d0, d1, d2, d3) = y(d0, d2 % 2 * 8 + d3 % 2 * 4 + d1, d2 / 2, d3 / 2);
  CHECK(text(movement_of(to_space.contents(), exprs({1, 4, 6, 6}))) == "bijection");
}

TEST_CASE("layout transformation: crops, repeats, strides and reversals are none, or no bijections") {
  const Input x("x", Float(32), {8, 6}), index("index", Int(32), {8});
  const auto moved = [&](const Expr& a, const Expr& b, const Shape& extents) {
    Func f("f");
    f(d0, d1) = x(a, b);
    return text(movement_of(f.contents(), exprs(extents)));
  };
  CHECK(moved(d0 + 1, d1, {7, 6}) == "no bijection");
  CHECK(moved(d0, d1, {7, 6}) == "no bijection");
  CHECK(moved(d0 * 2, d1, {4, 6}) == "no bijection");
  CHECK(moved(0, d1, {8, 6}) == "no bijection");
  CHECK(moved(d0 % 4, d1, {8, 6}) == "no bijection");
  CHECK(moved(d0 % 4 + d0 / 4, d1, {8, 6}) == "no bijection");
  CHECK(moved(d0, d0 % 6, {8, 6}) == "no bijection");
  CHECK(moved(clamp(index(d0), 0, 7), d1, {8, 6}) == "no bijection");
  CHECK(operator_text("Pad", {4}, {{"pads", Ints{1, 1}}}) == "none");
}

TEST_CASE(
    "layout transformation: an index that is no number of digits is none, and a clamp that cuts is no "
    "identity") {
  const Input x("x", Float(32), {4});
  const auto moved = [&](const Expr& index) {
    Func f("f");
    f(d0) = x(index);
    return text(movement_of(f.contents(), {4}));
  };
  const Param n("n");
  CHECK(moved(min(d0, 2)) == "no bijection");
  CHECK(moved(max(3 - d0, d0)) == "no bijection");
  CHECK(moved(clamp(d0 * d0, 0, 3)) == "no bijection");
  CHECK(moved(d0 % n) == "no bijection");
  CHECK(moved(cast(Int(32), cast(Int(64), d0))) != "keeps order");
  CHECK(moved(clamp(d0 + 1, 1, 3)) == "no bijection");
}

TEST_CASE("layout transformation: with symbolic extents an identity is known, and nothing else") {
  const Param rows("rows");
  const Input x("x", Float(32), {rows, 6});
  Func same("same"), transposed("transposed");
  same(d0, d1) = x(d0, d1);
  transposed(d0, d1) = x(d1, d0);
  CHECK(text(movement_of(same.contents(), {rows, 6})) == "identity");
  CHECK(text(movement_of(same.contents(), {8, 6})) == "no bijection");
  CHECK(text(movement_of(transposed.contents(), {6, rows})) == "no bijection");
}

// A law: a bijection moves every element once, and a layout transformation that keeps the order leaves the
// numbers in their order.
TEST_CASE(
    "layout transformation: what is found agrees with the elements, for random digits put together in random "
    "order") {
  std::uint32_t state = 12345;
  const auto random = [&](std::uint32_t below) {
    state = state * 1664525U + 1013904223U;
    return (state >> 16) % below;
  };
  int bijections = 0, in_order = 0;
  for (int round = 0; round < 400; ++round) {
    // Digits of three axes, put together again to two dimensions; now and then one is lost or doubled.
    const Ints sizes{static_cast<std::int64_t>(random(3)) + 1, static_cast<std::int64_t>(random(3)) + 2,
                     static_cast<std::int64_t>(random(2)) + 2};
    const std::int64_t low = random(2) + 1;
    const Ints extents{sizes[0], sizes[1] * low, sizes[2]};
    struct Part {
      Expr value;
      std::int64_t size;
    };
    std::vector<Part> parts{{d0, sizes[0]},
                            {d1 / static_cast<int>(low), sizes[1]},
                            {d1 % static_cast<int>(low), low},
                            {d2, sizes[2]}};
    if (random(2) == 0) {
      for (std::size_t k = parts.size(); k > 1; --k)
        std::swap(parts[k - 1], parts[random(static_cast<std::uint32_t>(k))]);
    }
    if (random(4) == 0) parts[random(4)] = parts[random(4)];
    const std::size_t cut = random(5);
    Expr indices[2] = {0, 0};
    Ints source{1, 1};
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const std::size_t at = k < cut ? 0 : 1;
      indices[at] = indices[at] * static_cast<int>(parts[k].size) + parts[k].value;
      source[at] *= parts[k].size;
    }
    const Input x("x", Int(32), exprs(source));
    Func f("f");
    f(d0, d1, d2) = x(indices[0], indices[1]);
    const auto movement = movement_of(f.contents(), exprs(extents));
    REQUIRE(movement);
    Buffer numbers(Int(32), source);
    for (std::int64_t k = 0; k < numbers.elements(); ++k) numbers.set_int(k, k);
    const Buffer moved = runtime::interpret(f.shared(), extents, {{{"x", numbers}}, {}});
    std::set<std::int64_t> seen;
    bool sorted = true;
    for (std::int64_t k = 0; k < moved.elements(); ++k) {
      sorted = sorted && (k == 0 || moved.get_int(k) == k);
      seen.insert(moved.get_int(k));
    }
    const bool is_bijective =
        static_cast<std::int64_t>(seen.size()) == moved.elements() && moved.elements() == numbers.elements();
    CAPTURE(to_string(indices[0]));
    CAPTURE(to_string(indices[1]));
    CHECK(movement->is_bijective == is_bijective);
    if (movement->keeps_order) CHECK((is_bijective && sorted));
    if (movement->is_identity) CHECK(movement->keeps_order);
    bijections += movement->is_bijective;
    in_order += movement->keeps_order;
  }
  CHECK(bijections > 100);
  CHECK(in_order > 50);
}
