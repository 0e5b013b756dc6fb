// A device that does not exist, with every parameter of a profile chosen, and the curves that the probes
// would measure on it.
#pragma once

#include <vector>

#include "hwprofile/profiling/probe_result.h"
#include "hwprofile/synthetic_device.h"
#include "tensordsl/device.h"
#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

/// Caches in front of a memory, ascending.
struct SyntheticCaches {
  std::vector<double> bytes, latencies, bandwidths;  // the last two one longer: the memory's
  double line = 64;
  bool is_least_recent = false;  // which line goes: the least recently used, or any

  /// The share of the reads of a footprint that cache `k` lets through.
  double misses(double footprint, std::size_t k) const;
  double latency(double footprint) const;
  double bandwidth(double footprint) const;
};

struct SyntheticArchitecture {
  double enqueue_us = 1, launch_us = 5, completed_us = 12, tick_ns = 32;
  double to_device_gbs = 10, to_host_gbs = 8;
  double f32 = 1000, f16 = 2000, i32 = 500, i8_dot = 4000, divide = 10, modulo = 12;
  bool has_f16 = true, has_i8_dot = true, broadcasts = true;
  int warp = 32;  // none if 1
  int units = 16, alus = 64, groups_of_unit = 16;
  int registers = 128;
  bool registers_are_shared = true;
  double read_gbs = 100, write_gbs = 90, copy_gbs = 95, half_speedup = 1.9;
  SyntheticCaches buffers, images;
  double buffer_width = 4, image_width = 4;
  bool rows_first = true;
  bool local_on_chip = true;
  double local_latency = 20, local_gbs = 500;
  double constant_bytes = 4096, constant_gbs = 300;
  double barrier_ns = 50;

  DeviceInfo info() const;
  /// The profile that the curves should lead to, as far as they can show it.
  HwProfile truth() const;
  /// One pass over all probes.
  std::vector<ProbeResult> measure(std::mt19937& random) const;
};

SyntheticArchitecture draw_architecture(std::mt19937& random);

}  // namespace tensordsl::hwprofile
