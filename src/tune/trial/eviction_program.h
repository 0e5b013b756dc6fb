// A Program to run between two runs of a kernel that are timed.
#pragma once

#include <memory>
#include <optional>

#include "predict/device_figures.h"
#include "tensordsl/device.h"
#include "tensordsl/program.h"

namespace tensordsl::tune {

/// Copies more than the caches of all units hold. Timed again and again, a kernel would find its weights
/// there; in a network others have run in between. Null where the units' caches do not outlive a launch, as
/// on GPUs.
std::shared_ptr<const Program> eviction_program(const predict::DeviceFigures& device,
                                                const std::optional<DeviceInfo>& info);

}  // namespace tensordsl::tune
