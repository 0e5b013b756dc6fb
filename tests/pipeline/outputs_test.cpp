// Several outputs, tuples, values without dimensions, and the errors that the host can find, on every driver.
#include <doctest/doctest.h>

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "support/buffers.h"
#include "support/error_text.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

const Var x("x"), y("y");

Buffer numbers(Type type, const std::vector<std::int64_t>& shape) {
  return testing::filled(type, shape, [](std::int64_t i) { return (i * 37 + 5) % 23 - 11; });
}

void check_all(const std::vector<Func>& outputs, const std::map<std::string, Buffer>& inputs,
               const ParamValues& params = {}, const OutputShapes& shapes = {}) {
  const Pipeline pipeline(outputs);
  const auto expected = pipeline.interpret(inputs, params, shapes);
  const auto simulated = pipeline.simulate(inputs, params, shapes);
  const auto device = Device::open();
  const auto found = pipeline.realize_all(inputs, *device, params, shapes);
  REQUIRE(found.size() == expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    CHECK(found[k].shape() == expected[k].shape());
    CHECK(found[k].type() == expected[k].type());
    for (std::int64_t i = 0; i < expected[k].elements(); ++i) {
      CHECK(found[k].get(i) == expected[k].get(i));
      CHECK(simulated[k].get(i) == expected[k].get(i));
    }
  }
}

}  // namespace

TEST_CASE("outputs: each is computed once, in its own layout, also where another one reads it") {
  const Input in("in", Float(32), {6, 9}, {"y", "x"});
  const RDom r({{0, 6}, {0, 9}}, "r");
  Func twice("twice"), sum("sum"), best("best");
  twice(y, x) = in(y, x) * 2.0f;
  sum() += twice(r[0], r[1]);
  best() = argmax(r, twice(r[0], r[1]));
  twice.bound({6, 9}).layout("x y").gpu_tile(x, y, {4, 2});
  check_all({twice, sum, best}, {{"in", numbers(Float(32), {6, 9})}});
  std::vector<std::string> names;
  for (const Program::Value& output : Pipeline(std::vector<Func>{twice, sum, best}).compile().outputs)
    names.push_back(output.name);
  CHECK(names == std::vector<std::string>{"twice", "sum", "best.0", "best.1", "best.2"});
}

TEST_CASE("outputs: shapes are given by name where there is no bound()") {
  const Param n("n");
  const Input in("in", Int(32), {n});
  Func a("a"), b("b");
  a(x) = in(x) + 1;
  b(x) = a(x) * 2;
  const std::map<std::string, Buffer> inputs{{"in", numbers(Int(32), {11})}};
  check_all({a, b}, inputs, {{"n", 11}}, {{"a", {11}}, {"b", {7}}});
  const auto device = Device::open();
  const Pipeline pipeline(std::vector<Func>{a, b});
  CHECK_THROWS_WITH_AS(pipeline.realize_all(inputs, *device, {{"n", 11}}, {{"a", {11}}}),
                       "realize: b has 1 dimension, but no bound(); pass a shape with 1 extent, found 0",
                       ShapeError);
  CHECK_THROWS_WITH_AS(pipeline.realize_all(inputs, *device, {{"n", 11}}, {{"c", {11}}}),
                       "realize: the pipeline has no output \"c\"; there are \"a\", \"b\"", Error);
  CHECK_THROWS_WITH_AS(pipeline.realize_all(inputs, *device, {{"n", 11}}, {{"a", {5}}, {"b", {7}}}),
                       "realize: b reads a at [0, 7) of dimension 0 (x), but its extent is 5; enlarge its "
                       "bound() or the requested shape, or drop them",
                       ShapeError);
  const char* several =
      "realize: it returns one Buffer, but the pipeline has 2 outputs, a, b; use realize_all";
  CHECK_THROWS_WITH_AS(pipeline.realize(inputs, *device, {{"n", 11}}, {11}), several, Error);
  CHECK_THROWS_WITH_AS(pipeline.prepare(*device, {{"n", 11}}, {11}),
                       "prepare: found one shape for 2 outputs; use prepare_all", Error);
  a.bound({11});
  b.bound({7});
  CHECK_THROWS_WITH_AS(pipeline.realize(inputs, *device, {{"n", 11}}), several, Error);
  CHECK_THROWS_WITH_AS(Pipeline(std::vector<Func>{a, a}).compile(),
                       "Pipeline: a is listed twice as an output; pass it once", DefinitionError);
  CHECK_THROWS_WITH_AS(Pipeline(std::vector<Func>{}).compile(),
                       "Pipeline: no output given; pass one or more Funcs", DefinitionError);
}

