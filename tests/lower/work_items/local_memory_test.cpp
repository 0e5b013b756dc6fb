// in(), store_in, double_buffer and autobroadcast: the kernels that they give, and their refusals.
#include <doctest/doctest.h>

#include "backends/opencl/emit/emit_opencl.h"
#include "lower/lower.h"
#include "lower/pass_text.h"
#include "lower/passes/work_items/check_barriers.h"
#include "lower/passes/work_items/place_barriers.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "simulate/simulator.h"
#include "support/some_device.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl::lower {
namespace {

const Var i("i"), j("j"), k("k"), io("io"), it("it"), ii("ii"), jo("jo"), jt("jt"), ji("ji"), ko("ko"),
    ki("ki"), f("f"), fo("fo"), t("t"), ty("ty"), tx("tx");

/// C = A*B in blocks of 8x8, a work-item to two results.
struct Product {
  Input a{"a", Int(32), {16, 12}, {"i", "k"}}, b{"b", Int(32), {12, 16}, {"k", "j"}};
  RDom r{{{0, 12}}, "r"};
  Func product{"product"}, out{"out"};

  Product() {
    product(i, j) += a(i, r[0]) * b(r[0], j);
    out(i, j) = product(i, j);
    out.bound({16, 16})
        .split(i, io, it, 8)
        .split(j, jo, ji, 8)
        .split(ji, jt, t, 2)
        .reorder({io, jo, it, jt, t});
    out.gpu_blocks(jo, io).gpu_threads(jt, it);
    product.compute_at(out, jt);
    product.update().split(r[0], ko, ki, 4).reorder({ko, ki, i, j});
  }

  /// A copy of `tensor` in local memory for each step of the reduction, loaded by all 32 work-items.
  Func staged(const Input& tensor, const Var& outer, const Var& inner) {
    Func tile = tensor.in(product);
    tile.compute_at(product.update(), ko)
        .store_in(Local)
        .fuse(outer, inner, f)
        .split(f, fo, t, 32)
        .split(t, ty, tx, 4)
        .gpu_threads(tx, ty);
    return tile;
  }

  std::string text() const { return opencl::emit(lower(out.shared()).kernels[0]).text; }

  void check() const {
    Buffer left(Int(32), {16, 12}), right(Int(32), {12, 16});
    for (std::int64_t n = 0; n < left.elements(); ++n) {
      left.set_int(n, n * 7 % 11 - 5);
      right.set_int(n, n * 5 % 13 - 6);
    }
    const Buffer expected = runtime::interpret(out.shared(), {16, 16}, {{{"a", left}, {"b", right}}, {}});
    const Buffer found = simulate(lower(out.shared()), {{"a", left}, {"b", right}}, {});
    for (std::int64_t n = 0; n < found.elements(); ++n) REQUIRE(found.get_int(n) == expected.get_int(n));
  }
};

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

template <typename F>
std::string error(F call) {
  return error_of<ScheduleError>(call);
}

}  // namespace

TEST_CASE("local memory: tiles of a reduction are loaded by the group, with two barriers a step") {
  Product p;
  p.staged(p.a, i, k);
  p.staged(p.b, k, j);
  const std::string text = p.text();
  CAPTURE(text);
  CHECK(count(text, "barrier(") == 2);
  CHECK(count(text, "__local int") == 2);
  p.check();
}

TEST_CASE("local memory: each of the four choices of what is staged is one line of the schedule") {
  for (const bool activation : {false, true}) {
    for (const bool weight : {false, true}) {
      Product p;
      if (activation) p.staged(p.a, i, k);
      if (weight) p.staged(p.b, k, j);
      CHECK(count(p.text(), "__local int") == activation + weight);
      p.check();
    }
  }
}

TEST_CASE(
    "local memory: a double buffer reads the next tile while this one is used, with one barrier a step") {
  Product p;
  p.staged(p.a, i, k).double_buffer();
  p.staged(p.b, k, j).double_buffer();
  const std::string text = p.text();
  CAPTURE(text);
  CHECK(text.find("a_in_product_next") != std::string::npos);
  CHECK(count(text, "barrier(") == 2);  // one before the loop
  p.check();
}

TEST_CASE("local memory: what is staged may be staged again, in registers") {
  Product p;
  Func tile = p.staged(p.a, i, k);
  tile.in(p.product).compute_at(p.product.update(), ki).store_in(Private);
  CHECK(p.text().find("a_in_product_in_product") != std::string::npos);
  p.check();
}

