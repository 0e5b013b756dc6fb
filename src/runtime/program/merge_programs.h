// Several Programs as one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tensordsl/program.h"

namespace tensordsl::runtime {

struct NamedProgram {
  std::string name;
  std::shared_ptr<const Program> program;
};

/// a: x -> y, b: x -> y   ->   a/x, b/x -> a/y, b/y
/// Merges Programs that run one after the other, in separate memory except for intermediates; equal kernels
/// are kept once, and the entries of the others differ. Params of one name become one.
/// Needs: names that differ; kernels that were compiled, not read from files. Throws Error if a Param has two
/// types, or a Program has counts or host steps.
Program merge_programs(const std::vector<NamedProgram>& programs);

}  // namespace tensordsl::runtime
