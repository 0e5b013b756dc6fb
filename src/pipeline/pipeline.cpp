#include "tensordsl/pipeline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "backends/bundled_backends.h"
#include "codegen/backend.h"
#include "ir/text/print.h"
#include "lower/lower.h"
#include "lower/place/number_unnamed.h"
#include "pipeline/build_program.h"
#include "pipeline/check_arguments.h"
#include "pipeline/check_fits.h"
#include "pipeline/describe.h"
#include "pipeline/loop_nest.h"
#include "pipeline/lower_options.h"
#include "pipeline/run_on_host.h"
#include "runtime/values/check_requirements.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

/// If the kernel reads the one and writes the other.
void let_overlap(lower::LoweredKernel& kernel, const std::string& input, const std::string& output) {
  const auto find = [&](const std::string& name, KernelArgument::Access access) {
    // Constant memory is never written, and no image is read and written by one kernel.
    return std::ranges::find_if(kernel.buffers, [&](const lower::BufferArgument& b) {
      return b.name == name && b.access == access && !b.is_constant && !b.image;
    });
  };
  const auto read = find(input, KernelArgument::Access::ReadOnly),
             written = find(output, KernelArgument::Access::WriteOnly);
  if (read == kernel.buffers.end() || written == kernel.buffers.end()) return;
  read->may_overlap = written->may_overlap = true;
}

Program compiled(const std::vector<ir::FunctionPtr>& outputs, const lower::LowerOptions& options,
                 const std::map<std::string, Buffer>& constants, const std::string& overwritten,
                 const Backend& backend, const DeviceInfo* device) {
  lower::LoweredPipeline lowered = lower::lower(outputs, options);
  if (!overwritten.empty()) {
    for (lower::LoweredKernel& kernel : lowered.kernels) let_overlap(kernel, overwritten, outputs[0]->name);
  }
  std::vector<KernelSource> kernels;
  std::set<std::string> entries;
  for (const lower::LoweredKernel& kernel : lowered.kernels) {
    kernels.push_back(backend.emit(kernel, entries, device));
    kernels.back().backend = backend.name();
    entries.insert(kernels.back().entry);
  }
  return build_program(lower::number_unnamed(outputs), lowered, std::move(kernels), constants);
}

}  // namespace

Pipeline::Pipeline(Func output) : Pipeline(std::move(output), bundled_backends()) {}

Pipeline::Pipeline(std::vector<Func> outputs) : Pipeline(std::move(outputs), bundled_backends()) {}

Pipeline::Pipeline(Func output, std::vector<std::shared_ptr<const Backend>> backends)
    : Pipeline(std::vector<Func>{std::move(output)}, std::move(backends)) {}

Pipeline::Pipeline(std::vector<Func> outputs, std::vector<std::shared_ptr<const Backend>> backends)
    : outputs_(std::move(outputs)), backends_(std::move(backends)) {}

std::vector<ir::FunctionPtr> Pipeline::definitions() const {
  std::vector<ir::FunctionPtr> result;
  for (const Func& output : outputs_) result.push_back(output.shared());
  return result;
}

Program Pipeline::compile() const {
  const Backend& backend = choose_backend(backends_, nullptr);
  lower::LowerOptions options = lower_options(nullptr, &backend);
  options.without = without_;
  options.loop_registers = loop_registers_;
  options.gathers_reads = gathers_reads_;
  return compiled(definitions(), options, constants_, overwritten_, backend, nullptr);
}

Program Pipeline::compile(const DeviceInfo& device) const {
  const Backend& backend = choose_backend(backends_, &device);
  lower::LowerOptions options = lower_options(&device, &backend);
  options.without = without_;
  options.loop_registers = loop_registers_;
  options.gathers_reads = gathers_reads_;
  Program result = compiled(definitions(), options, constants_, overwritten_, backend, &device);
  for (const KernelSource& kernel : result.kernels) check_fits(kernel, device);
  return result;
}

std::string Pipeline::emit(const std::string& stage) const { return emit_for(stage, nullptr); }

std::string Pipeline::emit(const std::string& stage, const DeviceInfo& device) const {
  return emit_for(stage, &device);
}

