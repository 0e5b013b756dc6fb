// Tests if a device has the memory that a Program needs.
#include <doctest/doctest.h>

#include <limits>

#include "ir/nodes/expr_node.h"
#include "runtime/memory/check_memory.h"
#include "support/fake_device.h"
#include "tensordsl/error.h"
#include "tensordsl/runner.h"

namespace tensordsl {
namespace {

using Tensor = Program::Tensor;

DeviceInfo device_of(std::int64_t memory, std::int64_t allocation) {
  DeviceInfo info;
  info.name = "Small";
  info.global_memory_bytes = memory;
  info.max_allocation_bytes = allocation;
  return info;
}

Program::Storage floats(const std::vector<SizeExpr>& extents) {
  Program::Storage stored;
  stored.type = Float(32);
  stored.extents = extents;
  stored.layout = Layout::row_major(static_cast<int>(extents.size()));
  return stored;
}

/// An input and an output of [rows, 256], and two intermediates that share a slot.
std::shared_ptr<const Program> program() {
  Program p;
  p.params = {{"rows", Int(32)}};
  const SizeExpr rows = "rows";
  p.tensors = {{Tensor::Kind::Input, "x", floats({rows, 256}), "rows*256"},
               {Tensor::Kind::Output, "y", floats({rows, 256}), "rows*256"},
               {Tensor::Kind::Intermediate, "a", floats({512}), "512"},
               {Tensor::Kind::Intermediate, "b", floats({1024}), "1024"}};
  p.tensors[2].slot = p.tensors[3].slot = 0;
  p.slot_bytes = {4096};
  p.inputs = {{"x", Float(32), {rows, 256}, 0}};
  p.outputs = {{"y", Float(32), {rows, 256}, 1}};
  return std::make_shared<const Program>(std::move(p));
}

}  // namespace

TEST_CASE("memory: amounts are bytes, and what people call them") {
  CHECK(runtime::bytes_text(0) == "0 bytes");
  CHECK(runtime::bytes_text(1023) == "1023 bytes");
  CHECK(runtime::bytes_text(1536) == "1536 bytes (1.5 KiB)");
  CHECK(runtime::bytes_text(std::int64_t{5} << 40) == "5497558138880 bytes (5.0 TiB)");
}

TEST_CASE("memory: a Program that needs more than the device has is refused before any is taken") {
  FakeDevice small(device_of(12000, 8192));
  CHECK_NOTHROW(Runner(program(), small, {{"rows", 3}}));
  CHECK_THROWS_WITH_AS(Runner(program(), small, {{"rows", 4}}),
                       "device memory: the program needs 12288 bytes (12.0 KiB), but Small has 12000 bytes "
                       "(11.7 KiB); the largest tensors are \"x\" f32[4,256], 4096 bytes (4.0 KiB); \"y\" "
                       "f32[4,256], 4096 bytes (4.0 KiB); \"b\" f32[1024], 4096 bytes (4.0 KiB); reduce the "
                       "sizes (for example the batch), store tensors as f16, or use another device",
                       DeviceError);
  CHECK_THROWS_WITH_AS(
      Runner(program(), small, {{"rows", 9}}),
      "device memory: a tensor needs 9216 bytes (9.0 KiB), but the largest allocation of Small is 8192 bytes "
      "(8.0 KiB); the largest tensors are \"x\" f32[9,256], 9216 bytes (9.0 KiB); \"y\" f32[9,256], 9216 "
      "bytes (9.0 KiB); \"b\" f32[1024], 4096 bytes (4.0 KiB); reduce the sizes (for example the batch), "
      "store tensors as f16, or use another device",
      DeviceError);
}

TEST_CASE("memory: a device that does not say how much it has is asked for anything") {
  FakeDevice unknown(device_of(0, 0));
  CHECK_NOTHROW(Runner(program(), unknown, {{"rows", 1000}}));
}

TEST_CASE("memory: sums do not overflow") {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  CHECK_THROWS_AS(runtime::check_memory(device_of(most, 0), {most / 2, most / 2, most / 2}, {}), DeviceError);
}

}  // namespace tensordsl
