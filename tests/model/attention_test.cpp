// Attention in one kernel, and in several where a device has no room for it.
#include <doctest/doctest.h>

#include "support/load_model.h"
#include "support/some_device.h"

using namespace tensordsl;
using testing::attribute;
using testing::load_model;
using testing::OnnxModel;

namespace {

OnnxModel attention() {
  OnnxModel model;
  model.input("q", {2, 40, 8}).input("k", {2, 8, 100}).input("v", {2, 100, 24});
  model.node("MatMul", {"q", "k"}, {"s"}).node("Softmax", {"s"}, {"w"}).node("MatMul", {"w", "v"}, {"y"});
  return model.output("y");
}

Program compiled(std::int64_t local_memory_bytes) {
  CompileTarget target;
  target.device = some_device();
  target.device->local_memory_bytes = local_memory_bytes;
  target.device->local_memory_on_chip = true;
  return load_model(attention()).compile(target);
}

}  // namespace

TEST_CASE("attention: its scores are in no tensor") {
  const Program program = compiled(32 * 1024);
  CHECK(program.launches.size() == 1);
  CHECK(program.launches[0].label == "MatMul+Softmax+MatMul");
  CHECK(program.tensors.size() == 4);
  CHECK(program.warnings.empty());
  // Of 100 keys for 48 queries, 8 and 24 multiplications and additions each.
  CHECK(program.launches[0].flops == 2 * 2 * 48 * 100 * (8 + 24));
}

TEST_CASE("attention: a device without room for the scores computes it in several kernels, with a warning") {
  const Program program = compiled(4096);
  CHECK(program.launches.size() == 3);
  CHECK(program.host_steps.empty());
  REQUIRE(program.warnings.size() == 1);
  CHECK(program.warnings[0] ==
        "node 's' (MatMul), node 'w' (Softmax), node 'y' (MatMul): several kernels, because kernel "
        "matmul_softmax_matmul_kernel: its tiles take 13952 bytes of local memory, and the device has 4096; "
        "make "
        "them smaller, leave out double_buffer(), or keep one with store_in(Private)");
}
