// Lower bounds on the time of a kernel.
#pragma once

#include <cstdint>

#include "definitions/stored_group.h"
#include "predict/device_figures.h"

namespace tensordsl::tune {

/// Returns the bytes of operands and outputs.
std::int64_t bytes_of(const definitions::StoredGroup& group);

/// Returns the peak of multiply-adds of f32, in flops a microsecond.
double peak_flops_of_us(const predict::DeviceFigures& device);

/// Returns the least microseconds: `flops` at the device's peak, or the bytes of operands and outputs at the
/// bandwidth of the nearest memory that holds them, whichever takes longer.
double floor_of(const definitions::StoredGroup& group, std::int64_t flops,
                const predict::DeviceFigures& device);

}  // namespace tensordsl::tune
