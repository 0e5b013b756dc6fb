// The rates of a compute unit from a profile.
#pragma once

#include "tensordsl/hw_profile.h"
#include "tensordsl/target.h"

namespace tensordsl::schedules {

/// Returns the rates of a unit that runs a work-group on a thread, with vectors of that many floats, where a
/// profile does not give them: those of pocl_cpu_avx512, whose vectors have 16 floats.
UnitRates thread_rates(int vector_width);

/// Returns the rates and waits of a unit in its clocks, which follow from the peak of multiply-adds. A
/// profile without that peak keeps `defaults`, and so does each figure that it lacks.
UnitRates unit_rates_of(const HwProfile& profile, const UnitRates& defaults);

}  // namespace tensordsl::schedules
