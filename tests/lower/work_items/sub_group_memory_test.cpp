// Tiles in the registers of a sub-group: store_in(SubGroup).
#include <doctest/doctest.h>

#include "lower/check_simulation.h"
#include "lower/lower.h"
#include "lower/pass_text.h"
#include "lower/passes/work_items/lower_sub_group_storage.h"
#include "support/some_device.h"
#include "tensordsl/error.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

const Var x("x"), y("y"), k("k"), xo("xo"), xi("xi"), ko("ko"), ki("ki"), to("to"), ti("ti");

Buffer numbers(Type type, const std::vector<std::int64_t>& shape) {
  Buffer data(type, shape);
  for (std::int64_t i = 0; i < data.elements(); ++i) data.set(i, static_cast<double>(i * 7 % 11 - 3));
  return data;
}

std::string text_of(const Func& f) { return Pipeline(f).compile().kernels.back().text; }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A matrix product, of which each sub-group computes `columns` elements of a row: 16 elements of `a` at a
/// time are read by its work-items, which then exchange them.
struct Product {
  Input a, b;
  RDom r;
  Func f{"f"}, tile{"tile"};
  Product(int depth, int columns)
      : a("a", Float(32), {3, depth}), b("b", Float(32), {depth, columns}), r({{0, depth}}, "r") {
    tile(y, k) = a(y, k);
    f(y, x) += tile(y, r) * b(r, x);
    f.bound({3, columns}).split(x, xo, xi, 16, Tail::Guard).gpu_blocks(xo, y).gpu_threads(xi);
    f.update()
        .split(x, xo, xi, 16, Tail::Guard)
        .split(r[0], ko, ki, 16)
        .reorder({y, xo, xi, ko, ki})
        .gpu_blocks(xo, y)
        .gpu_threads(xi);
    tile.compute_at(f.update(), ko).store_in(SubGroup).gpu_threads(k);
  }
};

/// The sum of three neighbors; 18 elements for 16 work-items.
struct Neighbors {
  Input in;
  Func tile{"tile"}, out{"out"};
  explicit Neighbors(int size, Type type = Float(32)) : in("in", type, {size + 2}) {
    tile(x) = in(x);
    out(x) = tile(x) + tile(x + 1) + tile(x + 2);
    out.bound({size}).split(x, xo, xi, 16, Tail::Exact).gpu_blocks(xo).gpu_threads(xi);
    tile.compute_at(out, xo).store_in(SubGroup).split(x, to, ti, 16).gpu_threads(ti);
  }
};

TEST_CASE(
    "store_in(SubGroup): an element that all work-items read comes by a broadcast, with no local memory and "
    "no barrier") {
  const Product p(32, 32);
  const std::string text = text_of(p.f);
  CHECK(has(text, "sub_group_broadcast("));
  CHECK_FALSE(has(text, "sub_group_shuffle"));
  CHECK_FALSE(has(text, "__local"));
  CHECK_FALSE(has(text, "barrier"));
  check_result(p.f, {{"a", numbers(Float(32), {3, 32})}, {"b", numbers(Float(32), {32, 32})}}, {3, 32});
}

TEST_CASE("store_in(SubGroup): depths that the sub-group does not divide") {
  for (const int depth : {1, 3, 7, 17, 40}) {
    CAPTURE(depth);
    const Product p(depth, 16);
    check_result(p.f, {{"a", numbers(Float(32), {3, depth})}, {"b", numbers(Float(32), {depth, 16})}},
                 {3, 16});
  }
}

