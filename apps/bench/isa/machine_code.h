// Machine code of a kernel, as the compiler of a GPU prints it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tensordsl::bench {

/// Kinds of instructions that reports distinguish.
enum class InstructionKind : std::uint8_t {
  MultiplyAdd,  ///< multiply-add or product of floating-point numbers
  Float,        ///< other arithmetic of floating-point numbers
  Integer,      ///< arithmetic of integers, with that of addresses
  Move,         ///< copies and conversions
  Texture,      ///< read of an image through a sampler or without one
  Memory,       ///< load or store of global, constant or local memory, or store to an image
  Scratch,      ///< load or store of private memory
  Control,      ///< branches, barriers
  Idle,         ///< issue slots without work
};

/// Units of a GPU that work side by side; Memory loads and stores.
enum class MachineUnit : std::uint8_t { Arithmetic, Texture, Memory };

struct Instruction {
  InstructionKind kind = InstructionKind::Integer;
  int repeats = 1;    ///< times that one issued instruction executes, for neighboring registers
  double cycles = 0;  ///< cycles of its unit, for one work-item; 0 if the compiler has no such figures
  MachineUnit unit = MachineUnit::Arithmetic;
};

/// A backward branch: instructions [begin, end).
struct MachineLoop {
  std::size_t begin = 0, end = 0;
};

struct MachineCode {
  std::string kernel;
  std::vector<Instruction> instructions;
  std::vector<MachineLoop> loops;  ///< sorted by `begin`, an outer loop before those in it
  int registers = 0;               ///< 32-bit registers of a work-item; 0 if the compiler does not tell
  int waves = 0;                   ///< resident waves or threads of a slot; 0 if the compiler does not tell
  int spills = 0;                  ///< stores and loads of spilled registers
  std::int64_t private_bytes = 0;  ///< private memory of a work-item
};

/// Result of one file: the kernels in it, or the compiler's messages.
struct CompiledFile {
  std::string file;
  std::vector<MachineCode> kernels;
  std::string error;   ///< empty if it compiled
  double seconds = 0;  ///< CPU time
};

/// Returns true if `name` begins with one of `prefixes`.
template <std::size_t N>
bool starts_with_any(std::string_view name, const std::string_view (&prefixes)[N]) {
  for (const std::string_view prefix : prefixes) {
    if (name.starts_with(prefix)) return true;
  }
  return false;
}

/// Sorts loops, an outer one before those in it, and merges those with one beginning, as `continue` makes.
void normalize_loops(MachineCode& code);

}  // namespace tensordsl::bench