TEST_CASE("outputs: one without elements is an empty Buffer, also on the host") {
  const Input in("in", Float(32), {4});
  Func none("none"), some("some");
  none(x) = in(x);
  some(x) = {in(x), 1};
  none.bound({0});
  some.bound({2});
  const Pipeline pipeline({none, some});
  const std::map<std::string, Buffer> inputs{{"in", Buffer(Float(32), {4})}};
  for (const std::vector<Buffer>& results : {pipeline.interpret(inputs), pipeline.simulate(inputs),
                                             pipeline.realize_all(inputs, *Device::open())}) {
    REQUIRE(results.size() == 3);
    CHECK(results[0].shape() == std::vector<std::int64_t>{0});
    CHECK(results[0].type() == Float(32));
    CHECK(results[2].get_int(1) == 1);
  }
}

TEST_CASE("outputs: tuples in vectors, tiles, images and local memory") {
  const Input in("in", Float(32), {8, 16}, {"y", "x"});
  Func pair("pair"), out("out");
  pair(y, x) = {in(y, x) + 1.0f, in(y, x) * 0.5f};
  pair(y, x) = Tuple(pair(y, x)[1], pair(y, x)[0] - pair(y, x)[1]);
  out(y, x) = {pair(y, x)[0], pair(y, 15 - x)[1], cast<std::uint8_t>(pair(y, x)[0] > pair(y, x)[1])};
  out.bound({8, 16}).gpu_tile(x, y, {8, 2});
  pair.compute_at(out, Var("y.b")).store_in(Local).vectorize(x, 4);
  pair.update().vectorize(x, 4);
  check_all({out}, {{"in", numbers(Float(32), {8, 16})}});

  Func texels("texels"), sums("sums");
  texels(y, x) = {in(y, x) + 1.0f, in(y, x) * 0.5f};
  sums(y, x) = texels(y, x)[0] + texels(y, 15 - x)[1];
  texels.compute_root()
      .layout("y | x/4 | x%4")
      .set_image(Image2D)
      .vectorize(x, 4, Tail::RoundUp)
      .gpu_blocks(y);
  sums.bound({8, 16}).gpu_tile(x, y, {8, 2});
  check_all({sums}, {{"in", numbers(Float(32), {8, 16})}});
}

TEST_CASE("outputs: triangles, and as many as the data say") {
  const Input in("in", Int(32), {12, 12}), count("count", Int(32), {12});
  RDom below({{0, 12}}, "below"), some({{0, 12}}, "some");
  below.where(below[0] <= y);
  some.where(some[0] < count(y));
  Func triangle("triangle"), part("part");
  triangle(y) += in(y, below);
  part(y) += in(y, some);
  for (Func f : {triangle, part}) {
    f.bound({12}).gpu_tile(y, 4);
    f.update().gpu_tile(y, 4);
  }
  check_all({triangle, part}, {{"in", numbers(Int(32), {12, 12})}, {"count", numbers(Int(32), {12})}});
}

