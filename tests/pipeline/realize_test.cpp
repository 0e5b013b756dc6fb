// Pipelines that run on a device: arguments, names, and values whose arithmetic devices differ in.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <string>

#include "support/error_text.h"
#include "support/fake_device.h"
#include "support/some_device.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

const Var x("x"), y("y");

struct Fixture {
  std::shared_ptr<Device> device = Device::open();
};

Buffer floats(const std::vector<float>& values) {
  Buffer buffer(Float(32), {static_cast<std::int64_t>(values.size())});
  for (std::size_t i = 0; i < values.size(); ++i)
    buffer.set(static_cast<std::int64_t>(i), static_cast<double>(values[i]));
  return buffer;
}

}  // namespace

TEST_CASE_FIXTURE(Fixture, "realize: a tile that a Param cuts off has the size that its loop gives it") {
  const Param n("n");
  const Var xo("xo"), xi("xi");
  const Input in("in", Float(32), {n});
  Func g("g"), f("f");
  g(x) = in(clamp(x, 0, n - 1));
  f(x) = g(x) + select(x > 0, g(x - 1), 3.0f);
  f.bound({n}).split(x, xo, xi, 4);
  g.compute_at(f, xo);
  for (const int size : {1, 3, 4, 5, 11}) {
    std::vector<float> values;
    for (int i = 0; i < size; ++i) values.push_back(static_cast<float>(i * i + 1));
    const Buffer result = Pipeline(f).realize({{"in", floats(values)}}, *device, {{"n", size}});
    for (int i = 0; i < size; ++i) {
      const float before = i > 0 ? values[static_cast<std::size_t>(i - 1)] : 3.0f;
      CHECK(result.get(i) == static_cast<double>(values[static_cast<std::size_t>(i)] + before));
    }
  }
  CHECK(Pipeline(f).compile().kernels.at(0).text.find("float g[5]") != std::string::npos);
}

TEST_CASE_FIXTURE(Fixture,
                  "realize: a loop that is kept from being unrolled has an end that compilers do not know") {
  const Input in("in", Float(32), {64});
  const RDom r({{0, 8}}, "r");
  Func out("out");
  out(x) += in(x + r) * in(x * 2 + r) + in(x * 3 + r) * in(x * 4 + r);
  out.bound({8});
  Pipeline pipeline(out);
  const std::string end = " < 8 + (int)get_global_offset(0);";
  CHECK(pipeline.emit("cl").find(end) == std::string::npos);
  CHECK(pipeline.keep_loops(33).emit("cl").find(end) == std::string::npos);  // 8*4 registers, and the sum
  CHECK(pipeline.keep_loops(16).emit("cl").find(end) != std::string::npos);
  std::vector<float> values;
  for (int i = 0; i < 64; ++i) values.push_back(static_cast<float>(i % 7 - 2));
  const Buffer result = pipeline.realize({{"in", floats(values)}}, *device);
  const Buffer expected = pipeline.interpret({{"in", floats(values)}}).at(0);
  for (int i = 0; i < 8; ++i) CHECK(result.get(i) == expected.get(i));
}

TEST_CASE("realize: a kernel without elements has no loops to keep") {
  Func out("out");
  out(x) = x;
  out.bound({0});
  Pipeline pipeline(out);
  CHECK(pipeline.keep_loops(33, false).interpret({}).at(0).elements() == 0);
  CHECK(pipeline.simulate({}).at(0).elements() == 0);
}

TEST_CASE_FIXTURE(Fixture, "realize: a Param of type f32 takes real numbers and integers") {
  const Param scale("scale", Float(32));
  Func out("out");
  out(x) = cast(Float(32), x) * scale;
  out.bound({4});
  CHECK(Pipeline(out).realize({}, *device, {{"scale", 0.5}}).get(3) == 1.5);
  CHECK(Pipeline(out).realize({}, *device, {{"scale", 2}}).get(3) == 6);
}

TEST_CASE_FIXTURE(Fixture, "realize: a value that a Param cannot have is refused") {
  const Param offset("offset"), size("size");
  Func out("out");
  out(x) = x + offset;
  out.bound({size});
  const auto error = [&](const ParamValues& params) {
    return error_of([&] { Pipeline(out).realize({}, *device, params); });
  };
  CHECK(error({{"offset", 0.5}, {"size", 4}}) == "the Param \"offset\" has type i32; found the value 0.5");
  CHECK(error({{"offset", std::int64_t{1} << 31}, {"size", 4}}) ==
        "the Param \"offset\" has type i32; found the value 2147483648");
  CHECK(error({{"offset", 1}, {"size", 4.0}}) == "the Param \"size\" has type i32; found the value 4.0");
  CHECK(error({{"size", 4}}) == "no value for the Param \"offset\"; pass one with this name");
  CHECK(error({{"offset", 4}}) == "no value for the Param \"size\"; pass one with this name");
  CHECK(error({{"offset", 1}, {"size", std::int64_t{1} << 31}}).find("2147483648") != std::string::npos);
}

