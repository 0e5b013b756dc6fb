#include "model/options_of_target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "hwprofile/reported/derived_profile.h"
#include "measure/serve_worker.h"
#include "records/record_database.h"
#include "tune/record/shipped_records.h"
#include "tune/record/tuned_schedules.h"

namespace tensordsl {

HwProfile profile_of(const CompileTarget& target) {
  if (target.profile) return *target.profile;
  if (!target.device) return {};
  if (auto bundled = bundled_hw_profile(target.device->name)) return *std::move(bundled);
  return hwprofile::derived_profile(*target.device);
}

namespace {

/// Returns the tuned schedules; null if none are requested.
std::shared_ptr<const tune::TunedSchedules> tuned_schedules_of(const CompileTarget& target) {
  std::vector<records::TuningRecord> records;
  if (!target.database.empty() && target.device) {
    const auto database = records::RecordDatabase::open_existing(target.database);
    records = database.best_of_device(measure::key_of(*target.device));
    std::ranges::move(database.apart_on_device(measure::key_of(*target.device)), std::back_inserter(records));
  }
  if (target.tuned_schedules && (target.device || target.profile)) {
    // Records of this very device override those that come with the library.
    const std::string name = target.profile ? target.profile->device : measure::key_of(*target.device).device;
    std::set<std::pair<std::string, bool>> known;
    for (const records::TuningRecord& record : records)
      known.emplace(record.kernel.structure, record.is_apart());
    for (records::TuningRecord& record : tune::shipped_records(name)) {
      if (!known.contains({record.kernel.structure, record.is_apart()})) records.push_back(std::move(record));
    }
  }
  if (records.empty()) return nullptr;
  return std::make_shared<const tune::TunedSchedules>(records, profile_of(target), target.device);
}

}  // namespace

std::optional<std::string> database_warning(const CompileTarget& target) {
  if (target.database.empty() || !target.device) return std::nullopt;
  const auto database = records::RecordDatabase::open_existing(target.database);
  const records::DeviceKey key = measure::key_of(*target.device);
  if (!database.best_of_device(key).empty()) return std::nullopt;
  std::map<std::string, std::int64_t> left_out;  // by version of the library
  for (const records::TuningRecord& record : database.all()) {
    if (record.device.device == key.device && record.device.library != key.library)
      ++left_out[record.device.library];
  }
  std::vector<std::string> parts;
  if (const std::int64_t outdated = database.outdated(); outdated > 0)
    parts.push_back(fmt::format("{} records of an earlier version of its format", outdated));
  for (const auto& [library, count] : left_out)
    parts.push_back(fmt::format("{} records of tensordsl {}", count, library));
  if (parts.empty()) return std::nullopt;
  return fmt::format(
      "the database {} has no schedule for this version of tensordsl, {}: left out are {}; "
      "`tensordsl autoschedule --minutes 10 --db {}` tries schedules again",
      target.database, key.library, fmt::join(parts, " and "), target.database);
}

graph::CompileOptions options_of(const CompileTarget& target) {
  graph::CompileOptions options;
  options.precision = target.precision;
  options.weights = target.weights;
  options.device = target.device;
  options.on_host = target.on_host;
  options.optimizations = target.optimizations;
  options.winograd_budget = target.winograd_budget;
  options.disabled_passes = target.disabled_passes;
  options.max_group_size = target.max_group_size;
  options.threads = target.threads;
  options.progress = target.progress;
  const std::int64_t group_size = target.device ? target.device->max_group_size : 64;
  if (target.profile || target.device) {
    options.profile = profile_of(target);
    options.target = schedules::target_of(*options.profile, group_size);
  }
  if (!target.optimizations.half_sums || (target.device && !target.device->has_fp16))
    options.target.computes_halves = false;
  options.target.has_integer_dot_product = target.device && target.device->has_integer_dot_product;
  options.target.has_matrix_units = target.device && target.device->has_matrix_units;
  if (const auto tuned = tuned_schedules_of(target); tuned && !tuned->is_empty()) {
    options.known_schedule = [tuned](const graph::ScheduleQuery& query) { return tuned->find(query); };
    options.better_apart = [tuned](const std::string& key) { return tuned->is_better_apart(key); };
  }
  return options;
}

}  // namespace tensordsl