TEST_CASE("store_in(SubGroup): a neighbor's element comes by a shuffle, from either of two registers") {
  for (const Type type : {Float(32), Float(16), Int(32), Int(64), Int(8), UInt(8)}) {
    const Neighbors n(48, type);
    check_result(n.out, {{"in", numbers(type, {50})}}, {48});
  }
  const std::string text = text_of(Neighbors(48).out);
  CHECK(
      has(text,
          "#if defined(cl_khr_subgroup_shuffle)\n#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable\n"
          "#elif defined(cl_intel_subgroups)\n#define sub_group_shuffle intel_sub_group_shuffle\n#endif\n"));
  // A work-item reads its own element, in register 0, without a shuffle; each of two neighbors is in one of
  // two registers.
  std::size_t shuffles = 0;
  for (std::size_t at = text.find("= sub_group_shuffle("); at != std::string::npos;
       at = text.find("= sub_group_shuffle(", at + 1))
    ++shuffles;
  CHECK(shuffles == 4);
  CHECK_FALSE(has(text, "__local"));
}

TEST_CASE(
    "store_in(SubGroup): elements are handed over in front of the test that keeps work-items away at an "
    "edge") {
  for (const int size : {1, 3, 7, 17, 40}) {
    CAPTURE(size);
    const Input in("in", Float(32), {size + 2});
    Func tile("tile"), out("out");
    tile(x) = in(x);
    out(x) = tile(x) + tile(x + 1) + tile(x + 2);
    out.bound({size}).split(x, xo, xi, 16, Tail::Guard).gpu_blocks(xo).gpu_threads(xi);
    tile.compute_at(out, xo).store_in(SubGroup).split(x, to, ti, 16).gpu_threads(ti);
    check_result(out, {{"in", numbers(Float(32), {size + 2})}}, {size});
  }
}

TEST_CASE("store_in(SubGroup): a table in registers is looked up where data say") {
  const Input in("in", Int(32), {64}), values("values", Float(32), {16});
  Func table("table"), out("out");
  table(k) = values(k) * 2.0f;
  out(x) = table(clamp(in(x), 0, 15));
  out.bound({64}).split(x, xo, xi, 16, Tail::Exact).gpu_blocks(xo).gpu_threads(xi);
  table.compute_at(out, xo).store_in(SubGroup).gpu_threads(k);
  CHECK(has(text_of(out), "sub_group_shuffle("));
  check_result(out, {{"in", numbers(Int(32), {64})}, {"values", numbers(Float(32), {16})}}, {64});
}

TEST_CASE("store_in(SubGroup): each row of a group has a tile of its own") {
  const Input in("in", Int(32), {8, 16});
  Func tile("tile"), out("out");
  tile(y, x) = in(y, x) * 3;
  out(y, x) = tile(y, 15 - x) + y;
  const Var yo("yo"), yi("yi");
  out.bound({8, 16}).split(y, yo, yi, 4, Tail::Exact).reorder({yo, yi, x}).gpu_blocks(yo).gpu_threads(x, yi);
  SUBCASE("computed inside the loop over the rows") {
    tile.compute_at(out, yi).store_in(SubGroup).gpu_threads(x);
  }
  SUBCASE("computed outside: each sub-group holds all rows") {
    tile.compute_at(out, yo).store_in(SubGroup).gpu_threads(x);
  }
  check_result(out, {{"in", numbers(Int(32), {8, 16})}}, {8, 16});
}

TEST_CASE("store_in(SubGroup): vectors are made of what was handed over in front of their loop") {
  const Input a("a", Float(32), {16}), b("b", Float(32), {16, 64});
  const RDom r({{0, 16}}, "r");
  Func tile("tile"), f("f"), out("out");
  tile(k) = a(k);
  f(x) += tile(r) * b(r, x);
  out(x) = f(x);
  const Var xt("xt"), xv("xv");
  out.bound({64})
      .split(x, xo, xi, 64, Tail::Exact)
      .split(xi, xt, xv, 4, Tail::Exact)
      .gpu_blocks(xo)
      .gpu_threads(xt)
      .vectorize(xv);
  f.compute_at(out, xt).vectorize(x, 4, Tail::Exact);
  f.update().reorder({r[0], x}).vectorize(x, 4, Tail::Exact);
  tile.compute_at(out, xt).store_in(SubGroup).gpu_threads(k);
  CHECK(has(text_of(out), "float4*)"));
  check_result(out, {{"a", numbers(Float(32), {16})}, {"b", numbers(Float(32), {16, 64})}}, {64});
}

