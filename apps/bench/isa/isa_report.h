// Figures of kernels in machine code, as rows and totals.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/bench/isa/isa_kernel.h"
#include "apps/bench/isa/machine_code.h"

namespace tensordsl::bench {

/// Instructions of a piece of code.
struct InstructionSum {
  double all = 0;  ///< all but those without work
  double multiply_adds = 0, textures = 0, memory = 0, integers = 0, scratch = 0, idle = 0;

  /// Returns multiply_adds / all; 0 of no instructions.
  double share() const { return all > 0 ? multiply_adds / all : 0; }
};

/// Cycles of the units of a GPU; 0 where the compiler has no figures of cycles.
struct CycleSum {
  double arithmetic = 0, texture = 0, memory = 0;

  double bound() const { return std::max({arithmetic, texture, memory}); }
  double memory_bound() const { return std::max(texture, memory); }
};

struct IsaRow {
  IsaKernel kernel;
  MachineCode code;
  std::string error;    ///< compiler's messages; the other figures are 0 then
  double seconds = 0;   ///< CPU time of the compiler
  InstructionSum text;  ///< instructions of the code, each once
  InstructionSum hot;   ///< those of the innermost loop with the most multiply-adds, or of all code
  InstructionSum run;   ///< those that a work-item runs, with loops
  CycleSum cycles;      ///< of a work-item

  /// True if the kernel has private memory that its schedule does not ask for.
  bool has_private() const { return code.private_bytes > 0 && kernel.private_bytes == 0; }
  // Sums over all work-items.
  double all_instructions() const { return run.all * kernel.work_items; }
  double all_cycles() const { return cycles.bound() * kernel.work_items; }
  double all_memory_cycles() const { return cycles.memory_bound() * kernel.work_items; }
};

/// Counts a kernel's code, with the trips of the loops in its text.
IsaRow row_of(const IsaKernel& kernel, const CompiledFile& file);

/// Sums over kernels, each times its work-items.
struct IsaTotals {
  int kernels = 0, refused = 0, spilling = 0;
  int with_private = 0;             ///< kernels of which has_private() is true
  double instructions = 0;          ///< that all work-items run
  double cycles = 0;                ///< of the busiest unit of each kernel
  double memory_cycles = 0;         ///< of the busier of texture and memory of each kernel
  double seconds = 0;               ///< CPU time of the compiler
  double register_correlation = 0;  ///< Spearman's, of estimated and real registers; 0 for fewer than three
  double time_correlation = 0;      ///< Spearman's, of predicted times and cycles
};
IsaTotals totals_of(const std::vector<IsaRow>& rows);
std::string text_of(const IsaTotals& totals);
nlohmann::ordered_json json_of(const IsaTotals& totals);

/// Returns a table with a line for each kernel, and its totals.
std::string table_of(const std::vector<IsaRow>& rows);
/// Returns a table of two versions of the same kernels: instructions, registers and share of multiply-adds of
/// each, and the ratio of what runs. Kernels are paired by their positions.
std::string comparison_of(const std::vector<IsaRow>& before, const std::vector<IsaRow>& after);
nlohmann::ordered_json json_of(const std::vector<IsaRow>& rows);

}  // namespace tensordsl::bench
