#include "apps/bench/isa/model_program.h"

#include <map>

#include "apps/bench/model_graph.h"
#include "model/options_of_target.h"
#include "tune/model_variant.h"
#include "tune/rank/evaluate_schedule.h"

namespace tensordsl::bench {

PredictedProgram predicted_program(const std::string& path, const CompileTarget& target) {
  const definitions::DefinitionGraph graph = graph_of_model(path);
  const graph::CompileOptions options = options_of(target);
  if (!target.disabled_passes.empty()) {
    Program program = graph::compile_graph(graph, options);
    const std::size_t kernels = program.kernels.size();
    return {std::move(program), std::vector<double>(kernels, 0)};
  }
  const HwProfile profile = profile_of(target);
  const tune::ModelVariant model(graph, options, profile);
  std::map<std::string, double> us_of_text;
  for (const tune::ModelKernel& kernel : model.kernels()) {
    const auto scheduled = [&](const graph::GroupSchedule& schedule) {
      return kernel.source.scheduled(schedule);
    };
    const search::Evaluation evaluation =
        tune::evaluate_schedule(scheduled, kernel.compiled, kernel.ranking, predict::figures_of(profile));
    const Program& lowered = *model.compiled().lowered[kernel.task.places.front()].program;
    if (evaluation.kernels.size() != lowered.launches.size()) continue;
    for (std::size_t i = 0; i < lowered.launches.size(); ++i)
      us_of_text[lowered.kernels[lowered.launches[i].kernel].text] = evaluation.kernels[i].us;
  }
  PredictedProgram result{model.compiled().program, {}};
  result.us.resize(result.program.kernels.size(), 0);
  for (const Program::Launch& launch : result.program.launches) {
    const auto us = us_of_text.find(result.program.kernels[launch.kernel].text);
    if (us != us_of_text.end()) result.us[launch.kernel] += us->second;
  }
  return result;
}

}  // namespace tensordsl::bench
