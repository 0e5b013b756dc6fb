// Reductions over the work-items of a sub-group.
#include <doctest/doctest.h>

#include "lower/lower.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "simulate/simulator.h"
#include "support/some_device.h"
#include "tensordsl/error.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

const Var x("x"), y("y"), ko("ko"), ki("ki"), lane("lane");

/// A matrix times a vector, each row by a sub-group whose work-items add up in registers first.
struct Rows {
  Input a, b;
  RDom r;
  Func f{"f"};
  Func part;
  explicit Rows(int columns, int lanes, Type type = Float(32))
      : a("a", type, {5, columns}), b("b", type, {columns}), r({{0, columns}}, "r"), part(define(lanes)) {
    f.bound({5}).gpu_blocks(x);
    f.update().gpu_blocks(x).gpu_lanes(lane);
    part.compute_at(f.update(), lane);
  }
  Func define(int lanes) {
    f(x) += a(x, r) * b(r);
    return f.update().split(r[0], ko, ki, lanes).rfactor(ki, lane);
  }
};

Buffer numbers(Type type, const std::vector<std::int64_t>& shape) {
  Buffer data(type, shape);
  for (std::int64_t i = 0; i < data.elements(); ++i) data.set(i, static_cast<double>(i * 7 % 11 - 3));
  return data;
}

void check_result(const Func& f, const std::map<std::string, Buffer>& inputs, std::int64_t rows) {
  const Buffer expected = runtime::interpret(f.shared(), {rows}, {inputs, {}});
  lower::LowerOptions options;
  options.verify = true;
  const Buffer found = simulate(lower::lower(f.shared(), options), inputs, {});
  for (std::int64_t i = 0; i < rows; ++i) CHECK(found.get(i) == expected.get(i));
}

}  // namespace

TEST_CASE("gpu_lanes: private sums are added up by the sub-group, with no local memory and no barrier") {
  Rows rows(64, 32);
  const Program p = Pipeline(rows.f).compile();
  REQUIRE(p.kernels.size() == 2);
  CHECK(p.kernels[1].sub_group_size == 32);
  CHECK(p.kernels[1].options == "-cl-std=CL2.0");
  CHECK(p.kernels[1].launch.group_size == std::array<int, 3>{32, 1, 1});
  const std::string& text = p.kernels[1].text;  // as a whole in tests/golden/sub_group_matvec.cl
  CHECK(text.find("sub_group_reduce_add(f_by_lane_0);\n  if (thread0 == 0) {\n    f[block0] = f[block0] + "
                  "f_1_lanes_0;\n") != std::string::npos);
  CHECK(text.find("__local") == std::string::npos);
  CHECK(text.find("barrier") == std::string::npos);
  CHECK(kernel_from_json(to_json(p.kernels[1])).sub_group_size == 32);
}

TEST_CASE("gpu_lanes: every operator and type, whatever the sub-group does not divide") {
  for (const int columns : {1, 3, 7, 17, 40}) {
    for (const int lanes : {2, 8, 16}) {
      CAPTURE(columns);
      CAPTURE(lanes);
      for (const Type type : {Float(32), Int(32), Int(64)}) {
        Rows rows(columns, lanes, type);
        check_result(rows.f, {{"a", numbers(type, {5, columns})}, {"b", numbers(type, {columns})}}, 5);
      }
      const Input a("a", Int(32), {5, columns});
      const RDom r({{0, columns}}, "r");
      Func low("low"), high("high");
      low(x).minimize(a(x, r));
      high(x).maximize(a(x, r));
      for (Func f : {low, high}) {
        f.bound({5});
        // The step that all work-items take together, without a Func of partial results.
        f.update().split(r[0], ko, ki, lanes).gpu_blocks(x).gpu_lanes(ki);
        check_result(f, {{"a", numbers(Int(32), {5, columns})}}, 5);
      }
    }
  }
}

TEST_CASE("gpu_lanes: a row for each sub-group of the group") {
  const Input a("a", Int(32), {8, 16});
  const RDom r({{0, 16}}, "r");
  Func f("f"), out("out");
  f(x) += a(x, r);
  out(x) = f(x) + 1;
  const Var xo("xo"), xi("xi"), xt("xt");
  out.bound({8}).split(x, xo, xi, 4, Tail::Exact).gpu_blocks(xo);
  f.compute_at(out, xo).store_in(Local);
  f.update().split(x, xt, xi, 1).gpu_lanes(r[0]);
  check_result(out, {{"a", numbers(Int(32), {8, 16})}}, 8);
}

