#include <cstdio>
#include <exception>

#include "generator/run_generator.h"

int main(int argc, char** argv) {
  try {
    // A generator's parameters are checked when it is made.
    tensordsl::GeneratorEntry entry = tensordsl::make_generator();
    return tensordsl::generator::run(entry, argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: internal error: %s\n", argv[0], error.what());
    return 3;
  }
}
