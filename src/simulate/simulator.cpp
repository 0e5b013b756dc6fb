#include "simulate/simulator.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/values/evaluate.h"
#include "simulate/kernel_simulation.h"

namespace tensordsl {
namespace {

using simulator::BufferContent;
using simulator::KernelSimulation;

/// Memory that starts undefined.
struct Scratch {
  Scratch(Type type, std::int64_t elements)
      : content(type, {elements}), written(static_cast<std::size_t>(elements), 0) {
    std::fill(content.bytes().begin(), content.bytes().end(), std::byte{0xCD});
  }
  Buffer content;
  std::vector<std::uint8_t> written;
};

}  // namespace

void simulate(const lower::LoweredKernel& kernel, std::map<std::string, std::vector<std::byte>>& buffers,
              const ParamValues& scalars) {
  std::map<std::string, BufferContent> contents;
  for (auto& [name, bytes] : buffers) contents[name].bytes = bytes;
  KernelSimulation(kernel, contents, scalars, {}).run();
}

Buffer simulate(const lower::LoweredPipeline& pipeline, const std::map<std::string, Buffer>& inputs,
                const ParamValues& params, SimulationReport* report) {
  return simulate_all(pipeline, inputs, params, report).at(0);
}

std::vector<Buffer> simulate_all(const lower::LoweredPipeline& pipeline,
                                 const std::map<std::string, Buffer>& inputs, const ParamValues& params,
                                 SimulationReport* report, const runtime::Tracing& tracing) {
  std::map<std::string, Buffer> given = inputs;
  std::map<std::string, Scratch> scratch;
  std::map<std::string, BufferContent> contents;
  for (auto& [name, buffer] : given) contents[name].bytes = buffer.bytes();
  const auto add_scratch = [&](const std::string& name, Type type, const Expr& elements) {
    Scratch& added = scratch.try_emplace(name, type, runtime::evaluate(elements, params)).first->second;
    contents[name] = {added.content.bytes(), &added.written};
  };
  for (const lower::Intermediate& i : pipeline.intermediates) add_scratch(i.name, i.stored.type, i.elements);
  for (const lower::LoweredKernel& kernel : pipeline.kernels) {
    for (const lower::BufferArgument& argument : kernel.buffers) {
      const auto input = given.find(argument.name);
      if (input != given.end() && input->second.type() != argument.type) {
        throw SimulationError(fmt::format("kernel {}: buffer {} holds {}, but the kernel needs {}",
                                          kernel.name, argument.name, to_string(input->second.type()),
                                          to_string(argument.type)));
      }
      if (std::ranges::count(pipeline.outputs, argument.name) > 0)
        add_scratch(argument.name, argument.type, argument.elements);
    }
  }
  for (const lower::LoweredKernel& kernel : pipeline.kernels) {
    if (!kernel.body.defined()) continue;  // an output without elements
    KernelSimulation simulation(kernel, contents, params, tracing);
    simulation.run();
    if (report) report->rounds_half = report->rounds_half || simulation.rounds_half();
  }
  std::vector<Buffer> results;
  for (const std::string& name : pipeline.outputs) {
    const auto output = scratch.find(name);
    results.push_back(output == scratch.end() ? Buffer() : output->second.content);
  }
  return results;
}

}  // namespace tensordsl
