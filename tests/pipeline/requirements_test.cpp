// Tests the checks of a launch: reads whose indices depend on Params and extents.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tensordsl/tensordsl.h>

#include <functional>

#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "support/buffers.h"
#include "support/error_text.h"

namespace tensordsl {
namespace {

const Var x("x"), y("y"), xo("xo"), xi("xi");
const Param n("n"), m("m");

Buffer counted(const std::vector<std::int64_t>& shape) {
  return testing::filled(Float(32), shape, [](std::int64_t i) { return i; });
}

/// The text of the error that realizing throws.
std::string refusal(const Func& out, const std::map<std::string, Buffer>& inputs,
                    const ParamValues& params = {}, const std::vector<std::int64_t>& shape = {}) {
  const auto device = Device::open();
  return error_of([&] { Pipeline(out).realize(inputs, *device, params, shape); });
}

std::vector<int> values_of(const Func& out, const std::map<std::string, Buffer>& inputs,
                           const ParamValues& params) {
  const auto device = Device::open();
  const Buffer result = Pipeline(out).realize(inputs, *device, params);
  std::vector<int> values;
  for (std::int64_t i = 0; i < result.elements(); ++i) values.push_back(static_cast<int>(result.get(i)));
  return values;
}

constexpr const char* kNone = "no error";
constexpr const char* kLarger =
    "; pass a larger one, compute less, clamp the index, or use a BoundaryCondition";

}  // namespace

TEST_CASE("requirements: an output that is larger than what it reads is refused at the launch") {
  const Input v("v", Float(32), {37});
  Func o("o");
  o(x) = v(x);
  CHECK(refusal(o, {{"v", counted({37})}}, {}, {100}) ==
        std::string("realize: o reads v at [0, 100) of dimension 0 (d0), but its extent is 37") + kLarger);
  CHECK(refusal(o, {{"v", counted({37})}}, {}, {38}) != kNone);
  CHECK(refusal(o, {{"v", counted({37})}}, {}, {37}) == kNone);
  CHECK(refusal(o, {{"v", counted({37})}}, {}, {0}) == kNone);
}

TEST_CASE("requirements: an offset that is a Param is checked, whatever its sign and size") {
  const Input v("v", Float(32), {37});
  Func o("o");
  o(x) = v(x + n);
  o.bound({10});
  const std::map<std::string, Buffer> data{{"v", counted({37})}};
  CHECK(refusal(o, data, {{"n", 27}}) == kNone);
  CHECK(refusal(o, data, {{"n", 28}}) ==
        std::string("realize: o reads v at [28, 38) of dimension 0 (d0), but its extent is 37") + kLarger);
  CHECK(refusal(o, data, {{"n", -1}}) ==
        std::string("realize: o reads v at [-1, 9) of dimension 0 (d0), but its extent is 37") + kLarger);
  CHECK(refusal(o, data, {{"n", 1000000000}}) ==
        std::string(
            "realize: o reads v at [1000000000, 1000000010) of dimension 0 (d0), but its extent is 37") +
            kLarger);
}

TEST_CASE("requirements: an index that is divided by a Param stays in the rows that there are") {
  const Input v("v", Float(32), {m, n});
  Func o("o");
  o(x) = v(x / n, x % n);
  o.bound({m * n});
  const std::map<std::string, Buffer> data{{"v", counted({3, 4})}};
  CHECK(values_of(o, data, {{"m", 3}, {"n", 4}}) == std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  Func far("far");
  far(x) = v((x + n) / n, x % n);
  far.bound({m * n});
  CHECK(refusal(far, data, {{"m", 3}, {"n", 4}}) ==
        std::string("realize: far reads v at [1, 4) of dimension 0 (d0), but its extent is 3") + kLarger);
}

TEST_CASE("requirements: the host asks for Params and Inputs as a device does") {
  const Input v("v", Float(32), {n});
  Func o("o");
  o(x) = v(x) + cast(Float(32), m);
  o.bound({n});
  const Pipeline pipeline(o);
  const std::map<std::string, Buffer> data{{"v", counted({4})}};
  const auto interpreted = [&](const auto& inputs, const ParamValues& params) {
    return error_of([&] { pipeline.interpret(inputs, params); });
  };
  const auto simulated = [&](const auto& inputs, const ParamValues& params) {
    return error_of([&] { pipeline.simulate(inputs, params); });
  };
  const std::string no_value = "no value for the Param \"m\"; pass one with this name";
  CHECK(interpreted(data, {{"n", 4}}) == "interpret: " + no_value);
  CHECK(simulated(data, {{"n", 4}}) == "simulate: " + no_value);
  const std::string too_large = "the Param \"m\" has type i32; found the value 1099511627776";
  CHECK(interpreted(data, {{"n", 4}, {"m", std::int64_t{1} << 40}}) == too_large);
  CHECK(simulated(data, {{"n", 4}, {"m", std::int64_t{1} << 40}}) == too_large);
  CHECK(refusal(o, data, {{"n", 4}, {"m", std::int64_t{1} << 40}}) == too_large);
  const std::map<std::string, Buffer> none;
  const std::string no_data = "no data for the Input \"v\"; pass a Buffer with this name";
  CHECK(interpreted(none, {{"n", 4}, {"m", 1}}) == "interpret: " + no_data);
  CHECK(simulated(none, {{"n", 4}, {"m", 1}}) == "simulate: " + no_data);
  const std::string other_shape = "the Input \"v\" is f32 [5], but the Buffer is f32 [4]";
  CHECK(interpreted(data, {{"n", 5}, {"m", 1}}) == "interpret: " + other_shape);
  CHECK(simulated(data, {{"n", 5}, {"m", 1}}) == "simulate: " + other_shape);
}

TEST_CASE("requirements: a factor that is a Param may be negative") {
  const Input v("v", Float(32), {37});
  Func o("o");
  o(x) = v(x * n + m);
  o.bound({10});
  const std::map<std::string, Buffer> data{{"v", counted({37})}};
  CHECK(refusal(o, data, {{"n", -1}, {"m", 9}}) == kNone);
  CHECK(refusal(o, data, {{"n", 4}, {"m", 0}}) == kNone);
  CHECK(refusal(o, data, {{"n", -1}, {"m", 8}}) ==
        std::string("realize: o reads v at [-1, 9) of dimension 0 (d0), but its extent is 37") + kLarger);
  CHECK(refusal(o, data, {{"n", 5}, {"m", 0}}) ==
        std::string("realize: o reads v at [0, 46) of dimension 0 (d0), but its extent is 37") + kLarger);
}

TEST_CASE("requirements: a remainder by a Param is where the Param's sign puts it") {
  const Input v("v", Float(32), {17});
  Func o("o");
  o(x) = v(x % n);
  o.bound({4});
  const std::map<std::string, Buffer> data{{"v", counted({17})}};
  CHECK(refusal(o, data, {{"n", -3}}) ==
        std::string("realize: o reads v at [-2, 1) of dimension 0 (d0), but its extent is 17") + kLarger);
  CHECK(refusal(o, data, {{"n", 18}}) ==
        std::string("realize: o reads v at [0, 18) of dimension 0 (d0), but its extent is 17") + kLarger);
  CHECK(values_of(o, data, {{"n", 0}}) == std::vector<int>{0, 0, 0, 0});
  CHECK(values_of(o, data, {{"n", -1}}) == std::vector<int>{0, 0, 0, 0});
  CHECK(values_of(o, data, {{"n", 3}}) == std::vector<int>{0, 1, 2, 0});
}

TEST_CASE("requirements: a Param as a factor or a divisor in a condition may have any sign") {
  const Input in("in", Float(32), {8});
  Func f("f");
  f(x) = in(clamp(x, 0, 7)) + 1.0f;
  f.compute_root();
  const std::vector<std::function<Expr()>> definitions{
      [&] { return select(5 <= 0 - x * n, f(x), 0.0f); },
      [&] { return select(3 <= y - x % n, f(y - 3), 0.0f); },
      [&] { return select(3 <= y - x * n, f(y - 3), 0.0f); },
      [&] { return select(y + x * n < 5, f(y + 3), 0.0f); },
  };
  for (const auto& definition : definitions) {
    Func o("o");
    o(y, x) = definition();
    o.bound({8, 8});
    for (const int value : {-3, -1, 1, 4}) {
      const Buffer expected =
          runtime::interpret(o.shared(), {8, 8}, {{{"in", counted({8})}}, {{"n", value}}});
      const std::vector<int> found = values_of(o, {{"in", counted({8})}}, {{"n", value}});
      for (std::size_t i = 0; i < found.size(); ++i)
        CHECK(found[i] == static_cast<int>(expected.get(static_cast<std::int64_t>(i))));
    }
  }
}

TEST_CASE("requirements: a remainder by a Param as an index of a Func asks for a positive Param") {
  Func g("g"), o("o"), guarded("guarded");
  g(x) = x * 10;
  g.compute_root();
  o(x) = g(x % n);
  o.bound({4});
  CHECK(values_of(o, {}, {{"n", 3}}) == std::vector<int>{0, 10, 20, 0});
  CHECK(values_of(o, {}, {{"n", 1}}) == std::vector<int>{0, 0, 0, 0});
  for (const int value : {0, -3}) {
    CHECK(refusal(o, {}, {{"n", value}}) == fmt::format("realize: o reads g at an index that is taken modulo "
                                                        "the Param \"n\", which is {}; pass 1 or more",
                                                        value));
  }
  guarded(x) = select(n > 0, g(x % n), 7);
  guarded.bound({4});
  CHECK(values_of(guarded, {}, {{"n", 3}}) == std::vector<int>{0, 10, 20, 0});
  CHECK(values_of(guarded, {}, {{"n", -3}}) == std::vector<int>{7, 7, 7, 7});
}

TEST_CASE("requirements: a quotient by a Param is right for any Param") {
  Func g("g"), o("o"), same("same");
  g(x) = x * 10;
  g.compute_root();
  o(x) = g(x / n);
  o.bound({4});
  CHECK(values_of(o, {}, {{"n", 2}}) == std::vector<int>{0, 0, 10, 10});
  CHECK(values_of(o, {}, {{"n", 0}}) == std::vector<int>{0, 0, 0, 0});
  CHECK(values_of(o, {}, {{"n", -1}}) == std::vector<int>{0, -10, -20, -30});
  CHECK(values_of(o, {}, {{"n", -2}}) == std::vector<int>{0, -10, -10, -20});
  same(x) = g(x + m / n + m % n);
  same.bound({2});
  CHECK(values_of(same, {}, {{"n", -3}, {"m", 7}}) == std::vector<int>{-50, -40});
  CHECK(values_of(same, {}, {{"n", 0}, {"m", 7}}) == std::vector<int>{0, 10});
}

TEST_CASE("requirements: a Param as a factor in an index of a Func may not be negative") {
  Func g("g"), o("o"), constant("constant"), extent("extent"), at("at");
  g(x) = x * 10;
  g.compute_root();
  o(x) = g(x * n);
  o.bound({4});
  CHECK(values_of(o, {}, {{"n", 2}}) == std::vector<int>{0, 20, 40, 60});
  CHECK(values_of(o, {}, {{"n", 0}}) == std::vector<int>{0, 0, 0, 0});
  CHECK(refusal(o, {}, {{"n", -3}}) ==
        "realize: o reads g at an index that is a multiple of the Param \"n\", which is -3; pass 0 or more");
  constant(x) = g(x + n * m);
  constant.bound({3});
  CHECK(values_of(constant, {}, {{"n", -3}, {"m", 2}}) == std::vector<int>{-60, -50, -40});
  extent(x, y) = g(x + y * n);
  extent.bound({n, m});
  CHECK(Pipeline(extent).compile().factors.empty());
  Func local("local");
  local(x) = x * 10;
  at(x) = local(x * n) + local(x * n + 1);
  at.bound({8}).split(x, xo, xi, 4);
  local.compute_root();
  CHECK(refusal(at, {}, {{"n", -1}}) ==
        "realize: at reads local at an index that is a multiple of the Param \"n\", which is -1; pass 0 or "
        "more");
}

TEST_CASE("requirements: a loop variable as a factor or a divisor in an index may be negative") {
  Func g("g"), product("product"), remainder("remainder"), o("o");
  g(x) = x * 10;
  g.compute_root();
  product(x, y) = g(x * y);
  product.compute_root();
  remainder(x, y) = g(y % x);
  remainder.compute_root();
  o(x, y) = product(x - 3, y) + remainder(x - 3, y) * 1000;
  o.bound({5, 4});
  std::vector<int> expected;
  for (const int j : {-3, -2, -1, 0, 1}) {
    for (int i = 0; i < 4; ++i) {
      const int left = j == 0 ? 0 : i % j;
      expected.push_back(i * j * 10 + (left > 0 && j < 0 ? left + j : left) * 10000);
    }
  }
  CHECK(fmt::format("{}", fmt::join(values_of(o, {}, {}), " ")) ==
        fmt::format("{}", fmt::join(expected, " ")));
}

TEST_CASE("requirements: a tile inside a loop whose variable is a negative factor is the right one") {
  Func g("g"), product("product"), o("o");
  g(x) = x * 10;
  product(x, y) = g(x * y);
  product.compute_root();
  o(x, y) = product(x - 3, y);
  o.bound({5, 4});
  g.compute_at(product, x);
  std::vector<int> expected;
  for (const int j : {-3, -2, -1, 0, 1}) {
    for (int i = 0; i < 4; ++i) expected.push_back(i * j * 10);
  }
  CHECK(values_of(o, {}, {}) == expected);
}

TEST_CASE("requirements: a Param as a factor of where an update writes may not be negative") {
  Func o("o");
  const RDom r({{0, 3}}, "r");
  o(x) = 1;
  o(r * n) = 5;
  o.bound({5});
  CHECK(values_of(o, {}, {{"n", 2}}) == std::vector<int>{5, 1, 5, 1, 5});
  CHECK(refusal(o, {}, {{"n", -2}}) ==
        "realize: o reads o at an index that is a multiple of the Param \"n\", which is -2; pass 0 or more");
}

TEST_CASE("requirements: a factored reduction whose steps were fused reads what the definition reads") {
  const Input v("v", Float(32), {9});
  const RDom r({{0, 2}, {0, 7}, {0, n}}, "r");
  const Var fused("fused"), part("part");
  Func o("o");
  o(x) += v(r[1] + 2);
  o.bound({3});
  o.update().fuse(r[1], r[2], fused);
  o.update().rfactor(r[0], part).compute_root();
  for (const int steps : {1, 2, 5})
    CHECK(values_of(o, {{"v", counted({9})}}, {{"n", steps}}) == std::vector<int>(3, 2 * 35 * steps));
}

TEST_CASE("requirements: a clamp to a constant holds behind its own guard, split and factored") {
  const Input v("v", Float(32), {13, n - 1});
  const RDom r({{0, 3}}, "r");
  const Var ro("ro"), ri("ri"), part("part");
  const auto sums = [&](bool is_factored) {
    Func f("f"), o("o");
    f(y, x) = v(y, x) + 1;
    o(y, x) += BoundaryConditions::zero(f, {13, 3})(y + x - 3, y + r);
    o.bound({n, 10});
    f.compute_root();
    if (is_factored) {
      o.update().split(r[0], ro, ri, 2, Tail::Guard);
      o.update().rfactor(ro, part).compute_at(o.update(), part);
    }
    return values_of(o, {{"v", counted({13, 3})}}, {{"n", 4}});
  };
  CHECK(sums(true) == sums(false));
}

TEST_CASE("requirements: a reduction over more than an Input has is refused") {
  const Input v("v", Float(32), {4});
  const RDom fixed({{0, 10}}, "r"), symbolic({{0, n}}, "r");
  Func a("a"), b("b");
  a(x) += v(fixed);
  a.bound({1});
  CHECK(refusal(a, {{"v", counted({4})}}) ==
        "a reads v at [0, 10) of dimension 0 (d0), but its extent is 4; use a BoundaryCondition, clamp the "
        "index, "
        "or bound the Func");
  b(x) += v(symbolic);
  b.bound({1});
  CHECK(refusal(b, {{"v", counted({4})}}, {{"n", 4}}) == kNone);
  CHECK(refusal(b, {{"v", counted({4})}}, {{"n", 10}}) ==
        std::string("realize: b reads v at [0, 10) of dimension 0 (d0), but its extent is 4") + kLarger);
}

TEST_CASE("requirements: a producer's bound() holds against consumers of any size") {
  Func f("f"), o("o");
  f(x) = x * 2;
  f.compute_root().bound({4});
  o(x) = f(x);
  o.bound({n});
  CHECK(refusal(o, {}, {{"n", 4}}) == kNone);
  CHECK(refusal(o, {}, {{"n", 100000}}) ==
        "realize: o reads f at [0, 100000) of dimension 0 (x), but its extent is 4; enlarge its bound() or "
        "the requested shape, or drop them");
}

TEST_CASE("requirements: what nobody needs is neither computed nor read") {
  const Input v("v", Float(32), {n});
  Func edge = BoundaryConditions::repeat_edge(v, {n}), f("f"), o("o");
  f(x) = edge(x) * 2.0f;
  f.compute_root();
  o(x) = f(x - 1) + f(x + 1);
  o.bound({n});
  CHECK(refusal(o, {{"v", counted({0})}}, {{"n", 0}}) == kNone);
  CHECK(refusal(o, {{"v", counted({5})}}, {{"n", 5}}) == kNone);
  const auto compiled = Pipeline(o).compile();
  REQUIRE(compiled.kernels.size() == 2);
  CHECK(compiled.kernels[0].launch.groups[0].kind() == SizeExpr::Kind::Select);
  CHECK(to_string(compiled.kernels[1].launch.groups[0]).find("select(") == std::string::npos);
}

TEST_CASE("requirements: a read behind a test of Params counts where the test holds") {
  const Input v("v", Float(32), {37});
  Func o("o");
  o(x) = select(n < 10, v(n + x), 0.0f);
  o.bound({5});
  const std::map<std::string, Buffer> data{{"v", counted({37})}};
  CHECK(refusal(o, data, {{"n", 100}}) == kNone);
  CHECK(refusal(o, data, {{"n", 9}}) == kNone);
  CHECK(refusal(o, data, {{"n", -1}}) ==
        std::string("realize: o reads v at [-1, 4) of dimension 0 (d0), but its extent is 37") + kLarger);
}

TEST_CASE("requirements: guards of sums ask for what they leave together") {
  const Input v("v", Float(32), {m});
  const Expr i = x + y - 3, j = y - 1;
  Func o("o");
  o(x, y) = select(0 <= i && i < n && 0 <= j && j < n, v(i * 2 + j + 3), 1.0f);
  o.bound({n + 2, n + 2});
  CHECK(refusal(o, {{"v", counted({22})}}, {{"n", 7}, {"m", 22}}) == kNone);
  CHECK(refusal(o, {{"v", counted({21})}}, {{"n", 7}, {"m", 21}}) ==
        std::string("realize: o reads v at [3, 22) of dimension 0 (d0), but its extent is 21") + kLarger);
}

TEST_CASE("requirements: kernels are as they were, and sizes that are proven ask for nothing") {
  const Input v("v", Float(32), {n, m}), w("w", Float(32), {37});
  Func proven("proven"), asked("asked");
  proven(x, y) = v(x, y);
  proven.bound({n, m});
  CHECK(Pipeline(proven).compile().requirements.empty());
  asked(x) = w(x);
  asked.bound({n});
  const auto compiled = Pipeline(asked).compile();
  CHECK(compiled.requirements.size() == 1);
  CHECK(compiled.kernels.at(0).text.find("if") == std::string::npos);
  CHECK(compiled.kernels.at(0).text.find('?') == std::string::npos);
}

TEST_CASE("realize: names that the pipeline does not have are refused") {
  const Input v("v", Float(32), {n}), w("w", Float(32), {n});
  Func o("o"), none("none");
  o(x) = v(x) + w(x);
  o.bound({n});
  const std::map<std::string, Buffer> data{{"v", counted({2})}, {"w", counted({2})}, {"u", counted({2})}};
  CHECK(refusal(o, data, {{"n", 2}}) == "realize: the pipeline has no Input \"u\"; there are \"v\", \"w\"");
  CHECK(refusal(o, {}, {{"N", 2}}) == "realize: the pipeline has no Param \"N\"; there are \"n\"");
  none(x) = x;
  none.bound({2});
  CHECK(refusal(none, {}, {{"n", 2}}) == "realize: the pipeline has no Param \"n\"; it has none");
}

}  // namespace tensordsl
