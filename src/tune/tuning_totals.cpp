#include "tune/tuning_totals.h"

#include <fmt/format.h>

#include <algorithm>

namespace tensordsl::tune {

double reported_us(const AutoscheduledKernel& kernel) { return kernel.us.value_or(kernel.predicted_us); }

double reported_first_us(const AutoscheduledKernel& kernel) {
  return kernel.us ? kernel.first_us.value_or(*kernel.us) : kernel.first_predicted_us;
}

std::string TuningTotals::title() const {
  const char* source = is_timed ? "timed" : "predicted";
  if (of_kernels == 1) return fmt::format("1 kernel {}", source);
  if (kernels == of_kernels) return fmt::format("all {} kernels {}", kernels, source);
  return fmt::format("{} of {} kernels {}", kernels, of_kernels, source);
}

TuningTotals totals_of(const AutoscheduleReport& report) {
  TuningTotals totals;
  totals.is_timed =
      std::ranges::any_of(report.kernels, [](const AutoscheduledKernel& k) { return k.us.has_value(); });
  totals.of_kernels = report.kernels.size();
  for (const AutoscheduledKernel& kernel : report.kernels) {
    if (!totals.includes(kernel)) continue;
    ++totals.kernels;
    totals.us += reported_us(kernel) * kernel.launches;
    totals.first_us += reported_first_us(kernel) * kernel.launches;
  }
  return totals;
}

}  // namespace tensordsl::tune
