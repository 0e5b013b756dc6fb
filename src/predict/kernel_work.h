// Work of a kernel's work-items, counted in its text with the addresses that they access.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "lower/lowered.h"
#include "predict/repetitions.h"

namespace tensordsl::predict {

/// Memory that an access goes to.
enum class Place : std::uint8_t { Buffer, Image, Constant, Local, Private };

/// A Load or Store in the text; copies of one that differ by offsets are together.
struct AccessWork {
  std::string tensor;
  Place place = Place::Buffer;
  bool is_store = false;
  int bytes = 4;     ///< bytes of one access of one work-item
  int elements = 1;  ///< elements of one access
  double times = 1;  ///< average number of times that a work-item makes it
  /// Lines that the work-items of a warp touch at once, each counted once for each of the access's
  /// instructions; in local memory the turns that it takes because several meet in a bank, of 32 x 4 bytes.
  double lines = 1;
  double warp_bytes = 4;  ///< bytes of the different addresses that a warp accesses at once
  /// Steps between the work-items of a group, and between copies in the text.
  std::vector<Repetition> together{};
  std::vector<Repetition> loops;       ///< around it, the outermost first
  std::array<Repetition, 3> groups{};  ///< repetitions by the work-groups of each dimension
};

/// Returns the instructions of one access of a work-item: each moves 128 bits, or a vector of the device.
inline double instructions_of_access(int bytes, int vector_lanes) {
  constexpr int kBytes = 16, kFloat = 4;
  const int of_instruction = std::max(kBytes, kFloat * vector_lanes);
  return std::ceil(static_cast<double>(bytes) / of_instruction);
}

/// Instructions, of one work-item. A vector counts as many as the device has vectors for it.
struct OperationCounts {
  double multiply_adds = 0;
  double others = 0;   ///< additions, comparisons, .. of floating-point numbers, and integers as values
  double special = 0;  ///< divisions; roots and functions by how many divisions they take
  double addresses = 0;
  double loads = 0, stores = 0;

  double all() const { return multiply_adds + others + special + addresses + loads + stores; }
};

struct KernelWork {
  double groups = 1;
  int group_items = 1;
  /// Share of a group's warps that run its statements, on average: the others have left, but their registers
  /// are free only when the group ends. Counts below are averages over all warps.
  double running = 1;
  OperationCounts operations;
  std::vector<AccessWork> accesses;
  double iterations = 0;  ///< iterations of all its loops
  double barriers = 0;
  /// Times that a work-item waits for memory, and for local memory: StraightReads.
  double memory_waits = 0, local_waits = 0;
  double text = 0;    ///< instructions in the text, without those of addresses
  int registers = 0;  ///< lower::KernelResources::live_registers
  int ordered_registers =
      0;  ///< those in the order of the text, with special functions side by side; 0: not known
  std::int64_t local_bytes = 0, private_bytes = 0;
};

struct CountingOptions {
  int vector_lanes = 1;  ///< floats of an instruction; 1 where work-items run in step
  int warp = 1;          ///< work-items that run in step
  int line_bytes = 64;
  bool swizzles_operands = true;  ///< lanes of a vector are taken, and repeated, where they are used
  bool takes_halves = false;      ///< true: halves are operands of arithmetic in f32, and two of them of that
                                  ///< in f16
  double registers = 255;         ///< most registers of a work-item
  bool moves_repeated = false;    ///< a vector of one number that has a name takes a move for each lane
};

/// Counts a kernel's work. Loops of unknown length have 64 iterations, as likely_shape has for extents. Of a
/// test, it counts the branches that work-items of a group take in the middle of all loops.
KernelWork count_work(const lower::LoweredKernel& kernel, const CountingOptions& options);

}  // namespace tensordsl::predict