TEST_CASE_FIXTURE(Fixture,
                  "realize: min and max of a NaN and a number are the number, infinities count as numbers") {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const std::vector<float> a{nan, 1, nan, -inf, inf, inf, nan, 2}, b{1, nan, nan, 3, -3, -inf, -inf, 5};
  const Input left("left", Float(32), {8}), right("right", Float(32), {8});
  for (const bool vectorized : {false, true}) {
    Func low("low"), high("high");
    low(x) = min(left(x), right(x));
    high(x) = max(left(x), right(x));
    for (Func f : {low, high}) {
      f.bound({8});
      if (vectorized) f.vectorize(x, 8);
    }
    const std::map<std::string, Buffer> inputs{{"left", floats(a)}, {"right", floats(b)}};
    const Buffer lowest = Pipeline(low).realize(inputs, *device),
                 highest = Pipeline(high).realize(inputs, *device);
    for (std::size_t i = 0; i < a.size(); ++i) {
      CAPTURE(i);
      const auto at = static_cast<std::int64_t>(i);
      const auto is = [](double found, float expected) {
        return std::isnan(expected) ? std::isnan(found) : found == static_cast<double>(expected);
      };
      CHECK(is(lowest.get(at), std::fmin(a[i], b[i])));
      CHECK(is(highest.get(at), std::fmax(a[i], b[i])));
    }
  }
}

TEST_CASE_FIXTURE(Fixture, "realize: names that mean something in OpenCL C may be used") {
  for (const std::string name :
       {"INT_MAX", "M_PI_F", "MAXFLOAT", "CLK_LOCAL_MEM_FENCE", "image2d_t", "size_t", "double4", "ushort2",
        "as_int", "fmax", "vec_step", "kernel_exec", "cl_khr_fp16", "_x", "out_kernel", "min", "select"}) {
    CAPTURE(name);
    const Input in(name, Int(32), {4});
    const Param offset(name + "_");
    Func out("out");
    out(x) = max(in(x) / (offset + 2), 0);
    out.bound({4});
    Buffer data(Int(32), {4});
    for (std::int64_t i = 0; i < 4; ++i) data.set_int(i, i * 3);
    CHECK(Pipeline(out).realize({{name, data}}, *device, {{name + "_", 1}}).get_int(3) == 3);
  }
}

TEST_CASE_FIXTURE(Fixture, "realize: an expression that is deep compiles") {
  const Input in("in", Int(32), {8});
  Func out("out");
  Expr value = in(x);
  for (int i = 0; i < 250; ++i) value = in(clamp(value * 3 + i, 0, 7));
  out(x) = value;
  out.bound({8});
  Buffer data(Int(32), {8});
  for (std::int64_t i = 0; i < 8; ++i) data.set_int(i, i * 5 % 8);
  CHECK(Pipeline(out).realize({{"in", data}}, *device).get_int(1) == 3);
}

TEST_CASE_FIXTURE(Fixture, "realize: inputs that are missing or do not fit are refused") {
  const Input in("in", Int(32), {4});
  Func out("out");
  out(x) = in(x);
  out.bound({4});
  const auto error = [&](const std::map<std::string, Buffer>& inputs) {
    return error_of([&] { Pipeline(out).realize(inputs, *device); });
  };
  CHECK(error({}) == "realize: no data for the Input \"in\"; pass a Buffer with this name");
  CHECK(error({{"in", Buffer(Int(32), {5})}}) == "the input \"in\" is i32 [4], but the Buffer is i32 [5]");
  CHECK(error({{"in", Buffer(Float(32), {4})}}) == "the input \"in\" is i32 [4], but the Buffer is f32 [4]");
}

TEST_CASE_FIXTURE(Fixture, "realize: shapes that cannot be are refused") {
  Func f("f");
  f(x, y) = x + y;
  const auto error = [&](const std::vector<std::int64_t>& shape) {
    return error_of([&] { Pipeline(f).realize({}, *device, {}, shape); });
  };
  CHECK(error({-3, -3}) == "realize: the extent of f in dimension 0 is -3; it must be from 0 to 2130706432");
  CHECK(error({std::int64_t{1} << 40, 0}) ==
        "realize: the extent of f in dimension 0 is 1099511627776; it must be from 0 to 2130706432");
}

TEST_CASE_FIXTURE(Fixture, "realize: a shape that is not the bound's, or one of nothing, is refused") {
  Func f("f"), none("none");
  f(x) = x;
  f.bound({4});
  CHECK_THROWS_WITH_AS(Pipeline(f).realize({}, *device, {}, {5}),
                       "realize: f has the shape [4] by its bound(), but [5] was requested; drop the shape, "
                       "or change the bound",
                       ShapeError);
  CHECK(Pipeline(f).realize({}, *device, {}, {4}).elements() == 4);
  CHECK_THROWS_WITH_AS(Pipeline(none).realize({}, *device, {}, {4}),
                       "realize: none has no definition; the output of a pipeline must be a defined Func",
                       DefinitionError);
}

