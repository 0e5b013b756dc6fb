// Figures of a device that a prediction needs, with no figure missing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tensordsl/hw_profile.h"

namespace tensordsl::predict {

/// A level of the memory hierarchy that serves reads, and fills the level above.
struct MemoryLevel {
  std::string name;
  double bytes = 0;            ///< capacity; of one unit, unless it is shared
  double bytes_per_clock = 0;  ///< bandwidth of all units together
  bool is_shared = false;      ///< true: all units share it
};

/// The size up to which a GPU's cache is assumed to be private to a compute unit; a larger cache is shared by
/// all.
inline constexpr double kLargestUnitCache = 1 << 20;

/// Figures that follow from a profile; those that it lacks are guesses made from the others. Clocks are a
/// unit's.
struct DeviceFigures {
  bool runs_in_step = true;     ///< false: a work-group runs on a thread of a CPU
  int warp = 32;                ///< work-items that run in step
  int vector_lanes = 1;         ///< floats of an instruction: 1 where work-items run in step
  bool takes_halves = false;    ///< true: halves are operands of arithmetic in f32, and two of them of that
                                ///< in f16
  double delivered_bytes = 16;  ///< bytes that a cache of buffers delivers to work-items in a clock, at least
  bool moves_repeated = false;  ///< a vector of one number that has a name takes a move for each lane
  bool gathers_reads = false;   ///< the compiler begins straight-line code with all that it reads
  double units = 1;
  double clocks_per_us = 1000;
  double issues = 1;  ///< instructions that a unit starts in a clock, of a warp each
  double registers_per_item = 255, registers_per_unit = 65536;
  double most_instructions = 1024;       ///< text beyond it is fetched again in each iteration
  std::vector<OccupancyStep> occupancy;  ///< HwProfile::Registers::occupancy
  double most_groups = 32;               ///< most work-groups that run on a unit at the same time
  double local_bytes_per_unit = 65536, local_bytes_per_clock = 128;  ///< bandwidth of a unit's local memory
  int line_bytes = 64;
  std::vector<MemoryLevel> buffers, images;  ///< the nearest first; the last is the main memory
  double memory_wait = 400, local_wait = 30, barrier_wait = 30;  ///< clocks
  double launch_us = 5;
  std::vector<std::string> guessed;  ///< fields that the profile does not have
};

/// Returns the work-items that a unit holds by their registers; the last step's where they have more. Needs:
/// steps that are not empty.
double resident_items(const std::vector<OccupancyStep>& occupancy, double registers);

DeviceFigures figures_of(const HwProfile& profile);

}  // namespace tensordsl::predict
