// Runs the loops of a Runner's Program.
#include <algorithm>

#include "runtime/run/runner_impl.h"
#include "runtime/values/check_requirements.h"

namespace tensordsl {
namespace {

// The host makes a recording while the device runs the one before it: of few launches it has cost more than
// it saves, and with a long first one the device waits.
constexpr std::int64_t kMostLaunchesAtOnce = 512;
// Limit of kept launches, which take some MiB of the host's memory; launches of longer loops are made again
// in each run.
constexpr std::int64_t kMostLaunchesKept = 8192;

}  // namespace

void Runner::Impl::run_loop(std::size_t step, const LaunchStretch& launch) {
  const std::size_t number = order[step].first;
  const Program::Loop& loop = program->loops[number];
  const std::int64_t most = std::max(values->value(loop.steps), std::int64_t{0});
  const bool only_launches =
      order[step].last == step + 2 && order[step + 1].kind == runtime::RunStep::Kind::Launches;
  if (only_launches && !loop.condition) {
    run_launches_of_steps(step, most, launch);
  } else {
    const std::vector<std::size_t> of_steps = runtime::requirements_over(*program, loop.step);
    std::int64_t taken = 0;
    for (bool goes_on = true; goes_on && taken < most; ++taken) {
      values->set(loop.step, taken);
      check_requirements_of_step(of_steps);
      run_steps(step + 1, order[step].last, launch);
      // Reads the condition before the step ends: it may be carried, and swapped then.
      if (loop.condition) goes_on = memory->read(*loop.condition).get(0) != 0;
      end_step(number);
    }
    if (!loop.taken.empty()) values->set(loop.taken, taken);
  }
  values->forget(loop.step);
  if (!loop.taken.empty()) check_requirements();
}

void Runner::Impl::run_launches_of_steps(std::size_t step, std::int64_t count, const LaunchStretch& launch) {
  const std::size_t number = order[step].first;
  const std::string& param = program->loops[number].step;
  Stretch& stretch = stretches[step + 1];
  ParamValues with = values_for(stretch);
  with.erase(param);
  const auto changed = std::ranges::count(has_changed_places, true) + (states->is_swapped() ? 1 : 0);
  RecordedSteps& kept = recorded_steps[number][static_cast<std::size_t>(changed % 2)];
  if (!kept.parts.empty() && kept.count == count && kept.with == with && kept.places == has_changed_places) {
    for (const std::unique_ptr<Recording>& part : kept.parts)
      launch(*part, stretch.first, stretch.last, false);
    if (count % 2 == 1) end_step(number);
    return;
  }
  for (std::unique_ptr<Recording>& part : kept.parts) retire(std::move(part));
  kept = {};  // valid again when all steps are recorded: a step may be refused
  RecordedSteps made{{}, count, std::move(with), has_changed_places};
  const std::vector<std::size_t> of_steps = runtime::requirements_over(*program, param);
  const auto of_step = static_cast<std::int64_t>(stretch.last - stretch.first);
  const bool are_kept = count <= kMostLaunchesKept / of_step;
  const std::int64_t at_once = std::max(kMostLaunchesAtOnce / of_step, std::int64_t{1});
  for (std::int64_t first = 0; first < count; first += at_once) {
    std::vector<Launch> launches;
    for (std::int64_t taken = first; taken < std::min(first + at_once, count); ++taken) {
      values->set(param, taken);
      check_requirements_of_step(of_steps);
      add_launches(stretch, launches);
      end_step(number);
    }
    std::unique_ptr<Recording> part = device->record(std::move(launches));
    launch(*part, stretch.first, stretch.last, false);
    if (are_kept)
      made.parts.push_back(std::move(part));
    else
      retire(std::move(part));
  }
  kept = std::move(made);
}

void Runner::Impl::end_step(std::size_t loop) {
  const std::vector<Program::Loop::Carried>& all = program->loops[loop].carried;
  for (const Program::Loop::Carried& carried : all)
    std::swap(memory->of(carried.now), memory->of(carried.next));
  if (!all.empty()) has_changed_places[loop] = !has_changed_places[loop];
}

void Runner::Impl::check_requirements_of_step(const std::vector<std::size_t>& of_steps) {
  if (of_steps.empty()) return;
  for (const std::size_t requirement : of_steps) is_checked[requirement] = false;
  check_requirements();
}

void Runner::Impl::forget_steps() {
  for (auto& [loop, all] : recorded_steps) {
    for (RecordedSteps& recorded : all) {
      for (std::unique_ptr<Recording>& part : recorded.parts) retire(std::move(part));
    }
  }
  recorded_steps.clear();
}

}  // namespace tensordsl