std::string Pipeline::emit_for(const std::string& stage, const DeviceInfo* device) const {
  if (stage == "funcs") return describe_definitions(lower::number_unnamed(definitions()));
  if (stage == "cl") {
    std::string text;
    const Program program = device ? compile(*device) : compile();
    for (const KernelSource& kernel : program.kernels) text += kernel.text + "\n";
    return text;
  }
  if (stage == "nest" || stage == "loops" || stage == "ir") {
    std::string text;
    lower::LowerOptions options =
        lower_options(device, device ? &choose_backend(backends_, device) : nullptr);
    options.without = without_;
    options.loop_registers = loop_registers_;
    options.gathers_reads = gathers_reads_;
    if (stage != "ir") {
      options.observer = [&](const lower::StepResult& result) {
        if (result.step.gives != lower::Stage::Loops) return;
        text += stage == "nest" ? draw_loop_nest(result.name, result.stmt)
                                : fmt::format("// {}\n{}\n", result.name, ir::print(result.stmt));
      };
    }
    const lower::LoweredPipeline lowered = lower::lower(definitions(), options);
    if (stage == "ir") {
      for (const lower::LoweredKernel& kernel : lowered.kernels) text += describe_kernel(kernel) + "\n";
    }
    return text;
  }
  throw Error(fmt::format("emit: unknown stage \"{}\"; the stages are funcs, nest, loops, ir and cl", stage));
}

std::string Pipeline::print_loop_nest() const { return emit("nest"); }

Pipeline& Pipeline::disable_pass(const std::string& pass) {
  without_.insert(pass);
  return *this;
}

Pipeline& Pipeline::keep_loops(int registers, bool gathers_reads) {
  loop_registers_ = registers;
  gathers_reads_ = gathers_reads;
  return *this;
}

Pipeline& Pipeline::allow_overwriting(const std::string& input) {
  overwritten_ = input;
  return *this;
}

Pipeline& Pipeline::set_constant(const std::string& input, const Buffer& value) {
  check_constant(definitions(), input, value);
  constants_.insert_or_assign(input, value);
  return *this;
}

std::map<std::string, Buffer> Pipeline::all_inputs(const std::map<std::string, Buffer>& inputs) const {
  std::map<std::string, Buffer> all = inputs;
  for (const auto& [name, value] : constants_) {
    if (all.emplace(name, value).second) continue;
    throw Error(fmt::format("realize: the Input \"{}\" is a constant of the pipeline; do not pass it", name));
  }
  return all;
}

OutputShapes Pipeline::shapes_of(const std::vector<std::int64_t>& shape) const {
  if (outputs_.size() == 1) return {{outputs_[0].name(), shape}};
  if (shape.empty()) return {};
  throw Error(fmt::format("prepare: found one shape for {} outputs; use prepare_all", outputs_.size()));
}

std::unique_ptr<Runner> Pipeline::prepare(Device& device, const ParamValues& params,
                                          const std::vector<std::int64_t>& shape) const {
  return prepare_all(device, params, shapes_of(shape));
}

std::unique_ptr<Runner> Pipeline::prepare_all(Device& device, const ParamValues& params,
                                              const OutputShapes& shapes) const {
  const ParamValues values = values_of(params, shapes);
  return std::make_unique<Runner>(std::make_shared<const Program>(compile(device.info())), device, values);
}

ParamValues Pipeline::values_of(const ParamValues& params, const OutputShapes& shapes) const {
  const std::vector<ir::FunctionPtr> written = definitions();
  check_outputs(written, shapes);
  check_params(written, params);
  const std::vector<ir::FunctionPtr> numbered = lower::number_unnamed(written);
  ParamValues values = params;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const auto given = shapes.find(written[i]->name);
    const std::vector<std::int64_t> shape =
        given == shapes.end() ? std::vector<std::int64_t>() : given->second;
    check_shape(written[i], params, shape);
    const bool is_symbolic = outputs_[i].contents().schedule.bounds.empty();
    for (std::size_t d = 0; is_symbolic && d < shape.size(); ++d) {
      runtime::require_extent(written[i]->name, static_cast<int>(d), shape[d]);
      values[fmt::format("{}_extent_{}", numbered[i]->name, d)] = shape[d];
    }
  }
  return values;
}

