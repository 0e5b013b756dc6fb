#include "tune/explain_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "graph/compile_graph.h"
#include "graph/report/select_groups.h"
#include "tune/model_kernels.h"
#include "tune/rank/rank_candidates.h"

namespace tensordsl::tune {
namespace {

constexpr std::size_t kShown = 10, kExamples = 5;

std::string counts_text(const predict::PruningCounts& counts) {
  std::string text = fmt::format("{} of {} kept", counts.kept, counts.seen);
  for (const predict::Criterion criterion : predict::kCriteria) {
    const std::int64_t left_out = counts.left_out[static_cast<std::size_t>(criterion)];
    if (left_out > 0) text += fmt::format(", {} {}", left_out, predict::name_of(criterion));
  }
  return text;
}

std::string schedule_text(const graph::GroupSchedule& schedule) {
  return fmt::format("{}: {}", schedule.strategy->name, to_string(schedule.point));
}

/// "instructions 12.1, waits 3.4": the largest three.
std::string bounds_text(const predict::Prediction& prediction) {
  auto bounds = prediction.bounds;
  std::ranges::stable_sort(bounds, std::ranges::greater{}, [](const auto& bound) { return bound.second; });
  std::string text;
  for (std::size_t i = 0; i < bounds.size() && i < 3; ++i)
    text += fmt::format("{}{} {:.1f}", i > 0 ? ", " : "", bounds[i].first, bounds[i].second);
  if (prediction.spilled_registers > 0)
    text += fmt::format("; {:.0f} registers spill", prediction.spilled_registers);
  return text;
}

std::string explain_choice(const Ranking& ranking) {
  std::string text;
  for (const StrategySpace& space : ranking.spaces) {
    text += fmt::format("{}: {} points", space.strategy, space.points);
    if (space.unfit > 0) text += fmt::format(", {} do not fit", space.unfit);
    if (space.on_points.seen > 0)
      text += fmt::format("; by static estimates {}", counts_text(space.on_points));
    text += fmt::format("; lowered: {}", counts_text(space.on_kernels));
    if (space.refused > 0) text += fmt::format(", {} refused", space.refused);
    text += "\n";
  }
  for (std::size_t i = 0; i < ranking.candidates.size() && i < kShown; ++i) {
    const search::Trial& candidate = ranking.candidates[i];
    text += fmt::format("{:2}. {:9.1f} us  {}{}\n", i + 1, candidate.predicted.us,
                        schedule_text(candidate.schedule),
                        ranking.is_first(candidate) ? "  (default without trials)" : "");
    for (const predict::Prediction& kernel : candidate.predicted.kernels)
      text += fmt::format("      {:.1f} us: {}\n", kernel.us, bounds_text(kernel));
  }
  for (std::size_t i = 0; i < ranking.left_out.size() && i < kExamples; ++i)
    text += fmt::format("left out: {}: {}\n", schedule_text(ranking.left_out[i].schedule),
                        ranking.left_out[i].predicted.refusal);
  return text;
}

}  // namespace

std::string explain(const definitions::DefinitionGraph& graph, const graph::CompileOptions& compile,
                    const HwProfile& profile, const std::string& filter) {
  const graph::Graph compiled = graph::compile_in_full(graph, compile, !filter.empty());
  const std::set<std::size_t> selected = graph::select_groups(graph, compiled, filter, "explain");
  const definitions::TensorFuncs funcs(compiled.definitions);
  std::string text;
  for (const ModelKernel& kernel : model_kernels(compiled, funcs, compile, profile)) {
    const auto place =
        std::ranges::find_if(kernel.task.places, [&](std::size_t p) { return selected.contains(p); });
    if (place == kernel.task.places.end()) continue;
    const definitions::StoredGroup& group = compiled.scheduled[*place].group;
    text +=
        fmt::format("// {} -> {}\n", group.label, compiled.definitions.tensors[group.stored_tensors[0]].name);
    text += explain_choice(rank_candidates(kernel.source, kernel.ranking)) + "\n";
  }
  return text;
}

}  // namespace tensordsl::tune
