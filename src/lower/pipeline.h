// From scheduled definitions to kernels as plain IR: the list of passes is in pipeline.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/function.h"
#include "lower/code_features.h"
#include "lower/lowered.h"

namespace tensordsl::lower {

/// Called after each pass with the pass's name, the kernel's name, and the statement as it is then.
using Observer =
    std::function<void(const std::string& pass, const std::string& kernel, const ir::Stmt& stmt)>;

/// The sub-groups of a device.
struct SubGroups {
  bool has_any = false;
  bool has_shuffle = false;
  std::vector<int> sizes;  // that a kernel may ask for; empty if not known
  bool has_matrix_units = false;
};

/// What work-items have for arrays of their own.
struct PrivateMemory {
  std::int64_t item_bytes = kPrivateMemoryBytes;           // each of them
  std::optional<std::int64_t> group_bytes = std::nullopt;  // those of a group together, if they share it
};

struct LowerOptions {
  Observer observer;
  CodeFeatures code = {};                                      // of the backend
  bool verify = false;                                         // check the IR after every pass
  std::optional<ImageLimits> image_limits = std::nullopt;      // of the device, if it is known
  std::optional<SubGroups> sub_groups = std::nullopt;          // of the device, if it is known
  std::optional<bool> has_fp16 = std::nullopt;                 // of the device, if it is known
  std::optional<bool> has_fp64 = std::nullopt;                 // of the device, if it is known
  std::optional<bool> has_integer_dot_product = std::nullopt;  // of the device, if it is known
  PrivateMemory private_memory = {};        // of the device, or what the largest devices have
  std::int64_t constant_bytes = 64 * 1024;  // of a constant buffer; what every device of OpenCL 1.2 has
  std::set<std::string> without = {};       // of optional_passes(): what is left out, to measure its effect
};

/// The passes that only make kernels faster, in their order.
std::vector<std::string> optional_passes();

/// Throws DefinitionError or ScheduleError for what the user can mend.
LoweredPipeline lower(const std::vector<ir::FunctionPtr>& outputs, const LowerOptions& options = {});
LoweredPipeline lower(const ir::FunctionPtr& output, const LowerOptions& options = {});

}  // namespace tensordsl::lower
