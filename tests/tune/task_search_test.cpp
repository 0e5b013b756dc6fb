// The search of one kernel: its trials, its records, and the measurements that it rejects.
#include "tune/trial/task_search.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "records/kernel_key.h"
#include "tune/fake_measurer.h"
#include "tune/searched_task.h"

namespace tensordsl::tune {
namespace {

using records::TuningRecord;

std::vector<TuningRecord> run(TaskSearch& search, FakeMeasurer& measurer, int batches) {
  std::vector<TuningRecord> all;
  for (int i = 0; i < batches; ++i) {
    for (TuningRecord& record : search.step(measurer, 6)) all.push_back(std::move(record));
  }
  return all;
}

std::set<std::string> texts_of(const std::vector<TuningRecord>& records) {
  std::set<std::string> texts;
  for (const TuningRecord& record : records) texts.insert(record.strategy + ": " + record.point);
  return texts;
}

}  // namespace

TEST_CASE(
    "task search: no schedule is tried twice, and the fastest is taken however the device's speed drifts") {
  const SearchedTask subject;
  const auto search = subject.search();
  FakeMeasurer measurer;
  const auto records = run(*search, measurer, 6);
  CHECK(records.size() > 20);
  CHECK(texts_of(records).size() == records.size());
  CHECK(*search->best_us() == doctest::Approx(measurer.least));
  for (const TuningRecord& record : records) {
    REQUIRE(record.us);
    CHECK(*record.us >= *search->best_us());
    CHECK(!record.features.empty());
  }
  CHECK(search->first_us());
}

TEST_CASE("task search: what is known is not tried again, and counts") {
  const SearchedTask subject;
  FakeMeasurer measurer;
  const auto before = subject.search();
  const auto known = run(*before, measurer, 3);
  const auto after = subject.search(known);
  CHECK(after->best_us() == before->best_us());
  CHECK(after->new_trials() == 0);
  // Their records hold their predictions.
  for (const search::Trial& trial : after->trials()) CHECK(trial.predicted.us > 0);
  FakeMeasurer later;
  const auto more = run(*after, later, 3);
  CHECK(!more.empty());
  const auto old = texts_of(known);
  for (const std::string& text : texts_of(more)) CHECK(!old.contains(text));
}

TEST_CASE("task search: what failed is recorded with its reason, and never tried again") {
  const SearchedTask subject;
  FakeMeasurer measurer;
  measurer.fails = true;
  const auto search = subject.search();
  const auto records = run(*search, measurer, 4);
  CHECK(texts_of(records).size() == records.size());
  const auto failed =
      std::ranges::count_if(records, [](const TuningRecord& r) { return r.failure == "it hangs"; });
  CHECK(failed > 5);
  CHECK(static_cast<std::ptrdiff_t>(search->failures().size()) == failed);
  CHECK(search->failures()[0].ends_with(": it hangs"));
  for (const search::Trial& trial : search->trials()) CHECK(trial.predicted.us > 0);
}

TEST_CASE("task search: who ends the process while others of a batch are at work is known by then") {
  const SearchedTask subject;
  FakeMeasurer measurer;
  measurer.fails = true;
  const auto search = subject.search();
  std::vector<TuningRecord> told;
  StepHooks hooks;
  hooks.failed = [&](const TuningRecord& record) { told.push_back(record); };
  const std::vector<TuningRecord> records = search->step(measurer, 6, hooks);
  std::set<std::string> failed;
  for (const TuningRecord& record : records) {
    if (!record.us) failed.insert(record.strategy + ": " + record.point);
  }
  CHECK(!failed.empty());
  CHECK(texts_of(told) == failed);
  CHECK(told[0].failure == "it hangs");
}

TEST_CASE("task search: what is stopped is recorded neither as timed nor as failed") {
  const SearchedTask subject;
  FakeMeasurer measurer;
  const auto search = subject.search();
  REQUIRE(!search->step(measurer, 6).empty());
  int asked = 0;
  StepHooks hooks;
  hooks.should_stop = [&] { return ++asked > 3; };
  const std::vector<TuningRecord> records = search->step(measurer, 6, hooks);
  CHECK(records.size() < 6);
  for (const TuningRecord& record : records) CHECK(record.us);
  CHECK(search->failures().empty());
}

TEST_CASE("task search: a device for which every schedule is wrong is suspected, and no schedule blamed") {
  const SearchedTask subject;
  FakeMeasurer measurer;
  measurer.is_wrong = true;
  const auto search = subject.search();
  CHECK(run(*search, measurer, 3).empty());
  CHECK(measurer.calls == 1);
  CHECK(search->suspicion() == "element 0 of output 0 is 1, but should be 2");
  CHECK(!search->best_us());
  CHECK(search->best().strategy != nullptr);
}

TEST_CASE("task search: the fastest schedule of a near kernel is among the first to be tried") {
  const SearchedTask subject;
  FakeMeasurer measurer;
  const auto search = subject.search();
  auto records = run(*search, measurer, 5);
  TuningRecord near = *std::ranges::min_element(records, {}, [](const TuningRecord& r) { return *r.us; });
  // Makes the record one of another size.
  near.kernel.structure = std::string(64, 'a');
  const auto other = subject.search({}, {near});
  FakeMeasurer fresh;
  const auto first = other->step(fresh, 6);
  CHECK(texts_of(first).contains(near.strategy + ": " + near.point));
}

TEST_CASE("task search: records of strategies and points that are none are passed over") {
  const SearchedTask subject;
  TuningRecord none;
  none.strategy = "no such strategy";
  none.us = 1;
  TuningRecord odd = none;
  odd.strategy = "tiled_reduction";
  odd.point = "what=is this";
  const auto search = subject.search({none, odd}, {none, odd});
  CHECK(search->trials().empty());
  FakeMeasurer measurer;
  CHECK(!search->step(measurer, 3).empty());
}

TEST_CASE("task search: what is timed once more counts, and nothing that was tried looks faster then") {
  const SearchedTask subject;
  FakeMeasurer measurer;
  const auto search = subject.search();
  const std::vector<TuningRecord> before = run(*search, measurer, 4);
  const std::vector<search::Trial> trials = search->trials();
  const double slowness = measurer.slowness;
  const std::vector<TuningRecord> settled = search->settle(measurer);
  REQUIRE(settled.size() > 1);
  CHECK(texts_of(settled).contains(before.front().strategy + ": " + before.front().point));
  CHECK(*search->best_us() == doctest::Approx(measurer.least * slowness));
  CHECK(*search->first_us() >= *search->best_us());
  REQUIRE(search->trials().size() == trials.size());
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const double us = *search->trials()[i].measured.us;
    const std::string text = search::text_of(trials[i].schedule);
    const auto record = std::ranges::find_if(
        settled, [&](const TuningRecord& r) { return r.strategy + ": " + r.point == text; });
    CHECK(us >= *search->best_us());
    // The database has the times that the report has.
    REQUIRE(record != settled.end());
    CHECK(*record->us == us);
    CHECK(us == doctest::Approx(*trials[i].measured.us * slowness));
  }
  CHECK(search->new_trials() == static_cast<std::int64_t>(trials.size()));
}