TEST_CASE("outputs: aligned rows are packed and unpacked") {
  const Input in("in", Float(32), {5, 7}, {"y", "x"});
  Func middle("middle"), out("out");
  middle(y, x) = in(y, x) + 1.0f;
  out(y, x) = middle(y, x) * 2.0f;
  in.shared();
  Func(in).align_storage(Var("x"), 8);
  middle.compute_root().align_storage(x, 16).vectorize(x, 4);
  out.bound({5, 7}).align_storage(x, 4).vectorize(x, 4, Tail::RoundUp);
  check_all({out}, {{"in", numbers(Float(32), {5, 7})}});
  CHECK_THROWS_WITH_AS(out.align_storage(Var("z"), 4),
                       "out.align_storage(z, 4): unknown dimension; the dimensions are y, x", ScheduleError);
  CHECK_THROWS_WITH_AS(out.align_storage(x, 0),
                       "out.align_storage(x, 0): the alignment must be from 1 to 65536", ScheduleError);
  Func cut("cut");
  cut(y, x) = in(y, x);
  cut.layout("y/2 x y%2");
  CHECK_THROWS_WITH_AS(cut.align_storage(y, 4),
                       "cut.align_storage(y, 4): its layout \"y/2 x y%2\" already splits the dimension, "
                       "\"y/2\"; set the alignment in the layout",
                       ScheduleError);
}

TEST_CASE("outputs: copies for several consumers, and copies of copies") {
  const Input in("in", Float(32), {16});
  Func a("a"), b("b"), out("out");
  a(x) = in(x) + in(x + 1);
  b(x) = in(x)*2.0f;
  out(x) = a(x) + b(x);
  out.bound({8}).gpu_tile(x, 4);
  a.compute_at(out, Var("x.t"));
  b.compute_at(out, Var("x.t"));
  Func tile = in.in(a, {b});
  CHECK(tile.name() == "in_in_a");
  tile.compute_at(out, Var("x.b")).store_in(Local).gpu_threads(Var("d0"));
  Func own = tile.in(b);
  CHECK(own.name() == "in_in_a_in_b");
  own.compute_at(out, Var("x.t"));
  check_all({out}, {{"in", numbers(Float(32), {16})}});
  Func c("c");
  c(x) = b(x);
  CHECK_THROWS_WITH_AS(in.in({a, c}),
                       "in.in(a, {c}): a already reads the copy in_in_a; use that Func, or in_in_a.in(a)",
                       ScheduleError);
  Func namesake("b_in_d"), d("d");
  namesake(x) = in(x);
  d(x) = b(x) + namesake(x);
  CHECK_THROWS_WITH_AS(b.in(d),
                       "b.in(d): the copy would be named b_in_d, but d already reads another Func of this "
                       "name; rename that Func",
                       ScheduleError);
}

TEST_CASE("outputs: a program lists its inputs as the definitions read them, whatever the schedule") {
  const auto inputs_of = [](bool is_cut) {
    const Input z("z", Float(32), {8}), a("a", Float(32), {8}), m("m", Float(32), {8});
    Func first("first"), out("out");
    first(x) = z(x) * 2.0f;
    out(x) = first(x) + a(x) - m(x);
    if (is_cut) first.compute_root();
    out.bound({8});
    std::vector<std::string> names;
    for (const Program::Value& input : Pipeline(out).compile().inputs) names.push_back(input.name);
    return names;
  };
  CHECK(inputs_of(false) == std::vector<std::string>{"z", "a", "m"});
  CHECK(inputs_of(true) == inputs_of(false));
}

