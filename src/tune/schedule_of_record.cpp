#include "tune/schedule_of_record.h"

#include "schedules/strategies.h"
#include "tensordsl/error.h"

namespace tensordsl::tune {

std::optional<ChosenSchedule> schedule_of(const records::TuningRecord& record, const Group& group,
                                          const Target& target) {
  const schedules::Strategy* strategy = schedules::find_strategy(record.strategy);
  if (!strategy || !strategy->applies(group, target)) return std::nullopt;
  try {
    ChosenSchedule schedule{strategy, schedules::parse_point(record.point)};
    if (!schedules::contains(strategy->space(group, target), schedule.point)) return std::nullopt;
    return schedule;
  } catch (const ParseError&) {
    return std::nullopt;
  }
}

}  // namespace tensordsl::tune