TEST_CASE("task search: what fails as it is timed once more is not taken") {
  const SearchedTask subject;
  FakeMeasurer measurer;
  const auto search = subject.search();
  run(*search, measurer, 4);
  const std::string fastest = search::text_of(search->best());
  REQUIRE(fastest != search::text_of(search->first()));  // which does not fail
  measurer.fails = true;
  const std::vector<TuningRecord> settled = search->settle(measurer);
  const auto failed =
      std::ranges::count_if(settled, [](const TuningRecord& r) { return r.failure == "it hangs"; });
  CHECK(failed > 0);
  CHECK(static_cast<std::ptrdiff_t>(search->failures().size()) == failed);
  CHECK(search::text_of(search->best()) != fastest);
  for (const search::Trial& trial : search->trials())
    CHECK((!trial.measured.us || *trial.measured.us >= *search->best_us()));
}

TEST_CASE("task search: without pruning more is tried") {
  SearchedTask subject;
  const auto pruned = subject.search();
  subject.options().prunes = false;
  const auto unpruned = subject.search();
  FakeMeasurer a, b;
  run(*pruned, a, 8);
  run(*unpruned, b, 8);
  std::int64_t left_out = 0;
  for (const auto& [kind, count] : pruned->evaluator().refusals()) {
    if (kind != "extents" && kind != "directives") left_out += count;
  }
  CHECK(left_out > 0);
  for (const auto& [kind, count] : unpruned->evaluator().refusals())
    CHECK((kind == "extents" || kind == "directives"));
}

}  // namespace tensordsl::tune