TEST_CASE("local memory: how far a reduction goes may be read by the group") {
  const Input data("data", Int(32), {16, 16}), counts("counts", Int(32), {16});
  const auto kernel = [&](bool by_group) {
    RDom r({{0, 16}}, "r");
    r.where(r < counts(by_group ? Expr(i) : Expr(j)));
    Func tile("tile"), total("total");
    tile(k, j) = data(k, j) * 2;
    total(i, j) += tile(r, j) * tile(r, 15 - j);
    total.bound({16, 16}).gpu_blocks(i).gpu_threads(j);
    total.update().gpu_blocks(i).reorder({i, r[0], j}).gpu_threads(j);
    tile.compute_at(total.update(), r[0]).store_in(Local).gpu_threads(j);
    return total;
  };
  Buffer values(Int(32), {16, 16}), lengths(Int(32), {16});
  for (std::int64_t n = 0; n < 256; ++n) values.set_int(n, n % 11);
  for (std::int64_t n = 0; n < 16; ++n) lengths.set_int(n, n * 5 % 19 - 1);
  const std::map<std::string, Buffer> inputs{{"data", values}, {"counts", lengths}};
  for (const bool by_group : {true, false}) {
    const Func total = kernel(by_group);
    const Buffer expected = Pipeline(total).interpret(inputs)[0];
    const Buffer found = Pipeline(total).simulate(inputs)[0];
    for (std::int64_t n = 0; n < 256; ++n) REQUIRE(found.get_int(n) == expected.get_int(n));
  }
}

TEST_CASE("in: what no definition reads has no copy") {
  Product p;
  const Input other("other", Int(32), {4});
  CHECK(error([&] { other.in(p.product); }) ==
        "other.in(product): no definition of product reads other; define it first, and name the Func whose "
        "own definition reads the "
        "tensor");
  CHECK(error([&] { p.out.in(p.out); }) ==
        "out.in(out): a tensor cannot be its own consumer; name a Func that reads it");
}

TEST_CASE("store_in: memories that a tensor cannot have are refused") {
  Product p;
  CHECK(error([&] { p.a.store_in(Local); }) ==
        "a.store_in(Local): an Input is outside the kernel; stage a copy of it: "
        "input.in(consumer).compute_at(...)");
  CHECK(error([&] { p.product.store_in(MemoryScope::Constant); }) ==
        "product.store_in(Constant): kernels cannot write constant memory; only an Input can be in it");
}

TEST_CASE("store_in: a Func that has no storage inside a kernel is refused") {
  Product root;
  root.out.store_in(Local);
  CHECK(error([&] { lower(root.out.shared()); }) ==
        "out.store_in(Local): the Func is computed at the root by its own kernels, which store to global "
        "memory; use compute_at");
  Product copied;
  copied.a.in(copied.product).store_in(Local);
  CHECK(error([&] { lower(copied.out.shared()); }) ==
        "a_in_product.store_in(Local): the Func is inlined; use compute_at or compute_root");
  CHECK(error([&] { copied.a.in(copied.product); }) ==
        "a.in(product): product already reads the copy a_in_product; use that Func, or "
        "a_in_product.in(product)");
  Product buffered;
  Func tile = buffered.staged(buffered.a, i, k);
  CHECK(error([&] { tile.double_buffer().store_in(Private); }) ==
        "a_in_product.store_in(Private): double_buffer() needs local memory");
}

TEST_CASE("store_in: a small Input is read from the constant address space") {
  Product p;
  p.b.store_in(MemoryScope::Constant);
  CHECK(p.text().find("__constant int* restrict b,") != std::string::npos);
  p.check();
  LowerOptions options;
  options.constant_bytes = 767;
  CHECK(error([&] { lower(p.out.shared(), options); }) ==
        "b.store_in(Constant): it has 768 bytes, more than the limit of a constant buffer, 767; keep it in "
        "global memory");
  p.b.set_image(Image2D).layout("k | j");
  CHECK(error([&] { lower(p.out.shared()); }) ==
        "b.store_in(Constant): images cannot be in constant memory; keep it in global memory");
  const Param n("n");
  Input table("table", Int(32), {n});
  Func out("out");
  out(i) = table(i % 4);
  out.bound({8});
  table.store_in(MemoryScope::Constant);
  CHECK(
      error([&] { lower(out.shared()); }) ==
      "table.store_in(Constant): its size, n elements, is not known before launch; keep it in global memory");
}

