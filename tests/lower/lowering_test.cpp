// Whole pipelines: refusals, and symbolic extents in the simulator.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lower/lower.h"

#include <numeric>

#include "lower/pass_text.h"
#include "runtime/host/interpreter.h"
#include "simulate/simulator.h"

namespace tensordsl::lower {
namespace {

const Var x("x"), y("y"), k("k"), xo("xo"), xi("xi"), yo("yo"), yi("yi");

LoweredPipeline lowered(const Func& output) {
  LowerOptions options;
  options.verify = true;
  return lower(output.shared(), options);
}

std::string definition_error(const Func& output) {
  return error_of<DefinitionError>([&] { lowered(output); });
}

std::string schedule_error(const Func& output) {
  return error_of<ScheduleError>([&] { lowered(output); });
}

Buffer counting(Type type, std::vector<std::int64_t> shape) {
  Buffer buffer(type, std::move(shape));
  for (std::int64_t i = 0; i < buffer.elements(); ++i) buffer.set(i, static_cast<double>(i * 7 % 23 - 11));
  return buffer;
}

/// The simulated kernels give what the interpreter does.
void check_simulated(const Func& output, const std::vector<std::int64_t>& shape,
                     const std::map<std::string, Buffer>& inputs, ParamValues params) {
  const Buffer expected = runtime::interpret(output.shared(), shape, {inputs, params});
  for (std::size_t d = 0; d < shape.size(); ++d)
    params[fmt::format("{}_extent_{}", output.name(), d)] = shape[d];
  const Buffer found = simulate(lowered(output), inputs, params);
  REQUIRE(found.elements() == expected.elements());
  for (std::int64_t i = 0; i < expected.elements(); ++i) {
    INFO("element ", i, " of [", fmt::format("{}", fmt::join(shape, ", ")), "]");
    REQUIRE(found.get(i) == expected.get(i));
  }
}

}  // namespace

TEST_CASE("lower: an Input is read inside its shape, as far as constants tell") {
  const Input in("in", Int(32), {4, 8}, {"row", "column"});
  Func out("out");
  out(y, x) = in(y, x + 1);
  out.bound({4, 8});
  CHECK(definition_error(out) ==
        "out reads in at [1, 9) of dimension 1 (column), but its extent is 8; use a BoundaryCondition, clamp "
        "the index, or bound "
        "the Func");
  out.bound({4, 7});
  CHECK(definition_error(out) == "no error");
  Func before("before");
  before(y, x) = in(y - 1, x);
  before.bound({4, 8});
  CHECK(definition_error(before) ==
        "before reads in at [-1, 3) of dimension 0 (row), but its extent is 4; use a BoundaryCondition, "
        "clamp the index, or "
        "bound the Func");
}

TEST_CASE("lower: an index that depends on data must be clamped") {
  const Input index("index", Int(32), {8}), in("in", Int(32), {16});
  Func gather("gather"), clamped("clamped");
  gather(x) = in(index(x));
  gather.bound({8});
  CHECK(definition_error(gather) ==
        "in: index index[gather.x] of dimension 0 is unbounded; clamp it to the tensor's extent");
  clamped(x) = in(clamp(index(x), 0, 15));
  clamped.bound({8});
  CHECK(definition_error(clamped) == "no error");
}

TEST_CASE("lower: the output must be a defined Func, and all it reads defined") {
  CHECK(definition_error(Input("in", Int(32), {4})) == "in: the output of a pipeline must be a defined Func");
  CHECK(definition_error(Func("nothing")) == "nothing: the output of a pipeline must be a defined Func");
}

TEST_CASE("lower: two tensors of one name are refused") {
  Func f("f"), out("f");
  f(x) = x;
  out(x) = f(x) + 1;
  CHECK(definition_error(out) ==
        "two different Funcs or Inputs of one pipeline are named \"f\"; rename one of them");
}

TEST_CASE("lower: a Param with the name of a tensor is refused") {
  const Input in("in", Int(32), {8});
  Func out("out");
  out(x) = in(x) + Param("in");
  out.bound({8});
  CHECK(definition_error(out) ==
        "\"in\" names both a Param and a Func or Input of kernel out; rename one of them");
}

TEST_CASE("lower: directives that the loops cannot obey are refused with the loop's name") {
  const auto error = [](auto directives) {
    Func out("out");
    out(y, x) = y + x;
    out.bound({6, 10});
    directives(out);
    return schedule_error(out);
  };
  CHECK(error([](Func& f) { f.gpu_blocks(x); }) ==
        "out: the gpu_blocks loop \"out.x\" is inside the loop \"out.y\"; block loops must be outermost, so "
        "reorder them first");
  CHECK(error([](Func& f) { f.vectorize(x); }) ==
        "vectorize: loop \"out.x\" has the extent 10; the device's vectors have 2, 3, 4, 8 or 16 lanes; "
        "split the loop by one of these and vectorize the inner loop");
  CHECK(error([](Func& f) { f.split(x, xo, xi, 3, Tail::Exact); }) ==
        "out: split(x, xo, xi, 3, Tail::Exact): 3 does not divide the extent 10; use another tail or factor");
  CHECK(error([](Func& f) { f.split(x, xo, xi, 16, Tail::ShiftInwards); }) ==
        "out: split(x, xo, xi, 16, Tail::ShiftInwards): the extent 10 is not known to be at least 16; use "
        "Tail::Guard");
  CHECK(error([](Func& f) { f.split(y, yo, yi, 4, Tail::RoundUp); }) ==
        "out: Tail::RoundUp needs 8 elements in dimension 0, but its extent is fixed at 6; use Tail::Guard, "
        "an extent that the factor divides, or a layout that pads it");
  Func symbolic("symbolic");
  symbolic(x) = x;
  symbolic.unroll(x);
  CHECK(schedule_error(symbolic) ==
        "unroll: loop \"symbolic.x\" has the extent symbolic_extent_0, which is not constant; split it by a "
        "small constant and "
        "unroll the inner part");
}

TEST_CASE("lower: work-items over an extent that is not constant are refused") {
  Func out("out");
  out(x) = x;
  out.gpu_threads(x);
  CHECK(schedule_error(out) ==
        "out: the gpu_threads loop \"out.x\" has the extent out_extent_0, which has no constant bound; split "
        "it by a constant first");
}

TEST_CASE("lower: storage inside a kernel needs a constant size") {
  Func f("f"), out("out");
  f(x) = x;
  out(y, x) = f(x) + y;
  f.compute_at(out, y);
  CHECK(schedule_error(out) ==
        "f: storage inside a kernel needs a constant size, but an extent is out_extent_1; split the "
        "consumer's loop by a constant, or use compute_root");
}

TEST_CASE("lower: a Func computed inside a vectorized loop is refused") {
  const RDom r({{0, 3}}, "r");
  Func f("f"), out("out");
  f(x) += r + x;
  out(x) = f(x);
  out.bound({8}).split(x, xo, xi, 4).vectorize(xi);
  f.compute_at(out, xi);
  CHECK(schedule_error(out) ==
        "f: it is computed inside the vectorized loop \"out.xi\", where every lane would need its own "
        "storage; compute it outside "
        "that loop");
}

TEST_CASE("lower: a pipeline lists its inputs in the order of use, its intermediates and its output") {
  const Input a("a", Float(32), {8}), b("b", Float(32), {8});
  Func f("f"), out("out");
  f(x) = b(x) * 2;
  out(x) = f(x) + a(x) + b(x);
  f.compute_root();
  out.bound({8});
  const LoweredPipeline p = lowered(out);
  CHECK(p.inputs == std::vector<std::string>{"b", "a"});
  REQUIRE(p.intermediates.size() == 1);
  CHECK(p.intermediates[0].name == "f");
  CHECK(ir::print(p.intermediates[0].elements) == "8");
  CHECK(p.outputs == std::vector<std::string>{"out"});
  REQUIRE(p.kernels.size() == 2);
  CHECK(p.kernels[0].name == "f");
  CHECK(p.kernels[1].name == "out");
}

TEST_CASE("lower: an empty output has kernels that do nothing") {
  Func out("out");
  out(x) = x;
  out.bound({0}).gpu_tile(x, 8);
  const LoweredPipeline p = lowered(out);
  REQUIRE(p.kernels.size() == 1);
  CHECK(ir::print(p.kernels[0].groups[0]) == "0");
}

TEST_CASE("symbolic extents: a guarded tile") {
  const Param n("n"), m("m");
  const Input in("in", Int(32), {n, m});
  Func out("out");
  out(y, x) = in(y, x) * 2 + n - m;
  out.bound({n, m}).gpu_tile(x, y, {4, 2});
  for (const auto& [rows, columns] : {std::pair{1, 1}, {2, 4}, {3, 5}, {7, 9}, {0, 3}, {5, 0}}) {
    check_simulated(out, {rows, columns}, {{"in", counting(Int(32), {rows, columns})}},
                    {{"n", rows}, {"m", columns}});
  }
}

TEST_CASE("symbolic extents: vectors, with the rest lane by lane") {
  const Param n("n");
  const Input in("in", Float(32), {n});
  Func out("out");
  out(x) = in(x)*0.5f + x;
  out.bound({n}).vectorize(x, 4);
  for (const int size : {0, 1, 3, 4, 5, 8, 11}) {
    check_simulated(out, {size}, {{"in", counting(Float(32), {size})}}, {{"n", size}});
  }
}

TEST_CASE("symbolic extents: a matrix product with a register tile") {
  const Param m("m"), n("n"), depth("depth");
  const Input a("a", Float(32), {m, depth}), b("b", Float(32), {depth, n});
  const RDom r({{0, depth}}, "r");
  Func c("c"), out("out");
  c(y, x) += a(y, r) * b(r, x);
  out(y, x) = c(y, x);
  out.bound({m, n}).tile(y, x, yo, xo, yi, xi, 2, 4).vectorize(xi).unroll(yi).gpu_blocks(xo, yo);
  c.compute_at(out, xo).vectorize(x, 4).unroll(y);
  c.update().reorder({r[0], y, x}).vectorize(x, 4).unroll(y);
  for (const auto& [rows, columns, inner] :
       {std::tuple{2, 4, 3}, {3, 5, 2}, {5, 9, 7}, {1, 1, 1}, {4, 8, 0}}) {
    check_simulated(out, {rows, columns},
                    {{"a", counting(Float(32), {rows, inner})}, {"b", counting(Float(32), {inner, columns})}},
                    {{"m", rows}, {"n", columns}, {"depth", inner}});
  }
}

TEST_CASE("symbolic extents: an intermediate of a size known at launch") {
  const Param n("n");
  const Input in("in", Int(32), {n});
  Func padded = BoundaryConditions::zero(in, in.shape());
  Func out("out");
  out(x) = padded(x - 1) + padded(x + 1);
  padded.compute_root();
  out.bound({n}).gpu_tile(x, 4);
  for (const int size : {1, 2, 7, 8})
    check_simulated(out, {size}, {{"in", counting(Int(32), {size})}}, {{"n", size}});
}

TEST_CASE("symbolic extents: an output without bound() takes its extents as arguments") {
  const Input in("in", Int(32), {64});
  Func out("out");
  out(y, x) = in(min(y * 8 + x, 63)) + y;
  out.gpu_tile(x, y, {4, 2});
  for (const auto& [rows, columns] : {std::pair{1, 7}, {8, 8}, {3, 4}}) {
    check_simulated(out, {rows, columns}, {{"in", counting(Int(32), {64})}}, {});
  }
}

TEST_CASE("symbolic extents: values that are no extents are arguments as well") {
  const Param shift("shift"), scale("scale", Float(32)), offset("offset", Int(64));
  Func out("out");
  out(x) = x * scale + shift + cast(Float(32), offset);
  out.bound({5});
  check_simulated(out, {5}, {}, {{"shift", -3}, {"scale", 2}, {"offset", 100}});
}

}  // namespace tensordsl::lower
