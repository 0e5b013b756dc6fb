// Tests the figures that schedules use, taken from profiles.
#include "schedules/support/target_of_profile.h"

#include <doctest/doctest.h>

using namespace tensordsl;
using schedules::target_of;

TEST_CASE("target: of a phone's profile, groups of work-items that run in step") {
  const Target target = target_of(load_hw_profile("adreno640"));
  CHECK(target.group_items == 64);
  CHECK(target.compute_units == 2);
  CHECK(target.parallel_items == 2 * 64 * 4);
  CHECK(target_of(load_hw_profile("adreno640"), 32).group_items == 32);
}

TEST_CASE("target: of a GPU whose work-items do not run in step, vectors and few registers") {
  const Target target = target_of(load_hw_profile("mali_t860"));
  CHECK(target.group_items > 1);
  CHECK(target.vector_width == 4);
  CHECK(target.accumulators <= 32);
  CHECK(target.parallel_items == 4 * 64);
  CHECK(target.is_local_memory_off_chip);
  CHECK(target.computes_halves);
  CHECK_FALSE(target_of(load_hw_profile("adreno640")).computes_halves);  // f16 was not measured
  CHECK_FALSE(target_of(load_hw_profile("adreno640")).is_local_memory_off_chip);
}

TEST_CASE("target: of a CPU's profile, a thread for each group and tiles that fill its vector registers") {
  const Target wide = target_of(load_hw_profile("pocl_cpu_avx512"));
  CHECK(wide.group_items == 1);
  CHECK(wide.vector_width == 16);
  CHECK(wide.accumulators == 28);
  HwProfile narrow;
  narrow.vector_width.buffer = Measurement::exact(8);
  CHECK(target_of(narrow).accumulators == 12);
  narrow.registers.per_item = Measurement::exact(256);
  CHECK(target_of(narrow).accumulators == 28);
}

TEST_CASE("target: of a profile with local memory on chip, what a work-group may take") {
  const Target target = target_of(load_hw_profile("nvidia_h100"), 1024);
  CHECK(target.has_local_memory);
  CHECK(target.local_bytes == 48 << 10);
  CHECK(target.registers_per_unit == 65536);
  CHECK(target.most_group_items == 256);
  CHECK(target_of(load_hw_profile("nvidia_h100"), 128).most_group_items == 128);
  HwProfile unknown = load_hw_profile("nvidia_h100");
  unknown.registers.pool.reset();
  CHECK(target_of(unknown, 1024).most_group_items == 64);
}

TEST_CASE(
    "target: where the compiler unrolls loops, the registers with which half of the work-items reside") {
  HwProfile profile;
  profile.unrolls_loops = BoolMeasurement{true, true};
  CHECK(target_of(profile).loop_registers == 0);
  profile.registers.occupancy = {{48, 1024}, {64, 768}, {96, 512}, {128, 384}};
  CHECK(target_of(profile).loop_registers == 96);
  CHECK(target_of(profile).gathers_reads);
  profile.registers.shared = BoolMeasurement{false, true};
  CHECK_FALSE(target_of(profile).gathers_reads);
  profile.unrolls_loops->value = false;
  CHECK(target_of(profile).loop_registers == 0);
}

TEST_CASE("target: of a profile that says nothing, figures that any device can do with") {
  const Target target = target_of(HwProfile());
  CHECK(target.group_items == 1);
  CHECK(target.vector_width == 4);
  CHECK(target.compute_units >= 1);
}

TEST_CASE("target: the rates of a unit are the profile's, in its clocks") {
  const UnitRates unit = target_of(load_hw_profile("nvidia_h100"), 1024).unit;
  const double ghz = 64600.0 / (2 * 128 * 132);
  CHECK(unit.multiply_adds == 128);
  CHECK(unit.matrix_multiply_adds == doctest::Approx(622000 / (2 * 132 * ghz)));
  CHECK(unit.most_items == 2048);
  CHECK(unit.most_groups == 32);
  CHECK(unit.memory_wait == doctest::Approx(241.5 * ghz));
  CHECK(unit.barrier_wait == doctest::Approx(14.41 * ghz));
  CHECK(unit.local_bytes == doctest::Approx(32310 / (132 * ghz)));
  CHECK(unit.memory_bytes == doctest::Approx(3088 / (132 * ghz)));
  HwProfile slow = load_hw_profile("nvidia_h100");
  slow.dram_latency_ns->value *= 2;
  CHECK(target_of(slow, 1024).unit.memory_wait == doctest::Approx(2 * unit.memory_wait));
}

TEST_CASE("target: the rates of a unit that a profile lacks are those of a device of its kind") {
  const auto is_near = [](const UnitRates& a, const UnitRates& b) {
    constexpr double kRounded = 0.01;
    for (double UnitRates::*rate :
         {&UnitRates::multiply_adds, &UnitRates::matrix_multiply_adds, &UnitRates::memory_wait,
          &UnitRates::local_wait, &UnitRates::barrier_wait, &UnitRates::local_bytes, &UnitRates::cache_bytes,
          &UnitRates::shared_bytes, &UnitRates::memory_bytes})
      CHECK(a.*rate == doctest::Approx(b.*rate).epsilon(kRounded));
  };
  is_near(UnitRates(), target_of(load_hw_profile("nvidia_h100")).unit);
  HwProfile cpu;
  cpu.vector_width.buffer = Measurement::exact(16);
  is_near(target_of(cpu).unit, target_of(load_hw_profile("pocl_cpu_avx512")).unit);
  HwProfile gpu;
  gpu.warp_size = Measurement::exact(64);
  CHECK(target_of(gpu).unit.warp_items == 64);
  is_near(target_of(gpu).unit, UnitRates());
}