/// A tile of 16 and more elements, read by `value` at work-group xo.
struct Tile {
  Input in{"in", Float(32), {16, 128}};
  Func tile{"tile"}, out{"out"};
  Tile() { tile(x) = in(0, x) * 2.0f; }
  Tile& place(int size) {
    out.bound({size}).split(x, xo, xi, 16, Tail::Exact).gpu_blocks(xo).gpu_threads(xi);
    tile.compute_at(out, xo).store_in(SubGroup).split(x, to, ti, 16).gpu_threads(ti);
    return *this;
  }
  void check(int size) { check_result(out, {{"in", numbers(Float(32), {16, 128})}}, {size}); }
};

TEST_CASE("store_in(SubGroup): what is read behind a condition may be no element where that does not hold") {
  Tile t;
  SUBCASE("before the first element") {
    t.out(x) = select(x >= 1, t.tile(x - 1), 0.0f);
    t.place(16).check(16);
  }
  SUBCASE("a work-item's own, beyond the others'") {
    t.out(x) = select(x < 9, t.tile(x), 0.0f) + select(x < 5, t.tile(x + 3), 1.0f);
    t.place(16).check(16);
  }
  const RDom r({{0, 40}}, "r");
  for (const int limit : {3, 8, 16, 20}) {
    CAPTURE(limit);
    Tile u;
    u.out(x) += select(r < limit, u.tile(r), 2.0f) + select(r >= 20 && r < 30, u.tile(r - 20), 1.0f);
    u.out.bound({16});
    u.out.update().split(x, xo, xi, 16, Tail::Exact).gpu_blocks(xo).gpu_threads(xi);
    u.tile.compute_at(u.out.update(), xo).store_in(SubGroup).split(x, to, ti, 16).gpu_threads(ti);
    u.check(16);
  }
  const RDom rows({{0, 8}}, "rows");
  Func square("square"), sum("sum");
  const Input in("in", Float(32), {16, 128});
  square(y, x) = in(y, x);
  sum(x) += select(rows < 3, square(rows, 15 - x), 1.0f);
  sum.bound({16});
  sum.update().split(x, xo, xi, 16, Tail::Exact).gpu_blocks(xo).gpu_threads(xi);
  square.compute_at(sum.update(), xo).store_in(SubGroup).gpu_threads(x);
  check_result(sum, {{"in", numbers(Float(32), {16, 128})}}, {16});
}

TEST_CASE("store_in(SubGroup): a sub-group that adds up what it holds, past the end too") {
  const Input in("in", Float(32), {64});
  const RDom r({{0, 40}}, "r");
  Func tile("tile"), out("out");
  tile(x) = in(x)*2.0f;
  out(y) += tile(39 - r + y);
  out.bound({8}).gpu_blocks(y);
  out.update().gpu_blocks(y).split(r[0], ko, ki, 16).gpu_lanes(ki);
  SUBCASE("a register for all") { tile.compute_at(out.update(), ko).store_in(SubGroup).gpu_threads(x); }
  SUBCASE("several registers") {
    tile.compute_at(out.update(), y).store_in(SubGroup).split(x, to, ti, 16).gpu_threads(ti);
  }
  check_result(out, {{"in", numbers(Float(32), {64})}}, {8});
}

TEST_CASE("store_in(SubGroup): tiles of tiles, and tiles with updates") {
  const Input in("in", Float(32), {100});
  const RDom r({{0, 3}}, "r");
  Func first("first"), second("second"), out("out");
  first(x) += in(x + r);
  second(x) = first(x) + first(x + 2);
  out(x) = second(x) * second(x + 1);
  out.bound({48}).split(x, xo, xi, 16, Tail::Exact).gpu_blocks(xo).gpu_threads(xi);
  second.compute_at(out, xo).store_in(SubGroup).split(x, to, ti, 16).gpu_threads(ti);
  first.compute_at(out, xo).store_in(SubGroup).split(x, to, ti, 16).gpu_threads(ti);
  first.update().split(x, to, ti, 16).gpu_threads(ti);
  check_result(out, {{"in", numbers(Float(32), {100})}}, {48});
}

