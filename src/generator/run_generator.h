// The main function of a generator's executable.
#pragma once

#include "tensordsl/generator.h"

namespace tensordsl::generator {

/// Reads the arguments, generates, and writes the files. Returns the exit code: 0 ok, 2 a user's error, 3 an
/// internal one; messages go to stderr.
int run(GeneratorEntry& entry, int argc, const char* const* argv);

}  // namespace tensordsl::generator
