// A Program as JSON whose files have names of the caller's choice.
#pragma once

#include <string>

#include "tensordsl/program.h"

namespace tensordsl::runtime {

struct ProgramFiles {
  std::string kernels;  ///< one file with all of them; empty: a file for each
  std::string constants = "constants.bin";
};

/// Returns the text of to_json(program), with these files.
std::string program_text(const Program& program, const ProgramFiles& files);

}  // namespace tensordsl::runtime