TEST_CASE(
    "store_in(SubGroup): a Private Func between the tile and its reader, whose loop starts at each "
    "work-item's element") {
  Tile t;
  Func part("part");
  part(x) = t.tile(x) * 3.0f;
  t.out(x) = part(x) + part(x + 3);
  t.place(32);
  part.compute_at(t.out, xi).store_in(Private);
  t.check(32);
}

TEST_CASE(
    "lower_sub_group_storage: elements of the tile become registers, and reads of other work-items' "
    "exchanges in front") {
  const auto pass = [](const ir::Stmt& stmt) {
    return lower::lower_sub_group_storage(stmt, {{"thread0", {0, 31}}});
  };
  lower::check_pass(pass, R"(
    alloc t: f32 [40] sub_group {
      store t[thread0] = a[thread0]:f32
      if (thread0 < 8) { store t[thread0 + 32] = a[thread0 + 32]:f32 }
      for k in [0, 8) { store out[thread0] = t[k]:f32 + t[thread0 + 1]:f32 }
    })",
                    R"(
    alloc t: f32 [2] private {
      for t.zero0 in [0, 2) unrolled { store t[t.zero0] = 0.0 }
      store t[0] = a[thread0]:f32
      if (thread0 < 8) { store t[1] = a[thread0 + 32]:f32 }
      for k in [0, 8) {
        alloc t.2: f32 [1] private { alloc t.1: f32 [1] private { alloc t.0: f32 [1] private {
          store t.0[0] = sub_group_broadcast(t[0]:f32, k)
          store t.1[0] = sub_group_shuffle(t[1]:f32, (thread0 + 1)%32)
          store t.2[0] = sub_group_shuffle(t[0]:f32, (thread0 + 1)%32)
          store out[thread0] = t.0[0]:f32 + select((thread0 + 1)/32 == 0, t.2[0]:f32, t.1[0]:f32)
        } } }
      }
    })");
  // Shuffles come before the test at an edge.
  lower::check_pass(pass,
                    "alloc t: f32 [32] sub_group { store t[thread0] = a[thread0]:f32 if (thread0 < n) { "
                    "store out[thread0] = t[31 - thread0]:f32 } }",
                    "alloc t: f32 [1] private { store t[0] = a[thread0]:f32 alloc t.0: f32 [1] private { "
                    "store t.0[0] = sub_group_shuffle(t[0]:f32, "
                    "31 - thread0) if (thread0 < n) { store out[thread0] = t.0[0]:f32 } } }");
  // All work-items update the one element, which one of them has computed.
  lower::check_pass(pass,
                    "alloc t: f32 [1] sub_group { if (thread0 < 1) { store t[0] = a[thread0]:f32 } "
                    "store t[0] = t[0]:f32 * 2.0 }",
                    "alloc t: f32 [1] private { for t.zero0 in [0, 1) unrolled { store t[t.zero0] = 0.0 } "
                    "if (thread0 < 1) { store t[0] = a[thread0]:f32 } store t[0] = t[0]:f32 * 2.0 }");
  lower::check_unchanged(pass, "alloc t: f32 [32] local { store t[thread0] = a[thread0]:f32 }");
}

TEST_CASE("store_in(SubGroup): what one element is, each work-item computes for itself") {
  const Input in("in", Float(32), {40});
  const RDom r({{0, 16}}, "r");
  Func total("total"), out("out");
  total(y) += in(r + y);
  out(x) = total(3) + cast(Float(32), x);
  out.bound({32}).split(x, xo, xi, 16, Tail::Exact).gpu_blocks(xo).gpu_threads(xi);
  total.compute_at(out, xo).store_in(SubGroup);
  CHECK_FALSE(has(text_of(out), "sub_group"));
  check_result(out, {{"in", numbers(Float(32), {40})}}, {32});
}

