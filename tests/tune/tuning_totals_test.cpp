// The times that all reports of autoschedule tell, and their sums.
#include "tune/tuning_totals.h"

#include <doctest/doctest.h>

namespace tensordsl::tune {
namespace {

AutoscheduledKernel kernel_of(int launches, std::optional<double> us, std::optional<double> first_us) {
  AutoscheduledKernel kernel;
  kernel.launches = launches;
  kernel.us = us;
  kernel.first_us = first_us;
  kernel.predicted_us = 5;
  kernel.first_predicted_us = 20;
  return kernel;
}

}  // namespace

TEST_CASE("tuning totals: the sums are of timed kernels, and of predictions where none was timed") {
  AutoscheduleReport report;
  report.kernels = {kernel_of(2, 10, 30), kernel_of(1, 7, std::nullopt),
                    kernel_of(3, std::nullopt, std::nullopt)};
  const TuningTotals some = totals_of(report);
  CHECK(some.us == 27);
  CHECK(some.first_us == 67);
  CHECK(some.title() == "2 of 3 kernels timed");
  CHECK(some.includes(report.kernels[1]));
  CHECK(!some.includes(report.kernels[2]));
  CHECK(reported_us(report.kernels[2]) == 5);
  report.kernels.pop_back();
  CHECK(totals_of(report).title() == "all 2 kernels timed");
  report.kernels = {kernel_of(3, std::nullopt, std::nullopt)};
  const TuningTotals none = totals_of(report);
  CHECK(none.us == 15);
  CHECK(none.first_us == 60);
  CHECK(none.title() == "1 kernel predicted");
  CHECK(none.includes(report.kernels[0]));
}

}  // namespace tensordsl::tune
