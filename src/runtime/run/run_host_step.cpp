#include "runtime/run/run_host_step.h"

#include <algorithm>

#include "runtime/host/interpreter.h"

namespace tensordsl::runtime {

void run_host_step(const Program::HostStep& step, const RunValues& values, ProgramMemory& memory) {
  InterpretArguments arguments;
  arguments.params = values.known();
  for (const Program::HostStep::Operand& read : step.reads)
    arguments.inputs.emplace(read.name, memory.read_as(read.tensor, read.stored));
  std::vector<ir::FunctionPtr> functions;
  std::vector<RunShape> shapes;
  for (const Program::HostStep::Operand& write : step.writes) {
    functions.push_back(*std::ranges::find_if(
        step.definitions, [&](const ir::FunctionPtr& function) { return function->name == write.name; }));
    memory.require_room(write.tensor, write.stored);
    shapes.push_back(values.shape(write.name, write.stored.extents));
  }
  const std::vector<Buffer> results = interpret(functions, shapes, arguments);
  for (std::size_t i = 0; i < results.size(); ++i)
    memory.write_as(step.writes[i].tensor, step.writes[i].stored, results[i]);
}

}  // namespace tensordsl::runtime
