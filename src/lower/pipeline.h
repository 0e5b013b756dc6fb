// From scheduled definitions to kernels as plain IR: the list of passes is in pipeline.cpp.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "ir/function.h"
#include "lower/lowered.h"

namespace tensordsl::lower {

/// Called after each pass with the pass's name, the kernel's name, and the statement as it is then.
using Observer = std::function<void(const std::string& pass, const std::string& kernel, const ir::Stmt& stmt)>;

struct LowerOptions {
  Observer observer;
  bool verify = false;  // check the IR after every pass
  std::optional<ImageLimits> image_limits = std::nullopt;  // of the device, if it is known
};

/// Throws DefinitionError or ScheduleError for what the user can mend.
LoweredPipeline lower(const ir::FunctionPtr& output, const LowerOptions& options = {});

}  // namespace tensordsl::lower
