// Tests the schedules that compile takes from trials: of the same kernel, of a similar one, and none that
// does not fit.
#include "tune/record/tuned_schedules.h"
#include "graph/schedule/choose_schedules.h"

#include <doctest/doctest.h>

#include "records/kernel_key.h"
#include "support/some_device.h"
#include "tensordsl/model.h"
#include "tune/record/shipped_records.h"
#include "tune/record/trial_record.h"
#include "tune/single_task.h"

namespace tensordsl::tune {
namespace {

using records::TuningRecord;

TuningRecord record_of(const SingleTask& task, const graph::GroupSchedule& schedule, double us) {
  TuningRecord record;
  record.kernel = task.key();
  record.strategy = schedule.strategy->name;
  record.point = schedules::to_string(schedule.point);
  record.us = us;
  return record;
}

std::optional<graph::GroupSchedule> found(const SingleTask& task, const std::vector<TuningRecord>& records) {
  const TunedSchedules tuned(records, task.profile(), std::nullopt);
  const definitions::StoredGroup group = task.source().prepared();
  const graph::GroupSchedule first = graph::choose_schedule(group, task.target());
  return tuned.find({task.key(), group, task.target(), first, task.source().scheduled});
}

/// Candidates of the kernel, the best first by the model of the device.
std::vector<graph::GroupSchedule> ranked(const SingleTask& task) {
  RankingOptions options;
  options.target = task.target();
  options.profile = task.profile();
  std::vector<graph::GroupSchedule> schedules;
  for (const search::Trial& candidate : rank_candidates(task.source(), options).candidates)
    schedules.push_back(candidate.schedule);
  return schedules;
}

std::string text_of(const std::optional<graph::GroupSchedule>& schedule) {
  return schedule ? std::string(schedule->strategy->name) + ": " + schedules::to_string(schedule->point)
                  : "none";
}

}  // namespace

TEST_CASE("tuned schedules: the fastest of a kernel's records is taken") {
  const SingleTask task(32, 11);
  const auto schedules = ranked(task);
  REQUIRE(schedules.size() > 2);
  const TuningRecord slow = record_of(task, schedules[0], 9), fast = record_of(task, schedules[1], 3);
  TuningRecord failed = record_of(task, schedules[2], 1);
  failed.us.reset();
  failed.failure = "no";
  CHECK(text_of(found(task, {slow, fast, failed})) == text_of(schedules[1]));
  CHECK(text_of(found(task, {failed})) == "none");
  CHECK(text_of(found(task, {})) == "none");
}

TEST_CASE(
    "tuned schedules: a kernel of another size has that of the nearest, unless the model speaks against it") {
  const SingleTask task(32, 11), near(32, 12), far(64, 40);
  const auto schedules = ranked(task);
  CHECK(text_of(found(task, {record_of(near, schedules.front(), 3)})) == text_of(schedules.front()));
  CHECK(text_of(found(task, {record_of(near, schedules.front(), 3), record_of(far, schedules.back(), 1)})) ==
        text_of(schedules.front()));
  CHECK(text_of(found(task, {record_of(far, schedules.front(), 1)})) == "none");
  graph::GroupSchedule slow = graph::choose_schedule(task.source().prepared(), task.target());
  slow.point.set("lanes", 1);
  CHECK(text_of(found(task, {record_of(near, slow, 1)})) == "none");
}

TEST_CASE("tuned schedules: strategies and points that the kernel does not have are passed over") {
  const SingleTask task(32, 11);
  TuningRecord record = record_of(task, ranked(task).front(), 3);
  record.strategy = "no such strategy";
  CHECK(text_of(found(task, {record})) == "none");
  record = record_of(task, ranked(task).front(), 3);
  record.point = "lanes=3";
  CHECK(text_of(found(task, {record})) == "none");
  record.point = "??";
  CHECK(text_of(found(task, {record})) == "none");
}

TEST_CASE("tuned schedules: a point that the space has and the extents do not is passed over") {
  const SingleTask task(32, 11);
  graph::GroupSchedule wide = ranked(task).front();
  wide.point.set("lanes", 16);
  wide.point.set("vectors", 4);
  CHECK(text_of(found(task, {record_of(task, wide, 3)})) == "none");
  // The record of the same kernel with a configuration that fits.
  wide.point.set("vectors", 1);
  CHECK(text_of(found(task, {record_of(task, wide, 3)})) == text_of(wide));
}

TEST_CASE("shipped records: every file can be read, and knows kernels of the models for its device") {
  for (const ShippedFile& file : shipped_files()) {
    CAPTURE(file.name);
    CHECK(!file.device_parts.empty());
    CHECK(!file.records.empty());
    for (const TuningRecord& record : file.records) CHECK(record.us);
  }
  CHECK(!shipped_records("CUDA graphs of NVIDIA CUDA / NVIDIA H100 80GB HBM3").empty());
  CHECK(shipped_records("a device of nobody").empty());
}

TEST_CASE(
    "shipped records: they change kernels of a model for such a device, and only with tuned_schedules") {
  const Model model = Model::load(std::string(TENSORDSL_MODELS) + "/resnet18.onnx", {.random_weights = true});
  CompileTarget target;
  target.device = some_device();
  target.device->name = "NVIDIA H100 80GB HBM3";
  target.device->platform = "NVIDIA CUDA";
  target.device->is_gpu = true;
  target.device->max_group_size = 1024;
  target.device->max_group_sizes = {1024, 1024, 64};
  target.device->local_memory_bytes = 48 << 10;
  target.device->local_memory_on_chip = true;
  const Program tuned = model.compile(target);
  target.tuned_schedules = false;
  const Program plain = model.compile(target);
  std::set<std::string> texts;
  for (const KernelSource& kernel : plain.kernels) texts.insert(kernel.text);
  std::size_t changed = 0;
  for (const KernelSource& kernel : tuned.kernels) changed += texts.contains(kernel.text) ? 0 : 1;
  CHECK(3 * changed > tuned.kernels.size());
}

}  // namespace tensordsl::tune
