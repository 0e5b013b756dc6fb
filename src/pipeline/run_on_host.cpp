#include "pipeline/run_on_host.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "lower/lower.h"
#include "runtime/host/interpreter.h"
#include "runtime/values/check_requirements.h"
#include "runtime/values/evaluate.h"
#include "schedule/func_schedule.h"
#include "simulate/simulator.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

runtime::Tracing tracing_of(const std::vector<ir::FunctionPtr>& outputs, const Trace& trace) {
  runtime::Tracing tracing;
  tracing.tell = trace;
  for (const ir::FunctionPtr& f : ir::reachable(outputs)) {
    const schedule::FuncSchedule& directives = schedule::scheduled(*f).schedule;
    if (directives.trace_loads) tracing.loads.insert(f->name);
    if (directives.trace_stores) tracing.stores.insert(f->name);
  }
  return tracing;
}

std::vector<std::int64_t> shape_of(const ir::Function& output, const ParamValues& params) {
  const auto& bounds = schedule::scheduled(output).schedule.bounds;
  std::vector<std::int64_t> shape;
  for (int d = 0; d < output.rank(); ++d) {
    shape.push_back(bounds.empty() ? runtime::evaluate(
                                         SizeExpr::param(fmt::format("{}_extent_{}", output.name, d)), params)
                                   : runtime::evaluate(bounds[static_cast<std::size_t>(d)], params));
    runtime::require_extent(output.name, d, shape.back());
  }
  return shape;
}

Buffer in_memory_order(const Buffer& row_major, const Layout& layout) {
  const auto bytes = row_major.bytes();
  const auto packed = pack(bytes, row_major.type().bytes(), layout, row_major.shape());
  Buffer result(row_major.type(), {layout.stored_elements(row_major.shape())});
  std::copy(packed.begin(), packed.end(), result.bytes().begin());
  return result;
}

Buffer in_row_major_order(const Buffer& stored, const Layout& layout,
                          const std::vector<std::int64_t>& shape) {
  const auto bytes = stored.bytes();
  const auto elements = unpack(bytes, stored.type().bytes(), layout, shape);
  Buffer result(stored.type(), shape);
  std::copy(elements.begin(), elements.end(), result.bytes().begin());
  return result;
}

Buffer stored_input(const ir::Function& input, const std::map<std::string, Buffer>& inputs,
                    const ParamValues& params) {
  const auto given = inputs.find(input.name);
  if (given == inputs.end()) {
    throw Error(
        fmt::format("simulate: no data for the Input \"{}\"; pass a Buffer with this name", input.name));
  }
  std::vector<std::int64_t> shape;
  for (const Expr& extent : input.shape) shape.push_back(runtime::evaluate(extent, params));
  const Buffer& data = given->second;
  if (data.type() != input.type() || data.shape() != shape) {
    throw ShapeError(fmt::format("simulate: the Input \"{}\" is {} [{}], but the Buffer is {} [{}]",
                                 input.name, to_string(input.type()), fmt::join(shape, ", "),
                                 to_string(data.type()), fmt::join(data.shape(), ", ")));
  }
  return in_memory_order(data, schedule::scheduled(input).layout_or_default());
}

}  // namespace

std::vector<Buffer> interpret_on_host(const std::vector<ir::FunctionPtr>& outputs,
                                      const std::map<std::string, Buffer>& inputs, const ParamValues& params,
                                      const Trace& trace) {
  std::vector<std::vector<std::int64_t>> shapes;
  for (const ir::FunctionPtr& output : outputs) shapes.push_back(shape_of(*output, params));
  return runtime::interpret(outputs, shapes, {inputs, params, tracing_of(outputs, trace)});
}

std::vector<Buffer> simulate_on_host(const std::vector<ir::FunctionPtr>& outputs,
                                     const std::map<std::string, Buffer>& inputs, const ParamValues& params,
                                     const Trace& trace) {
  const lower::LoweredPipeline lowered = lower::lower(outputs);
  std::map<std::string, Buffer> stored;
  for (const ir::FunctionPtr& f : ir::reachable(outputs)) {
    if (f->is_input()) stored.emplace(f->name, stored_input(*f, inputs, params));
  }
  std::vector<Buffer> results, row_major;
  try {
    results = simulate_all(lowered, stored, params, nullptr, tracing_of(outputs, trace));
  } catch (const SimulationError& e) {
    throw Error(fmt::format("simulate: {}", e.what()));
  }
  for (const ir::FunctionPtr& output : outputs) {
    const Layout layout = schedule::scheduled(*output).layout_or_default();
    const auto shape = shape_of(*output, params);
    for (const Type type : output->types) {
      const Buffer& result = results[row_major.size()];
      row_major.push_back(std::ranges::count(shape, 0) > 0 ? Buffer(type, shape)
                                                           : in_row_major_order(result, layout, shape));
    }
  }
  return row_major;
}

}  // namespace tensordsl