TEST_CASE("gpu_lanes: what cannot be added up is refused") {
  Rows rows(64, 32);
  CHECK_THROWS_WITH_AS(rows.f.gpu_lanes(x),
                       "f.gpu_lanes(x): loop \"x\" is already a block loop; a loop can have only one kind",
                       ScheduleError);
  const Input a("a", Float(32), {5, 32}), h("h", UInt(8), {5, 32});
  const RDom r({{0, 32}}, "r");
  Func sum("sum"), product("product"), bytes("bytes"), last("last");
  sum(x) += a(x, r);
  product(x) *= a(x, r);
  bytes(x) += h(x, r);
  last(x) = 0.0f;
  last(x) = a(x, r) - last(x);
  CHECK_THROWS_WITH_AS(sum.gpu_lanes(x),
                       "sum.gpu_lanes(x): loop \"x\" is not a reduction; use gpu_threads for it",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(product.update().gpu_lanes(r[0]),
                       "product.update(0).gpu_lanes(r_0): sub-groups can only reduce f(...) = f(...) op "
                       "value, with op +, min or max",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(last.update().gpu_lanes(r[0]),
                       "last.update(0).gpu_lanes(r_0): sub-groups can only reduce f(...) = f(...) op value, "
                       "with op +, min or max",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(bytes.update().gpu_lanes(r[0]),
                       "bytes.update(0).gpu_lanes(r_0): sub-groups reduce f32, i32 and i64, but bytes has "
                       "type u8; use a Func of one of these types",
                       ScheduleError);
  sum.update().gpu_lanes(r[0]);
  CHECK_THROWS_WITH_AS(sum.update().vectorize(x, 4),
                       "sum.update(0).vectorize(x, 4, Tail::Guard): loop \"r_0\" is reduced by a sub-group, "
                       "which needs scalars; use unroll instead",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(sum.update().gpu_threads(x),
                       "sum.update(0).gpu_threads(x): dimension 0 is already taken by loop \"r_0\"; map each "
                       "dimension once, all in one call",
                       ScheduleError);
}

TEST_CASE("gpu_lanes: a device without sub-groups, or with others, is told so") {
  Rows rows(64, 32);
  DeviceInfo device = some_device();
  CHECK_THROWS_WITH_AS(Pipeline(rows.f).compile(device),
                       "f: the device has no sub-groups (cl_khr_subgroups, cl_intel_subgroups); use "
                       "gpu_threads with store_in(Local)",
                       ScheduleError);
  device.has_sub_groups = true;
  for (const auto& [version, options] : {std::pair{"OpenCL 3.0 PoCL", "-cl-std=CL3.0"},
                                         {"OpenCL 2.1 NEO", "-cl-std=CL2.0"},
                                         {"OpenCL 1.2", "-cl-std=CL1.2"}}) {
    device.version = version;
    CHECK(Pipeline(rows.f).compile(device).kernels[1].options == options);
  }
  device.sub_group_sizes = {8, 16};
  CHECK_THROWS_WITH_AS(Pipeline(rows.f).compile(device),
                       "f: the kernel needs sub-groups of 32 work-items, but the device supports 8, 16",
                       ScheduleError);
  Rows odd(60, 12);
  CHECK_THROWS_WITH_AS(Pipeline(odd.f).compile(),
                       "f: dimension 0 of its work-groups is a sub-group of 12 work-items; the supported "
                       "sizes are 2, 4, 8, 16, 32, 64 and 128",
                       ScheduleError);
}

TEST_CASE("gpu_lanes: work-items that do not come to the sub-group are found at lowering") {
  const Input a("a", Int(32), {7, 16});
  const RDom r({{0, 16}}, "r");
  Func f("f");
  f(y) += a(y, r);
  const Var yo("yo"), yi("yi");
  f.bound({7});
  f.update().split(y, yo, yi, 2).reorder({yo, yi}).gpu_blocks(yo).gpu_lanes(r[0]);
  CHECK_NOTHROW(Pipeline(f).compile());  // the test is the same for all
  // Another Func in the kernel has more work-items than the sub-group.
  const Input b("b", Int(32), {7});
  Func tile("tile"), g("g");
  tile(y) = b(y) + 1;
  g(y) += a(y, r);
  g.bound({7});
  Func out("out");
  out(y) = g(y) + tile(y);
  const Var t("t");
  out.bound({7}).split(y, yo, yi, 4).gpu_blocks(yo).gpu_threads(yi);
  g.compute_at(out, yo).store_in(Local);
  g.update().split(r[0], ko, ki, 2).gpu_lanes(ki);
  CHECK_THROWS_WITH_AS(Pipeline(out).compile(),
                       "out: all work-items of a sub-group must take part to reduce, but the test thread0 < "
                       "2 excludes some of them; make the factors of the gpu_threads loops divide the "
                       "extents, and give gpu_lanes all work-items of dimension 0",
                       ScheduleError);
}

}  // namespace tensordsl