TEST_CASE("compile: kernels of one pipeline have names of their own") {
  Func a("M_a"), b("vM_a"), out("out");
  a(x) = x * 2;
  b(x) = a(x) + 1;
  out(x) = b(x) + a(x);
  a.compute_root();
  b.compute_root();
  out.bound({4});
  const Program compiled = Pipeline(out).compile();
  REQUIRE(compiled.kernels.size() == 3);
  CHECK(compiled.kernels[0].entry == "vM_a_kernel");
  CHECK(compiled.kernels[1].entry == "vM_a_kernel_2");
}

TEST_CASE("emit: a reduction axis is shown with its end") {
  const RDom r({{2, 5}}, "r");
  Func sum("sum");
  sum(x) += r[0] + x;
  CHECK(Pipeline(sum).emit("funcs").find("for r_0 in [2, 7)") != std::string::npos);
}

TEST_CASE("emit: an unknown stage is answered with those there are") {
  Func out("out");
  out(x) = x;
  CHECK(error_of([&] { Pipeline(out).emit("ptx"); }) ==
        "emit: unknown stage \"ptx\"; the stages are funcs, nest, loops, ir and cl");
}

namespace {

/// Each work-item of a group keeps a tile of `elements` i32 in private memory, and reads the one that `in`
/// says.
Func private_tiles(int elements, int items) {
  const Var k("k"), xo("xo"), xi("xi");
  const Input in("in", Int(32), {64});
  Func tile("tile"), out("out");
  tile(x, k) = x + k;
  out(x) = tile(x, clamp(in(x), 0, elements - 1));
  out.bound({64}).split(x, xo, xi, items, Tail::Exact).gpu_blocks(xo).gpu_threads(xi);
  tile.compute_at(out, xi).store_in(Private);
  return out;
}

}  // namespace

TEST_CASE("realize: the largest tiles in private memory that a device takes are there") {
  const auto device = Device::open();
  const DeviceInfo& info = device->info();
  CHECK(info.group_private_memory_bytes.has_value() == info.is_cpu);
  const auto largest = [&](int items) {
    const std::int64_t shared = info.group_private_memory_bytes.value_or(items * info.private_memory_bytes);
    return static_cast<int>(std::min(shared / items, info.private_memory_bytes) / 4);
  };
  // A driver may count them itself, and allow such a kernel fewer work-items.
  const KernelSource wide = Pipeline(private_tiles(largest(16), 16)).compile(info).kernels[0];
  const int items = device->max_group_size(wide) >= 16 ? 16 : 1;
  const int elements = largest(items);
  Buffer indices(Int(32), {64});
  for (int i = 0; i < 64; ++i) indices.set_int(i, i * (elements / 64));
  const Buffer found = Pipeline(private_tiles(elements, items)).realize({{"in", indices}}, *device);
  for (int i = 0; i < 64; ++i) CHECK(found.get_int(i) == i + i * (elements / 64));
}

TEST_CASE(
    "realize: an update at a place that is read does nothing where nobody needs it, nor does its condition") {
  const Input at("at", Int(32), {4});
  RDom r({{0, 4}}, "r"), all({{0, 4}}, "all");
  Func marks("marks"), counts("counts");
  marks(x) = x;
  r.where(marks(at(r)) > 1);
  marks(at(r)) += 1;
  counts(x) = 0;
  counts(at(all)) += 1;
  marks.bound({3});
  counts.bound({3});
  Buffer places(Int(32), {4});
  const std::int64_t kPlaces[] = {100, -3, 2, 1 << 30};
  for (int i = 0; i < 4; ++i) places.set_int(i, kPlaces[i]);
  const Pipeline pipeline({marks, counts});
  const std::map<std::string, Buffer> inputs{{"at", places}};
  for (const auto& results : {pipeline.interpret(inputs), pipeline.simulate(inputs),
                              pipeline.realize_all(inputs, *Device::open())}) {
    for (int i = 0; i < 3; ++i) {
      CHECK(results[0].get_int(i) == (i == 2 ? 3 : i));
      CHECK(results[1].get_int(i) == (i == 2 ? 1 : 0));
    }
  }
}

TEST_CASE("realize: what needs more memory than the device has is refused before any is taken") {
  DeviceInfo info = some_device();
  info.name = "Small";
  info.global_memory_bytes = 1 << 20;
  info.max_allocation_bytes = 1 << 20;
  FakeDevice device(info);
  Func f("f"), g("g");
  f(x) = x * 2;
  g(x) = f(x) + 1;
  f.compute_root();
  CHECK(error_of([&] { Pipeline(g).realize({}, device, {}, {1 << 17}); }) == "no error");
  CHECK(
      error_of([&] { Pipeline(g).realize({}, device, {}, {3 << 16}); }) ==
      "device memory: the program needs 1572864 bytes (1.5 MiB), but Small has 1048576 bytes (1.0 MiB); the "
      "largest tensors are \"g\" i32[196608], 786432 bytes (768.0 KiB); \"f\" i32[196608], 786432 bytes "
      "(768.0 KiB); reduce the sizes (for example the batch), store tensors as f16, or use another device");
}

}  // namespace tensordsl
