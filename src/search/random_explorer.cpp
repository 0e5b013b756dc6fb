#include "search/random_explorer.h"

#include "search/new_schedules.h"

namespace tensordsl::search {

std::vector<ChosenSchedule> RandomExplorer::propose(std::size_t count) {
  NewSchedules schedules(view_, count);
  fill(schedules, count, [&] { return random_schedule(view_.space, random_); });
  return schedules.take();
}

}  // namespace tensordsl::search