std::unique_ptr<Runner> Pipeline::run_once(const std::map<std::string, Buffer>& inputs, Device& device,
                                           const ParamValues& params, const OutputShapes& shapes) const {
  check_outputs(definitions(), shapes);
  check_inputs(definitions(), all_inputs(inputs));
  auto runner = prepare_all(device, params, shapes);
  for (const Program::Value& input : runner->program().inputs) {
    const auto it = inputs.find(input.name);
    if (it == inputs.end()) {
      throw Error(
          fmt::format("realize: no data for the Input \"{}\"; pass a Buffer with this name", input.name));
    }
    runner->write(input.name, it->second);
  }
  runner->run();
  return runner;
}

Buffer Pipeline::realize(const std::map<std::string, Buffer>& inputs, Device& device,
                         const ParamValues& params, const std::vector<std::int64_t>& shape) const {
  std::vector<std::string> names;
  for (const ir::FunctionPtr& output : definitions())
    for (const std::string& name : output->buffers()) names.push_back(name);
  if (names.size() > 1) {
    throw Error(
        fmt::format("realize: it returns one Buffer, but the pipeline has {} outputs, {}; use realize_all",
                    names.size(), fmt::join(names, ", ")));
  }
  return run_once(inputs, device, params, shapes_of(shape))->read();
}

std::vector<Buffer> Pipeline::realize_all(const std::map<std::string, Buffer>& inputs, Device& device,
                                          const ParamValues& params, const OutputShapes& shapes) const {
  return run_once(inputs, device, params, shapes)->read_all();
}

std::vector<Buffer> Pipeline::interpret(const std::map<std::string, Buffer>& inputs,
                                        const ParamValues& params, const OutputShapes& shapes,
                                        const Trace& trace) const {
  const ParamValues values = values_of(params, shapes);
  const auto all = all_inputs(inputs);
  check_inputs(definitions(), all);
  return interpret_on_host(lower::number_unnamed(definitions()), all, values, trace);
}

std::vector<Buffer> Pipeline::simulate(const std::map<std::string, Buffer>& inputs, const ParamValues& params,
                                       const OutputShapes& shapes, const Trace& trace) const {
  const ParamValues values = values_of(params, shapes);
  const auto all = all_inputs(inputs);
  check_inputs(definitions(), all);
  const Program program = compile();
  for (const Program::Param& param : program.params) {
    if (values.contains(param.name)) continue;
    throw Error(fmt::format("simulate: no value for the Param \"{}\"; pass one with this name", param.name));
  }
  runtime::check_requirements(program, values);
  return simulate_on_host(lower::number_unnamed(definitions()), all, values, trace);
}

std::vector<Buffer> Pipeline::value_at(const std::string& func, const std::vector<std::int64_t>& index,
                                       const std::map<std::string, Buffer>& inputs,
                                       const ParamValues& params) const {
  const auto functions = ir::reachable(definitions());
  const auto at = std::ranges::find(functions, func, &ir::Function::name);
  if (at == functions.end()) {
    std::vector<std::string> names;
    for (const auto& f : functions) names.push_back(f->name);
    throw ScheduleError(
        fmt::format("value_at(\"{}\"): the pipeline has no tensor of this name; the tensors are {}", func,
                    fmt::join(names, ", ")));
  }
  const auto all = all_inputs(inputs);
  check_inputs(definitions(), all);
  check_params(definitions(), params);
  check_index("value_at", **at, index, all);
  std::string name = "value_at";
  while (std::ranges::count(functions, name, &ir::Function::name) > 0) name += "_";
  Func element(name);
  element() = Tuple(producer(outputs_, func)(std::vector<Expr>(index.begin(), index.end())));
  return interpret_on_host(lower::number_unnamed({element.shared()}), all, params, nullptr);
}

void Pipeline::write_cl(const std::string& folder) const { write_program(compile(), folder); }

}  // namespace tensordsl
