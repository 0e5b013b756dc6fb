// The pipelines whose OpenCL text is kept in tests/golden/*.cl: one for each thing that code generation must
// do well.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tensordsl/tensordsl.h"

namespace tensordsl::golden {

struct GoldenKernel {
  std::string name;  // of the file
  Func output;
  std::vector<Input> inputs;
  ParamValues params;
};

std::vector<GoldenKernel> golden_kernels();

}  // namespace tensordsl::golden