TEST_CASE("outputs: a constant Input is a part of the Program, in the order in which kernels read it") {
  const Input in("in", Float(32), {2, 8});
  Input weights("weights", Float(32), {2, 8}), open("open", Float(32), {Expr(Param("n"))});
  Func out("out");
  out(y, x) = in(y, x) * weights(y, x) + open(0);
  out.bound({2, 8});
  weights.layout("d1/4 d0 d1%4");
  const Buffer factors = numbers(Float(32), {2, 8});
  Pipeline pipeline(out);
  pipeline.set_constant("weights", factors);
  const Program program = pipeline.compile();
  REQUIRE(program.inputs.size() == 2);
  CHECK(program.inputs[0].name == "in");
  REQUIRE(program.constants.size == 64);
  float second_of_block = 0;
  std::memcpy(&second_of_block, program.constants.data.get() + 16, 4);
  CHECK(second_of_block == static_cast<float>(factors.get(8)));
  const std::map<std::string, Buffer> inputs{{"in", numbers(Float(32), {2, 8})},
                                             {"open", numbers(Float(32), {1})}};
  const ParamValues params{{"n", 1}};
  const Buffer result = pipeline.realize(inputs, *Device::open(), params);
  const Buffer interpreted = pipeline.interpret(inputs, params)[0],
               simulated = pipeline.simulate(inputs, params)[0];
  for (int i = 0; i < 16; ++i) {
    CHECK(result.get(i) == interpreted.get(i));
    CHECK(result.get(i) == simulated.get(i));
  }
  const auto with = [&](const std::string& name, const Buffer& value) {
    return error_of([&] { Pipeline(out).set_constant(name, value); });
  };
  CHECK(with("weigths", factors) ==
        "set_constant(\"weigths\"): the pipeline has no such Input; its Inputs are in, weights, open");
  CHECK(with("weights", Buffer(Float(16), {2, 8})) ==
        "set_constant(\"weights\"): the Input is f32 [2, 8], but the Buffer is f16 [2, 8]");
  CHECK(with("open", Buffer(Float(32), {1})) ==
        "set_constant(\"open\"): the Input's shape depends on a Param, n; a constant needs a constant shape");
  auto too_many = inputs;
  too_many["weights"] = factors;
  CHECK(error_of([&] { pipeline.interpret(too_many, params); }) ==
        "realize: the Input \"weights\" is a constant of the pipeline; do not pass it");
}

TEST_CASE("outputs: the host tells of what is read and written, and of one value") {
  const Input in("in", Float(32), {3});
  Func a("a"), out("out");
  a(x) = {in(x) + 1.0f, x};
  out(x) = a(x)[0] * 2.0f;
  a.compute_root();
  out.bound({2}).trace_stores();
  a.trace_loads();
  const std::map<std::string, Buffer> inputs{{"in", numbers(Float(32), {3})}};
  std::vector<std::string> told;
  const Trace tell = [&](const TraceEvent& e) { told.push_back(e.to_string()); };
  Pipeline(out).interpret(inputs, {}, {}, tell);
  CHECK(told == std::vector<std::string>{"load a.0(0) = -5", "store out(0) = -10", "load a.0(1) = 9",
                                         "store out(1) = 18"});
  told.clear();
  Pipeline(out).simulate(inputs, {}, {}, tell);
  CHECK(told == std::vector<std::string>{"kernel out: load a.0[0] = -5", "kernel out: store out[0] = -10",
                                         "kernel out: load a.0[1] = 9", "kernel out: store out[1] = 18"});
  CHECK(Pipeline(out).value_at("a", {2}, inputs)[1].get_int(0) == 2);
  CHECK(Pipeline(out).value_at("in", {1}, inputs)[0].get(0) == 8);
  CHECK_THROWS_WITH_AS(Pipeline(out).value_at("b", {2}, inputs),
                       "value_at(\"b\"): the pipeline has no tensor of this name; the tensors are in, a, out",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(
      Pipeline(out).value_at("a", {3}, inputs),
      "interpret: value_at.0() needs in(3), which is outside its shape [3]; guard the read with "
      "select or clamp the index",
      DefinitionError);
  CHECK_THROWS_WITH_AS(Pipeline(out).value_at("in", {3}, inputs),
                       "value_at(\"in\", {3}): the index is outside the Input's shape, [3]", ShapeError);
  CHECK_THROWS_WITH_AS(Pipeline(out).value_at("a", {1, 2}, inputs),
                       "value_at(\"a\", {1, 2}): expected an index for each of its 1 dimension",
                       DefinitionError);
}

}  // namespace tensordsl
