#include "runtime/program/merge_programs.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "runtime/program/combine_kernels.h"
#include "support/buffers.h"
#include "support/error_text.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

/// x -> y = x * factor + 1, by way of an intermediate, and `table`, a constant.
std::shared_ptr<const Program> scaled(float factor, int size, const Device* device = nullptr) {
  const Var i("i");
  const Input x("x", Float(32), {size}), table("table", Float(32), {size});
  Func product("product"), y("y");
  product(i) = x(i) * factor;
  y(i) = product(i) + table(i);
  product.compute_root();
  y.bound({size});
  Buffer ones(Float(32), {size});
  for (int k = 0; k < size; ++k) ones.set(k, 1);
  Pipeline pipeline(y);
  pipeline.set_constant("table", ones);
  return std::make_shared<const Program>(device ? pipeline.compile(device->info()) : pipeline.compile());
}

Buffer counting(int size) {
  return testing::filled(Float(32), {size}, [](std::int64_t i) { return i; });
}

}  // namespace

TEST_CASE("merged Programs compute what each of them does, in one OpenCL program") {
  const Program merged = runtime::merge_programs(
      {{"a", scaled(2, 5)}, {"b", scaled(3, 7)}, {"c", scaled(2, 5)}, {"d", scaled(2, 6)}});
  REQUIRE(merged.inputs.size() == 4);
  CHECK(merged.inputs[1].name == "b/x");
  CHECK(merged.outputs[2].name == "c/y");
  CHECK(merged.launches.size() == 8);
  CHECK(merged.kernels.size() == 6);  // those of a are those of c
  for (const KernelSource& kernel : merged.kernels) {
    CHECK(std::ranges::count(merged.kernels, kernel.entry, &KernelSource::entry) == 1);
    CHECK(kernel.text.find("void " + kernel.entry + "(") != std::string::npos);
  }

  const auto device = Device::open();
  Runner runner(std::make_shared<const Program>(runtime::with_combined_kernels(merged)), *device);
  CHECK(device->build_statistics().compiled + device->build_statistics().from_cache == 1);
  runner.write_all({{"a/x", counting(5)}, {"b/x", counting(7)}, {"c/x", counting(5)}, {"d/x", counting(6)}});
  runner.run();
  const auto check = [&](const std::string& output, double factor, int size) {
    const Buffer found = runner.read(output);
    REQUIRE(found.elements() == size);
    for (int k = 0; k < size; ++k) CHECK(found.get(k) == factor * k + 1);
  };
  check("a/y", 2, 5);
  check("b/y", 3, 7);
  check("c/y", 2, 5);
  check("d/y", 2, 6);
}

TEST_CASE("merged Programs for the host's processor compute what each of them does") {
  const auto device = Device::open("host");
  const Program merged =
      runtime::merge_programs({{"a", scaled(2, 5, device.get())}, {"b", scaled(3, 7, device.get())}});
  Runner runner(std::make_shared<const Program>(runtime::with_combined_kernels(merged)), *device);
  runner.write_all({{"a/x", counting(5)}, {"b/x", counting(7)}});
  runner.run();
  for (int k = 0; k < 5; ++k) CHECK(runner.read("a/y").get(k) == 2 * k + 1);
  for (int k = 0; k < 7; ++k) CHECK(runner.read("b/y").get(k) == 3 * k + 1);
}

TEST_CASE("a Param of merged Programs has one type") {
  const auto with_param = [](Type type) {
    const Var i("i");
    const Param p("p", type);
    Func y("y");
    y(i) = cast(Float(32), Expr(p));
    y.bound({4});
    return std::make_shared<const Program>(Pipeline(y).compile());
  };
  CHECK(runtime::merge_programs({{"a", with_param(Int(32))}, {"b", with_param(Int(32))}}).params.size() == 1);
  CHECK(error_of([&] {
          runtime::merge_programs({{"a", with_param(Int(32))}, {"b", with_param(Float(32))}});
        }) == "merge_programs: the Param \"p\" has two types; rename one of them");
}

}  // namespace tensordsl
