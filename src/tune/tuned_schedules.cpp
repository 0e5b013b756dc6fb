#include "tune/tuned_schedules.h"

#include <algorithm>

#include "records/kernel_key.h"
#include "tensordsl/error.h"
#include "tune/look_at_schedule.h"
#include "tune/schedule_of_record.h"

namespace tensordsl::tune {
namespace {

/// Of the sizes of two kernels together, in doublings: beyond this one says nothing of the other.
constexpr double kFarthest = 4;

}  // namespace

TunedSchedules::TunedSchedules(const std::vector<records::TuningRecord>& records, HwProfile profile,
                               std::optional<DeviceInfo> device)
    : profile_(std::move(profile)), device_(std::move(device)) {
  for (const records::TuningRecord& record : records) {
    if (!record.us) continue;
    const auto [known, is_new] = best_.try_emplace(record.kernel.structure, record);
    if (!is_new && record.is_better_than(known->second)) known->second = record;
  }
  for (const auto& [structure, record] : best_) families_[record.kernel.family].push_back(&record);
}

std::optional<ChosenSchedule> TunedSchedules::find(const SchedulingCase& kernel) const {
  const records::KernelKey key = records::kernel_key(kernel.key);
  const auto known = best_.find(key.structure);
  if (known == best_.end()) return nearest(kernel, key);
  return schedule_of(known->second, kernel.group, kernel.target);
}

std::optional<ChosenSchedule> TunedSchedules::nearest(const SchedulingCase& kernel,
                                                      const records::KernelKey& key) const {
  const auto family = families_.find(key.family);
  if (family == families_.end()) return std::nullopt;
  const auto near = std::ranges::min_element(family->second, {}, [&](const records::TuningRecord* record) {
    return records::distance(record->kernel, key);
  });
  if (records::distance((*near)->kernel, key) > kFarthest) return std::nullopt;
  const auto schedule = schedule_of(**near, kernel.group, kernel.target);
  if (!schedule) return std::nullopt;
  RankingOptions options;
  options.target = kernel.target;
  options.device = device_;
  options.profile = profile_;
  const predict::DeviceFigures figures = predict::figures_of(profile_);
  const GroupSource source{nullptr, kernel.scheduled};
  const Looked there = look_at_schedule(source, *schedule, options, figures);
  if (!there.refusal.empty()) return std::nullopt;
  const Looked first = look_at_schedule(source, kernel.first, options, figures);
  return first.refusal.empty() && first.candidate.us < there.candidate.us ? std::nullopt : schedule;
}

}  // namespace tensordsl::tune
