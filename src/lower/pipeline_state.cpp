#include "lower/pipeline_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "schedule/func_schedule.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// Returns the Params of definitions, shapes, bounds and conditions, and the extents "f_extent_0" that an
/// output without bound() has.
std::set<std::string> parameters_of(const std::vector<FunctionPtr>& functions) {
  std::set<std::string> names;
  const auto collect = [&](const Expr& expr) {
    visit(expr, [&](const Expr& e) {
      if (e->kind == ExprKind::Var) names.insert(e->name);
      return true;
    });
  };
  for (const auto& [name, type] : params_of(functions)) names.insert(name);
  for (const FunctionPtr& f : functions) {
    for (const Expr& e : schedule::scheduled(*f).schedule.bounds) collect(e);
    for (const schedule::StageSchedule& stage : schedule::scheduled(*f).stages) {
      for (const schedule::Specialization& s : stage.specializations) collect(s.condition);
    }
    for (int d = 0; d < f->rank(); ++d) names.insert(fmt::format("{}_extent_{}", f->name, d));
  }
  return names;
}

/// True if a step of an update reads elements that the step before it wrote.
bool has_steps(const Function& f) {
  return std::ranges::any_of(f.definitions, [&](const Definition& definition) {
    return !schedule::traits_of(f, definition).step_axis.empty();
  });
}

}  // namespace

PipelineState state_of(const std::vector<FunctionPtr>& outputs) {
  PipelineState state{outputs, reachable(outputs), {}, {}, {}, {}};
  state.parameters = parameters_of(state.functions);
  for (const FunctionPtr& f : state.functions) {
    if (f->is_input()) state.inputs.insert(f->name);
    const std::vector<std::string> buffers = f->buffers();
    if (has_steps(*f)) state.exchanged.insert(buffers.begin(), buffers.end());
    if (schedule::scheduled(*f).schedule.double_buffer)
      state.double_buffered.insert(buffers.begin(), buffers.end());
  }
  return state;
}

std::set<std::string> whole_inputs(const PipelineState& pipeline) {
  std::set<std::string> whole;
  for (const std::string& input : pipeline.inputs) {
    const auto& terms = pipeline.tensors.stored.at(input).layout.terms();
    const bool is_part = std::ranges::any_of(
        terms, [](const Layout::Term& t) { return t.lead > 0 || t.gap > 0 || !t.lead_param.empty(); });
    if (!is_part) whole.insert(input);
  }
  return whole;
}

}  // namespace tensordsl::lower
