// A tuning record -> the schedule that it tells of
#pragma once

#include <optional>

#include "graph/schedule/choose_schedules.h"
#include "records/tuning_record.h"

namespace tensordsl::tune {

/// Nothing if the group has no such strategy, or that no such point: the record is of another version, or of
/// a kernel of other sizes.
std::optional<ChosenSchedule> schedule_of(const records::TuningRecord& record, const Group& group,
                                          const Target& target);

}  // namespace tensordsl::tune
