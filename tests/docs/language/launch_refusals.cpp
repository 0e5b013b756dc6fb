// Launches that are refused: each stops at its last line.
#include "docs/language/examples.h"
#include "docs/language/names.h"
#include "docs/results.h"

namespace tensordsl::docs {
namespace {

/// The parts that each of these programs has.
struct Fixture {
  std::shared_ptr<Device> device = Device::open();
  Buffer data = counting(Float(32), {8});
  Func f{"f"};

  Fixture() { f(x) = row(x) * 2.0f; }
};

void no_input() {
  auto [device, data, f] = Fixture();
  // [no_input]
  Pipeline(f).realize({}, *device, {}, {8});
  // [end]
}

void unknown_input() {
  auto [device, data, f] = Fixture();
  // [unknown_input]
  Pipeline(f).realize({{"In", data}}, *device, {}, {8});
  // [end]
}

void input_type() {
  auto [device, data, f] = Fixture();
  // [input_type]
  Pipeline(f).realize({{"row", Buffer(Int(32), {8})}}, *device, {}, {8});
  // [end]
}

void input_shape() {
  auto [device, data, f] = Fixture();
  // [input_shape]
  Pipeline(f).realize({{"row", Buffer(Float(32), {9})}}, *device, {}, {8});
  // [end]
}

void no_shape() {
  auto [device, data, f] = Fixture();
  // [no_shape]
  Pipeline(f).realize({{"row", data}}, *device);
  // [end]
}

void large_shape() {
  auto [device, data, f] = Fixture();
  // [large_shape]
  Pipeline(f).realize({{"row", data}}, *device, {}, {9});
  // [end]
}

void negative_shape() {
  auto [device, data, f] = Fixture();
  // [negative_shape]
  Pipeline(f).realize({{"row", data}}, *device, {}, {-1});
  // [end]
}

void contradicted_bound() {
  auto [device, data, f] = Fixture();
  // [contradicted_bound]
  f.bound({8});
  Pipeline(f).realize({{"row", data}}, *device, {}, {4});
  // [end]
}

void no_param() {
  auto [device, data, f] = Fixture();
  // [no_param]
  const Param n("n");
  Func scaled("scaled");
  scaled(x) = f(x) * n;
  Pipeline(scaled).realize({{"row", data}}, *device, {}, {8});
  // [end]
}

void param_range() {
  auto [device, data, f] = Fixture();
  // [param_range]
  const Param n("n");
  Func scaled("scaled");
  scaled(x) = f(x) * n;
  Pipeline(scaled).realize({{"row", data}}, *device, {{"n", 1.5}}, {8});
  // [end]
}

void unknown_param() {
  auto [device, data, f] = Fixture();
  // [unknown_param]
  Pipeline(f).realize({{"row", data}}, *device, {{"m", 1}}, {8});
  // [end]
}

void param_offset() {
  auto [device, data, f] = Fixture();
  // [param_offset]
  const Param n("n");
  Func shifted("shifted");
  shifted(x) = row(x + n);
  Pipeline(shifted).realize({{"row", data}}, *device, {{"n", 3}}, {6});
  // [end]
}

void interpreted_outside() {
  auto [device, data, f] = Fixture();
  // [interpreted_outside]
  Pipeline(f).interpret({{"row", data}}, {}, {{"f", {9}}});
  // [end]
}

void broken_promise() {
  auto [device, data, f] = Fixture();
  // [broken_promise]
  Func promised("promised");
  promised(x) = row(unsafe_promise_clamped(x * 4, 0, 7));
  Pipeline(promised).interpret({{"row", data}}, {}, {{"promised", {3}}});
  // [end]
}

void unknown_func() {
  auto [device, data, f] = Fixture();
  // [unknown_func]
  Pipeline(f).value_at("g", {0}, {{"row", data}});
  // [end]
}

void several_outputs() {
  auto [device, data, f] = Fixture();
  // [several_outputs]
  Func g("g");
  g(x) = f(x) + 1.0f;
  Pipeline({f, g}).realize({{"row", data}}, *device, {}, {8});
  // [end]
}

void value_outside() {
  auto [device, data, f] = Fixture();
  // [value_outside]
  Pipeline(f).value_at("f", {8}, {{"row", data}});
  // [end]
}

void negative_buffer() {
  // [negative_buffer]
  Buffer(Float(32), {4, -1});
  // [end]
}

}  // namespace

std::vector<Refusal> launch_refusals() {
  return {{"no_input", no_input},
          {"unknown_input", unknown_input},
          {"input_type", input_type},
          {"input_shape", input_shape},
          {"no_shape", no_shape},
          {"large_shape", large_shape},
          {"negative_shape", negative_shape},
          {"contradicted_bound", contradicted_bound},
          {"no_param", no_param},
          {"param_range", param_range},
          {"unknown_param", unknown_param},
          {"param_offset", param_offset},
          {"interpreted_outside", interpreted_outside},
          {"broken_promise", broken_promise},
          {"unknown_func", unknown_func},
          {"several_outputs", several_outputs},
          {"value_outside", value_outside},
          {"negative_buffer", negative_buffer}};
}

}  // namespace tensordsl::docs
