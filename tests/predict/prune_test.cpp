// The criteria of Romou's Table 1 on kernels of a few lines.
#include "predict/prune.h"

#include <doctest/doctest.h>

#include "predict/predict_kernel.h"
#include "predict/synthetic_kernel.h"

namespace tensordsl::predict {
namespace {

using testing::synthetic_kernel;

/// 1 KiB of cache only for images, warps of 64, 384 ALUs, 181 registers of a pool of 69,504, vectors of 4.
HwProfile phone() { return load_hw_profile("adreno640"); }

KernelUsage usage(std::string_view body, std::array<int, 3> size) {
  return usage_of(count_work(synthetic_kernel(body, size), figures_of(phone())), figures_of(phone()));
}

/// Explains why a kernel is pruned with only `criterion` switched on; "" if it stays.
std::string broken(const KernelUsage& of, Criterion criterion, const HwProfile& profile = phone()) {
  PruningOptions only;
  for (const Criterion other : kCriteria) {
    if (other != criterion) only.switch_off(other);
  }
  const PruningLimits limits = limits_of(profile);
  const Verdict verdict = judge(of, limits, only);
  // A criterion that is switched off prunes nothing.
  CHECK(judge(of, limits, PruningOptions(only).switch_off(criterion)).is_kept);
  return explain(verdict, of, limits);
}

constexpr const char* kTexels = "for i in [0, 9) { store a[ramp(0, 1, 4)] = texels[thread0, i]:f32x4 }";
constexpr const char* kBuffer = "for i in [0, 9) { store a[0] = b[i*64 + thread0]:f32 }";

}  // namespace

TEST_CASE("prune: a text that is longer than the instruction cache") {
  KernelUsage of = usage(kTexels, {64, 1, 1});
  CHECK(of.instructions > 0);
  CHECK(broken(of, Criterion::Text) == "");
  of.instructions = 1025;
  CHECK(broken(of, Criterion::Text) == "1025 instructions exceed the 1024 of the instruction cache");
  HwProfile unknown = phone();
  unknown.instruction_cache.reset();
  CHECK(broken(of, Criterion::Text, unknown) != "");
  CHECK(broken(of, Criterion::Text, load_hw_profile("pocl_cpu_avx512")) == "");
}

TEST_CASE("prune: an iteration that reads more than the first cache") {
  CHECK(broken(usage(kTexels, {64, 1, 1}), Criterion::Cache) == "");
  CHECK(broken(usage(kTexels, {128, 1, 1}), Criterion::Cache) ==
        "an iteration reads 2048 bytes, more than the 1024 of the cache");
}

TEST_CASE("prune: more registers than there are for the work-group, or for a work-item") {
  KernelUsage of;
  of.group_items = 512;
  of.registers = 100;
  HwProfile pooled = phone();
  pooled.registers.occupancy.clear();
  CHECK(broken(of, Criterion::Registers, pooled) == "");
  of.registers = 140;
  CHECK(broken(of, Criterion::Registers, pooled) ==
        "512 work-items of 140 registers exceed the 69504 of a compute unit");
  CHECK(broken(of, Criterion::Spills) == "");
  of.registers = 182;
  CHECK(broken(of, Criterion::Spills) == "182 registers exceed the 181 of a work-item");
}

TEST_CASE("prune: a work-group with more work-items than a unit holds of so many registers") {
  HwProfile profile = phone();
  profile.registers.occupancy = {{32, 768}, {64, 384}};
  KernelUsage of = usage(kBuffer, {64, 1, 1});
  of.group_items = 512;
  of.registers = 32;
  CHECK(broken(of, Criterion::Registers, profile) == "");
  of.registers = 33;
  CHECK(broken(of, Criterion::Registers, profile) ==
        "512 work-items of 33 registers exceed the 384 that a compute unit holds");
}

TEST_CASE("prune: buffers where only images have a cache") {
  CHECK(broken(usage(kTexels, {64, 1, 1}), Criterion::Buffers) == "");
  CHECK(broken(usage(kBuffer, {64, 1, 1}), Criterion::Buffers) ==
        "it reads buffers, but only images are cached");
  HwProfile both = phone();
  both.buffer_caches.front().bytes = Measurement::exact(1024);
  CHECK(broken(usage(kBuffer, {64, 1, 1}), Criterion::Buffers, both) == "");
}

TEST_CASE("prune: local memory for more work-items than three to an ALU, or off the chip") {
  const char* body = "alloc t: f32 [64] local { store t[0] = 1.0 barrier local store a[0] = t[0]:f32 }";
  CHECK(broken(usage(body, {64, 1, 1}), Criterion::LocalMemory) == "");
  CHECK(broken(usage(body, {1024, 2, 1}), Criterion::LocalMemory) ==
        "its tiles are in local memory, with 2048 work-items on 384 ALUs");
  HwProfile off_chip = phone();
  off_chip.local_memory.on_chip = BoolMeasurement{false, true};
  CHECK(broken(usage(body, {64, 1, 1}), Criterion::LocalMemory, off_chip) ==
        "its tiles are in local memory, which is not on chip");
}

TEST_CASE("prune: fewer work-items than run in step, and accesses narrower than those that are fastest") {
  CHECK(broken(usage(kTexels, {64, 1, 1}), Criterion::Warp) == "");
  CHECK(broken(usage(kTexels, {63, 1, 1}), Criterion::Warp) == "63 work-items, but 64 run in step");
  CHECK(broken(usage(kTexels, {64, 1, 1}), Criterion::AccessWidth) == "");
  CHECK(broken(usage(kBuffer, {64, 1, 1}), Criterion::AccessWidth) ==
        "it reads 1 elements at a time; 4 are fastest");
}

TEST_CASE("prune: what the profile does not tell leaves out nothing") {
  KernelUsage of;
  of.registers = 100000;
  of.iteration_bytes = 1 << 30;
  of.local_bytes = 1 << 30;
  CHECK(judge(of, limits_of(HwProfile())).is_kept);
}

TEST_CASE("prune: each kernel is counted once, at the first criterion that it breaks") {
  PruningCounts counts;
  KernelUsage narrow, spilled;
  narrow.group_items = spilled.group_items = 64;
  spilled.registers = 200;
  spilled.access_elements = 4;
  const PruningLimits limits = limits_of(phone());
  CHECK(!keeps(narrow, limits, {}, counts));
  CHECK(!keeps(spilled, limits, {}, counts));
  spilled.registers = 50;
  CHECK(keeps(spilled, limits, {}, counts));
  PruningCounts sum;
  sum += counts;
  CHECK(sum.seen == 3);
  CHECK(sum.kept == 1);
  CHECK(sum.left_out[static_cast<std::size_t>(Criterion::AccessWidth)] == 1);
  CHECK(sum.left_out[static_cast<std::size_t>(Criterion::Spills)] == 1);
}

}  // namespace tensordsl::predict
