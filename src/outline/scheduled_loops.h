// The loops of a stage as numbers, from its directives.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "predict/kernel_outline.h"
#include "schedule/func_schedule.h"

namespace tensordsl::outline {

/// A dimension or a reduction axis before splits and fuses: one loop, or several where its elements come in
/// runs with gaps between them. The outermost first.
using RootAxis = std::vector<predict::NestLoop>;

/// A loop with the name of its axis; a fused axis has several, the outermost first.
struct NamedLoop {
  std::string axis;
  predict::NestLoop loop;
};

/// Returns the loops of a stage, the outermost first. `roots`: its dimensions and reduction axes, by name.
/// The last iteration of a split may reach past the end.
std::vector<NamedLoop> scheduled_loops(const schedule::StageSchedule& stage,
                                       const std::map<std::string, RootAxis>& roots);

/// Returns the lanes of a stage's vectors.
double lanes_of(const std::vector<NamedLoop>& loops);

/// Returns the copies in the text, each with a test, that unrolled loops make.
double tested_copies(const std::vector<NamedLoop>& loops);

}  // namespace tensordsl::outline
