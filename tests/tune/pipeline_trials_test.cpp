// Pipeline::auto_schedule with trials.
#include <doctest/doctest.h>

#include <filesystem>

#include "records/record_database.h"
#include "support/buffers.h"
#include "support/temporary.h"
#include "tensordsl/autoschedule.h"
#include "tensordsl/tensordsl.h"

using namespace tensordsl;

namespace {

/// Subtracts its sum from each row; then makes a histogram of the differences.
struct Rows {
  Input in{"in", Float(32), {33, 70}};
  Func total{"total"}, left{"left"}, counts{"counts"};

  Rows() {
    const Var y("y"), x("x"), bin("bin");
    const RDom r({{0, 70}}, "r"), all({{0, 33}, {0, 70}}, "all");
    total(y) += in(y, r);
    left(y, x) = in(y, x) - total(y) / 70.0f;
    counts(bin) = 0;
    counts(clamp(cast(Int(32), left(all[0], all[1])) + 8, 0, 15)) += 1;
    left.bound({33, 70});
    counts.bound({16});
  }
  static Buffer values() {
    return testing::filled(Float(32), {33, 70},
                           [](std::int64_t i) { return static_cast<double>(i * 7 % 23) - 11; });
  }
};

}  // namespace

TEST_CASE("auto_schedule with trials: what is chosen computes the same, and trials are kept") {
  const auto device = Device::open();
  const std::filesystem::path file = testing::temporary("pipeline_trials.db");
  for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(file.string() + end);
  Rows rows;
  const Pipeline pipeline({rows.left, rows.counts});
  AutoscheduleOptions trials;
  trials.trials_of_kernel = 5;
  trials.database = file;
  std::int64_t told = 0;
  trials.progress = [&](const TuningProgress& progress) { told = progress.trials; };
  const Schedule schedule = pipeline.auto_schedule(*device, trials);
  CHECK(told > 2);
  CHECK(records::RecordDatabase(file).size() == told);
  schedule.apply({rows.left, rows.counts});
  const std::map<std::string, Buffer> inputs{{"in", Rows::values()}};
  const auto expected = pipeline.interpret(inputs);
  const auto found = pipeline.realize_all(inputs, *device);
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(testing::largest_difference(found[i], expected[i]) < 1e-4);
  for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(file.string() + end);
}

TEST_CASE("auto_schedule with trials: without a limit nothing is timed") {
  const auto device = Device::open();
  Rows rows;
  const Pipeline pipeline(rows.left);
  AutoscheduleOptions trials;
  trials.progress = [](const TuningProgress&) { FAIL("nothing is to be tried"); };
  CHECK(pipeline.auto_schedule(*device, trials).to_json() ==
        Pipeline(Rows().left).auto_schedule(device->info()).to_json());
}

TEST_CASE("auto_schedule with trials: workers that do not start are told") {
  const auto device = Device::open();
  Rows rows;
  AutoscheduleOptions trials;
  trials.trials = 3;
  trials.workers = {{"/no/such/worker"}};
  CHECK_THROWS_WITH_AS(Pipeline(rows.left).auto_schedule(*device, trials),
                       "cannot start /no/such/worker: No such file or directory", Error);
}

TEST_CASE("auto_schedule with trials: who stops it while places are chosen gets a schedule, and no trial") {
  const auto device = Device::open();
  Rows rows;
  const Pipeline pipeline({rows.left, rows.counts});
  AutoscheduleOptions trials;
  trials.trials = 50;
  int asked = 0;
  trials.should_stop = [&] { return ++asked > 1; };
  trials.progress = [](const TuningProgress& progress) { CHECK(progress.trials == 0); };
  const Schedule schedule = pipeline.auto_schedule(*device, trials);
  CHECK(asked > 1);
  schedule.apply({rows.left, rows.counts});
  const std::map<std::string, Buffer> inputs{{"in", Rows::values()}};
  const auto expected = pipeline.interpret(inputs);
  const auto found = pipeline.simulate(inputs);
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(testing::largest_difference(found[i], expected[i]) < 1e-4);
}