TEST_CASE("store_in(SubGroup): an element that data name for all work-items alike comes by a broadcast") {
  const Input in("in", Float(32), {4, 16}), which("which", Int(32), {3});
  const RDom r({{0, 3}}, "r");
  Func tile("tile"), out("out");
  tile(y, x) = in(y, x);
  out(x) += tile(clamp(which(r), 0, 3), 15 - x) + tile(0, clamp(which(r), 0, 15));
  out.bound({16});
  out.update().split(x, xo, xi, 16, Tail::Exact).gpu_blocks(xo).gpu_threads(xi);
  tile.compute_at(out.update(), xo).store_in(SubGroup).gpu_threads(x);
  CHECK(has(text_of(out), "sub_group_broadcast("));
  check_result(out, {{"in", numbers(Float(32), {4, 16})}, {"which", numbers(Int(32), {3})}}, {16});
}

TEST_CASE("store_in(SubGroup): registers are counted by the work-groups that there are") {
  Tile t;
  SUBCASE("fused") {
    Func out("out");
    out(y, x) = t.tile(x) + t.tile(y + 4);
    const Var f("f"), fo("fo"), fi("fi");
    out.bound({16, 4}).fuse(y, x, f).split(f, fo, fi, 16).gpu_blocks(fo).gpu_threads(fi);
    t.tile.compute_at(out, fo).store_in(SubGroup).split(x, to, ti, 16).gpu_threads(ti);
    check_result(out, {{"in", numbers(Float(32), {16, 128})}}, {16, 4});
  }
  SUBCASE("two parts of one tile") {
    t.out(x) = t.tile(x) + t.tile(x / 16);
    t.place(48).check(48);
  }
}

TEST_CASE(
    "store_in(SubGroup): too many elements for registers, or a number that only the launch knows, are "
    "refused") {
  Tile t;
  t.out(x) = t.tile(x * 5);
  const Input huge("huge", Float(32), {100000});
  const Param n("n", Int(32));
  Func wide("wide"), out("out"), shifted("shifted"), moved("moved");
  wide(x) = huge(x);
  out(x) = wide(x) + wide(x + 9000);
  out.bound({16}).split(x, xo, xi, 16, Tail::Exact).gpu_blocks(xo).gpu_threads(xi);
  wide.compute_at(out, xo).store_in(SubGroup).split(x, to, ti, 16).gpu_threads(ti);
  CHECK_THROWS_WITH_AS(Pipeline(out).compile(),
                       "wide.store_in(SubGroup): each work-item would hold 564 elements, and the limit is "
                       "256; compute it in a loop further in, or use store_in(Local)",
                       ScheduleError);
  shifted(x) = huge(clamp(x, 0, 99));
  moved(x) = shifted(x) + shifted(x + n);
  moved.bound({16}).split(x, xo, xi, 16, Tail::Exact).gpu_blocks(xo).gpu_threads(xi);
  shifted.compute_at(moved, xo).store_in(SubGroup).split(x, to, ti, 16).gpu_threads(ti);
  CHECK_THROWS_WITH_AS(Pipeline(moved).compile(),
                       "shifted.store_in(SubGroup): each work-item would hold an unknown number of elements, "
                       "and the limit is 256; compute it in a loop further in, or use store_in(Local)",
                       ScheduleError);
}

TEST_CASE("store_in(SubGroup): a device whose work-items cannot read from each other is told so") {
  DeviceInfo device = some_device();
  device.has_sub_groups = true;
  CHECK_NOTHROW(Pipeline(Product(32, 32).f).compile(device));
  CHECK_THROWS_WITH_AS(Pipeline(Neighbors(48).out).compile(device),
                       "out: work-items of this device's sub-groups can only broadcast, not read from each "
                       "other (cl_khr_subgroup_shuffle, cl_intel_subgroups); use store_in(Local)",
                       ScheduleError);
  device.has_sub_group_shuffle = true;
  CHECK_NOTHROW(Pipeline(Neighbors(48).out).compile(device));
}

}  // namespace
}  // namespace tensordsl
