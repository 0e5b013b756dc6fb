// Lowers scheduled definitions to kernels as plain IR. The list of the steps is in lower.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ir/nodes/function.h"
#include "lower/code_features.h"
#include "lower/lowered.h"

namespace tensordsl::lower {

/// Stages, in their order, that a step may establish; a stage holds from that step on.
enum class Stage : std::uint8_t {
  Definitions,  // every Func and Var has a name of its own
  Nests,        // the loops of each kernel, whose reads are inside their tensors
  Loops,        // simplified loops, with index names and known Params replaced by their values
  WorkItems,    // the work of one work-item; barriers are where all work-items of a group arrive
  Kernels,      // that work with arguments, launch shape and resources
};

/// Part of the pipeline that a step changes.
enum class StepScope : std::uint8_t {
  Pipeline,  // all Funcs and nests
  Nest,      // the nest of one kernel
  Kernel,    // one lowered kernel
};

/// A row of the list of steps.
struct StepInfo {
  std::string_view name;
  std::string_view summary;  // what the step does, as one clause
  StepScope scope;
  std::optional<Stage> gives;  // the stage that holds from this step on, if it begins to
  bool is_optional = false;    // only makes kernels faster: LowerOptions::without may name it
};

/// Returns the steps of lower(), in their order.
std::vector<StepInfo> lowering_steps();
/// Returns the names of the optional steps.
std::vector<std::string> optional_passes();
/// Throws ScheduleError, which lists the optional steps, if one of `passes` is not among them.
void check_optional_passes(const std::set<std::string>& passes);

/// Result of a step: a kernel or, before there are nests, a Func.
struct StepResult {
  const StepInfo& step;
  const std::string& name;  // name of the kernel or the Func
  const ir::Stmt& stmt;     // for a Func: stores of its definitions, in loops over their reduction domains
};

/// Called after each step, once for each kernel or Func.
using Observer = std::function<void(const StepResult&)>;

/// The sub-groups of a device.
struct SubGroups {
  bool has_any = false;
  bool has_shuffle = false;
  std::vector<int> sizes;  // sizes that a kernel may ask for; empty if not known
  bool has_matrix_units = false;
};

/// Limits of the work-items' private arrays.
struct PrivateMemory {
  std::int64_t item_bytes = kPrivateMemoryBytes;           // each of them
  std::optional<std::int64_t> group_bytes = std::nullopt;  // bytes of a whole group, if its work-items share
                                                           // them
};

struct LowerOptions {
  Observer observer;
  CodeFeatures code = {};                                      // features of the backend's code
  bool verify = false;                                         // check the IR after every step
  std::optional<ImageLimits> image_limits = std::nullopt;      // limits of the device, if it is known
  std::optional<SubGroups> sub_groups = std::nullopt;          // sub-groups of the device, if it is known
  std::optional<bool> has_fp16 = std::nullopt;                 // feature of the device, if it is known
  std::optional<bool> has_fp64 = std::nullopt;                 // feature of the device, if it is known
  std::optional<bool> has_integer_dot_product = std::nullopt;  // feature of the device, if it is known
  PrivateMemory private_memory = {};        // memory of the device, or of the largest devices
  std::int64_t constant_bytes = 64 * 1024;  // size of a constant buffer; every device of OpenCL 1.2 has as
                                            // much
  int loop_registers = 0;                   // Target::loop_registers
  bool gathers_reads = false;               // Target::gathers_reads
  std::set<std::string> without = {};       // optional_passes() that are left out, to measure their effect
};

/// Lowers a pipeline to kernels. Throws DefinitionError or ScheduleError for mistakes of the user.
LoweredPipeline lower(const std::vector<ir::FunctionPtr>& outputs, const LowerOptions& options = {});
LoweredPipeline lower(const ir::FunctionPtr& output, const LowerOptions& options = {});

}  // namespace tensordsl::lower
