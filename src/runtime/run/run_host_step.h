// A step of a Program that no kernel does.
#pragma once

#include "runtime/memory/program_memory.h"
#include "runtime/values/run_values.h"
#include "tensordsl/program.h"

namespace tensordsl::runtime {

/// Interprets the step's definitions: reads its tensors from the device, and writes those that it computes.
void run_host_step(const Program::HostStep& step, const RunValues& values, ProgramMemory& memory);

}  // namespace tensordsl::runtime