TEST_CASE("double_buffer: a loop that does not run loads no first tile") {
  const Param n("n");
  const Input a("a", Int(32), {16, n}, {"i", "k"});
  const RDom r({{0, n}}, "r");
  Func sum("sum"), out("out");
  sum(i) += a(i, r[0]);
  out(i) = sum(i);
  out.bound({16}).split(i, io, it, 8).gpu_blocks(io).gpu_threads(it);
  sum.compute_at(out, it);
  sum.update().reorder({r[0], i});
  Func tile = a.in(sum);
  tile.compute_at(sum.update(), Var("r_0")).store_in(Local).double_buffer().gpu_threads(i);
  for (const int extent : {0, 1, 2, 3}) {
    Buffer data(Int(32), {16, extent});
    for (std::int64_t at = 0; at < data.elements(); ++at) data.set_int(at, at);
    const Buffer expected = runtime::interpret(out.shared(), {16}, {{{"a", data}}, {{"n", extent}}});
    const Buffer found = simulate(lower(out.shared()), {{"a", data}}, {{"n", extent}});
    for (std::int64_t at = 0; at < 16; ++at) CHECK(found.get_int(at) == expected.get_int(at));
  }
}

TEST_CASE("double_buffer: a tile that is not local or not in a serial loop is refused") {
  Product p;
  CHECK(error([&] { p.product.double_buffer(); }) ==
        "product.double_buffer(): double_buffer() needs a Func in local memory; call store_in(Local) first");
  Func tile = p.a.in(p.product);
  tile.compute_at(p.out, jo).store_in(Local).double_buffer();
  CHECK(error([&] { lower(p.out.shared()); }) ==
        "a_in_product.double_buffer(): a_in_product.compute_at(out, jo) is not a serial loop, so there is "
        "nothing to overlap with; compute the Func at a serial loop, for example that of a reduction");
}

TEST_CASE("autobroadcast: on a Func inside another's kernel it is refused") {
  Product p;
  p.product.autobroadcast();
  CHECK(error([&] { lower(p.out.shared()); }) ==
        "product.autobroadcast(): the Func is computed inside another Func's kernel; call it on the Func "
        "of that kernel that is computed at the root");
}

TEST_CASE("barriers: a test that keeps work-items away is refused") {
  const auto check = [](const char* stmt) {
    return error_of<ScheduleError>([&] { check_barriers(ir::parse_stmt(stmt), "out"); });
  };
  CHECK(check("if (thread0 < 7) { store a[0] = 0 barrier local }") ==
        "out: all work-items of a group must reach a barrier, but the test thread0 < 7 excludes some of "
        "them; make the factors of the gpu_threads loops divide the extents, or use Tail::ShiftInwards, or "
        "Tail::RoundUp if the extent is not fixed");
  CHECK(check("let n = thread0*2 for x in [0, n) { barrier local }")
            .find("the loop \"x\", whose length differs between work-items,") != std::string::npos);
  CHECK(check("if (block0 < 7) { for x in [0, n) { barrier local } }") == "no error");
}

TEST_CASE("a work-group that the device has no room for is refused when it is known") {
  const Var x("x"), xo("xo"), xi("xi");
  const auto compile = [&](int tile, DeviceInfo device) {
    const Input a("a", Float(32), {4096});
    Func copy("copy"), out("out");
    copy(x) = a(x);
    out(x) = copy(x) + copy(4095 - x);
    out.bound({4096}).split(x, xo, xi, tile, Tail::Exact).gpu_blocks(xo).gpu_threads(xi);
    copy.compute_at(out, xo).store_in(Local);
    return Pipeline(out).compile(device);
  };
  CHECK_NOTHROW(compile(64, some_device()));
  DeviceInfo small = some_device();
  small.local_memory_bytes = 1024;
  CHECK_THROWS_WITH_AS(compile(64, small),
                       "kernel out_kernel: its tiles need 16384 bytes of local memory, but the device has "
                       "1024; make them smaller, drop double_buffer(), or move one with store_in(Private)",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(compile(2048, some_device()),
                       "kernel out_kernel: its work-groups are 2048 x 1 x 1, but the limit of the device is "
                       "1024 work-items, 1024 x 1024 x 64; split the gpu_threads loops by smaller factors",
                       ScheduleError);
}

}  // namespace tensordsl::lower
