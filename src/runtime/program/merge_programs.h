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
/// They run one after the other, in memory of their own but for intermediates; kernels that are equal are
/// there once, and the entries of the others differ. A Param is one, whoever has it.
/// Needs: names that differ; kernels that were compiled, not read from files. Throws Error if a Param has two
/// types, or a Program has counts or host steps.
Program merge_programs(const std::vector<NamedProgram>& programs);

}  // namespace tensordsl::runtime
