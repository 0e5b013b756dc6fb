// Regressions that the property test of tests/fuzz has found, one case each.
#include <doctest/doctest.h>

#include <algorithm>

#include "backends/opencl/emit/emit_opencl.h"
#include "lower/lower.h"
#include "lower/pass_text.h"
#include "runtime/host/interpreter.h"
#include "simulate/simulator.h"

namespace tensordsl::lower {
namespace {

const Var x("x"), y("y"), xo("xo"), xi("xi"), yo("yo"), yi("yi"), f_("f");

LoweredPipeline lowered(const Func& output) {
  return lower(output.shared(), {.observer = nullptr, .verify = true});
}

std::string schedule_error(const Func& output) {
  return error_of<ScheduleError>([&] { lowered(output); });
}

Buffer counting(Type type, std::vector<std::int64_t> shape) {
  Buffer buffer(type, std::move(shape));
  for (std::int64_t i = 0; i < buffer.elements(); ++i) buffer.set_int(i, i * 7 % 23 - 11);
  return buffer;
}

void check_simulated(const Func& output, const std::vector<std::int64_t>& shape,
                     const std::map<std::string, Buffer>& inputs, const ParamValues& params = {}) {
  const Buffer expected = runtime::interpret(output.shared(), shape, {inputs, params});
  const Buffer found = simulate(lowered(output), inputs, params);
  REQUIRE(found.elements() == expected.elements());
  for (std::int64_t i = 0; i < expected.elements(); ++i) {
    CAPTURE(i);
    CHECK(found.get_int(i) == expected.get_int(i));
  }
}

}  // namespace

TEST_CASE("regression: a read behind a select is inside where its condition says so") {
  const Input in("in", Int(32), {8});
  Func out("out");
  out(x) = select(Expr(0) <= x - 2 && x - 2 < 8, in(x - 2), 5);
  out.bound({12}).vectorize(x, 4);
  check_simulated(out, {12}, {{"in", counting(Int(32), {8})}});
}

TEST_CASE("regression: the condition of a select may speak of a sum, of which an index is a multiple") {
  const Input in("in", Int(32), {15});
  Func out("out");
  out(x, y) = select(Expr(0) <= x + y - 3 && x + y - 3 < 7, in((x + y) * 2 - 5), 0);
  out.bound({6, 6});
  check_simulated(out, {6, 6}, {{"in", counting(Int(32), {15})}});
}

TEST_CASE("regression: a tile of which no element is read has no array, in any memory") {
  for (const MemoryScope scope : {MemoryScope::Private, MemoryScope::Local}) {
    const Input in("in", Int(32), {16});
    Func f("f"), out("out");
    f(x) = in(x);
    f(x) += in(x + 1);
    out(y, x) = in(x) + select(Expr(0) <= y * 2 - 3 && y * 2 - 3 < 1, f(y * 2 - 3), 1);
    out.bound({1, 15}).gpu_tile(x, y, {4, 1});
    f.compute_at(out, y).store_in(scope);
    check_simulated(out, {1, 15}, {{"in", counting(Int(32), {16})}});
    const std::string text = opencl::emit(lowered(out).kernels.at(0)).text;
    CAPTURE(text);
    CHECK(text.find("[0];") == std::string::npos);
    CHECK(text.find("barrier") == std::string::npos);
  }
}

TEST_CASE("regression: a Func that is read only where no condition holds is not computed") {
  const Input in("in", Int(32), {4});
  Func f("f"), out("out");
  f(x) = in(x);
  f.compute_root();
  out(x) = select(clamp(x, 1, 2) < 1, f(x + 100), x);
  out.bound({4});
  CHECK(lowered(out).kernels.size() == 1);
  check_simulated(out, {4}, {{"in", counting(Int(32), {4})}});
}

TEST_CASE("regression: an update that writes where nobody reads leaves memory alone") {
  const Input in("in", Int(32), {16});
  const RDom r({{0, 16}}, "r");
  Func f("f"), out("out");
  f(x) = 0;
  f(r + 3) = in(r);
  out(x) = f(x + 1) + f(x);
  out.bound({9});
  SUBCASE("at the root") { f.compute_root(); }
  SUBCASE("in a tile") {
    out.split(x, xo, xi, 4);
    f.compute_at(out, xo);
  }
  check_simulated(out, {9}, {{"in", counting(Int(32), {16})}});
}

TEST_CASE("regression: an update that writes nothing that is read gets no kernel") {
  Func f("f"), out("out");
  f(x) = x;
  f(20) = 5;
  f.compute_root();
  out(x) = f(x);
  out.bound({8});
  CHECK(lowered(out).kernels.size() == 2);
  check_simulated(out, {8}, {});
}

TEST_CASE("regression: a Func is computed over what its own updates read, too") {
  const Input in("in", Int(32), {8});
  const RDom r({{1, 7}}, "r");
  Func scan("scan"), out("out");
  scan(x) = in(x);
  scan(r) = scan(r - 1) + in(r);
  out(x) = scan(7 - x);
  out.bound({8}).split(x, xo, xi, 2);
  scan.compute_at(out, xo);
  check_simulated(out, {8}, {{"in", counting(Int(32), {8})}});
}

TEST_CASE("regression: updates that need ever more of their Func, or more than a bound, are refused") {
  Func f("f"), out("out"), bounded("bounded");
  f(x) = x;
  f(x) = f(x - 1) + f(x);
  out(x) = f(x);
  out.bound({8});
  CHECK(error_of<DefinitionError>([&] { lowered(out); }) ==
        "the updates of f need an unbounded range of f; read f at its pure variables");
  bounded(x) = x;
  bounded(0) = bounded(9);
  bounded.bound({8});
  CHECK(schedule_error(bounded) ==
        "bounded: its updates read [0, 10) of dimension 0 of bounded itself, but its extent is 8; enlarge "
        "the bound, or select the needed part in another Func");
}

TEST_CASE("regression: what a fuse of loops of unknown extent is made of has bounds") {
  const Param n("n");
  const Input in("in", Int(32), {n, 5});
  Func out("out");
  out(y, x) = in(y, x) + 1;
  SUBCASE("the whole output") { out.bound({n, 5}).fuse(y, x, f_); }
  SUBCASE("a tile that the output's end cuts off") {
    Func copy("copy");
    copy(y, x) = in(y, x);
    Func sum("out");
    sum(y, x) = copy(y, x) + 1;
    sum.bound({n, 5}).tile(y, x, yo, xo, yi, xi, 2, 3);
    copy.compute_at(sum, xo).fuse(y, x, f_);
    out = sum;
  }
  check_simulated(out, {7, 5}, {{"in", counting(Int(32), {7, 5})}}, {{"n", 7}});
}

TEST_CASE("regression: a padded Func that would read past the end of an Input is a mistake of the schedule") {
  const Input in("in", Int(32), {9});
  Func f("f"), out("out");
  f(x) = in(x);
  f.compute_root().split(x, xo, xi, 4, Tail::RoundUp);
  out(x) = f(x);
  out.bound({9});
  CHECK(schedule_error(out) ==
        "f reads in at [0, 12) of dimension 0 (d0), but its extent is 9, because Tail::RoundUp or a bound "
        "computes extra points; use Tail::Guard, an Input layout that pads the dimension, or a "
        "BoundaryCondition");
}

TEST_CASE("regression: points of an update that read each other run in order") {
  Func f("f");
  f(x, y) = x + y;
  f(x, y) = f(x, 0) + f(x, y);
  f.bound({4, 4});
  const char* in_parallel =
      "f.update(0).vectorize(y, 4, Tail::Guard): the update reads elements of f that other iterations of "
      "loop \"y\" write, so the loop cannot be vectorized; read f only at \"y\", or compute the value read "
      "in another Func";
  CHECK(error_of<ScheduleError>([&] { f.update(0).vectorize(y, 4); }) == in_parallel);
  f.update(0).vectorize(x, 4).split(y, yo, yi, 2);
  CHECK(error_of<ScheduleError>([&] {
          f.update(0).reorder({yi, yo});
        }) ==
        "f.update(0).reorder({yi, yo}): the update reads elements of its own Func that other iterations "
        "write, so these loops must stay in the order yo, yi");
  check_simulated(f, {4, 4}, {});
}

TEST_CASE("regression: a select between narrow integers stays narrow in OpenCL C") {
  const Input in("in", Int(8), {8});
  Func out("out");
  out(x) = max(select(in(x) < 3, in(x), cast(Int(8), 2)), in(7 - x));
  out.bound({8});
  const std::string text = opencl::emit(lowered(out).kernels[0]).text;
  CAPTURE(text);
  CHECK(text.find("max((int)(char)(") != std::string::npos);
}

TEST_CASE("regression: what was promised of an index bounds what is computed for it inside a kernel") {
  Func squares("squares"), column("column"), out("out");
  squares(y) = y * y;
  column(y) = squares(y + 2);
  out(x, y) = 0;
  const RDom r({{0, 2}}, "r");
  out(r, y) = column(unsafe_promise_clamped(cast(Int(32), cast(Float(32), min(max(y, 0), 1))), 0, 1));
  squares.compute_root();
  column.compute_at(out.update(0), y);
  out.bound({2, 4});
  check_simulated(out, {2, 4}, {});
}

TEST_CASE("regression: what was promised of an index that no loop changes is in no kernel") {
  Func rows("rows"), out("out");
  rows(x, y) = x * 8 + y;
  out(x) =
      rows(1, unsafe_promise_clamped(cast(Int(32), cast(Float(32), min(max(x, 1), 1))), 1, 1)) + rows(0, 0);
  rows.compute_root();
  out.bound({4});
  const LoweredPipeline kernels = lowered(out);
  for (const LoweredKernel& kernel : kernels.kernels)
    CHECK(ir::print(kernel.body).find("promise") == std::string::npos);
  for (const Intermediate& tensor : kernels.intermediates)
    CHECK(ir::print(tensor.elements).find("promise") == std::string::npos);
  check_simulated(out, {4}, {});
}

}  // namespace tensordsl::lower
