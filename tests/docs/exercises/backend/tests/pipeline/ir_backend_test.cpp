#include <doctest/doctest.h>

#include "backends/bundled_backends.h"
#include "support/some_device.h"
#include "tensordsl/tensordsl.h"

using namespace tensordsl;

TEST_CASE("IrBackend: it is bundled, and a device of its name gets kernels as IR") {
  REQUIRE(bundled_backends().size() == 3);
  CHECK(bundled_backends()[2]->name() == "ir");
  const Var x("x");
  Func f("f");
  f(x) = cast(Float(32), x) + 1.0F;
  f.bound({8}).gpu_threads(x);
  DeviceInfo device = some_device();
  device.backend = "ir";
  const Program program = Pipeline(f).compile(device);
  REQUIRE(program.kernels.size() == 1);
  CHECK(program.kernels[0].backend == "ir");
  CHECK(program.kernels[0].text == "store f[thread0] = f32(thread0) + 1.0\n");
  CHECK(program.kernels[0].arguments.size() == 1);
}
