// Loops and accesses of a kernel as a schedule lays them out, before it is lowered.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "predict/kernel_work.h"

namespace tensordsl::predict {

/// The way in which the iterations of a loop run.
enum class Runs : std::uint8_t {
  Groups,    ///< each is a work-group
  Items,     ///< each is a work-item of a group
  Serial,    ///< one after the other
  Unrolled,  ///< each is a copy in the text
  Vector     ///< each is a lane of a vector
};

/// A loop over a part of a variable's range.
struct NestLoop {
  int variable = 0;
  Runs runs = Runs::Serial;
  double extent = 1;
  double step = 1;         ///< distance between iterations, in the variable
  int dimension = 0;       ///< dimension of the grid, or of the group's work-items; 0 varies fastest
  double active = 0;       ///< work-items that a test lets run; 0: all of them
  double covered = 0;      ///< iterations until the end of the variable's range; 0: all of them
  bool is_open = false;    ///< true: the extent is a likely one
  bool is_tested = false;  ///< true: a test decides whether an iteration is run
};

/// A term of an address: bytes * (coefficient*variable/divisor % modulus).
struct AddressTerm {
  int variable = 0;
  double coefficient = 1, divisor = 1;
  double modulus = 0;  ///< 0: no remainder is taken
  double bytes = 4;
};

/// An access that the text makes at each point of a stage's loops; copies with one address are one access.
struct NestAccess {
  std::string tensor;
  Place place = Place::Buffer;
  bool is_store = false;
  int element_bytes = 4;
  std::vector<AddressTerm> terms{};
  /// True if the element stays in a register in the innermost serial loops that do not move the address.
  bool is_kept = false;
  bool is_bordered = false;  ///< true: a test of each address decides whether it is accessed
};

/// Loops around a piece of the text, with what each point of them does.
struct NestStage {
  std::vector<NestLoop> loops{};  ///< the outermost first
  std::vector<NestAccess> accesses{};
  /// Operations of a point. A multiply-add of a vector counts once for each of the device's vectors.
  double multiply_adds = 0, others = 0, special = 0;
  double barriers = 0;           ///< barriers in an iteration of the innermost serial loop
  bool fills_registers = false;  ///< true: what it reads becomes a part of a Func in registers
  double values = 0;             ///< registers that one vector's values take on the way to what is stored
  int operands = 0;  ///< registers of what its straight-line code reads and computes, with addresses
  int held = 0;      ///< registers of the parts of Funcs that live around it
};

/// Registers of addresses and of ids of work-items.
inline constexpr int kAddressRegisters = 12;

/// A kernel, by its stages.
struct KernelOutline {
  std::vector<NestStage> stages;
  int registers = 0;  ///< 32-bit registers of a work-item
  std::int64_t local_bytes = 0, private_bytes = 0;
};

}  // namespace tensordsl::predict
