// Writes the output of a generator: NAME.cl, NAME.json and the others that were asked for.
#pragma once

#include <set>
#include <string>

#include "tensordsl/generator.h"

namespace tensordsl::generator {

/// The names of -e, in the order in which --help lists them, and the ending of the file that each is.
struct OutputKind {
  std::string name, ending, help;
};
const std::vector<OutputKind>& output_kinds();

struct Outputs {
  std::string folder, name;
  std::string origin;           ///< one line: which generator, target and parameters
  std::set<std::string> kinds;  ///< names of output_kinds()
};

/// Compiles the pipeline and writes the files; returns their paths. Nothing is written unless all could be.
/// Throws Error, and what compile() throws.
std::vector<std::string> write_outputs(const Pipeline& pipeline, const GeneratorTarget& target,
                                       const Outputs& outputs);

}  // namespace tensordsl::generator
