// Settings of the property test from the environment; docs/HACKING.md lists the variables.
#pragma once

#include <functional>
#include <optional>

#include "fuzz/definition.h"

namespace tensordsl::fuzz {

struct Settings {
  int cases = 2000;              // TENSORDSL_FUZZ_CASES
  int first = 0;                 // TENSORDSL_FUZZ_FIRST, the seed of the first case
  std::optional<int> seed;       // TENSORDSL_FUZZ_SEED, the only case, on devices too
  int extent = kUsualExtent;     // TENSORDSL_FUZZ_EXTENT, the largest that is drawn
  int device_cases = 220;        // TENSORDSL_FUZZ_DEVICE_CASES
  int host_cases = 300;          // TENSORDSL_FUZZ_HOST_CASES
  int kernels_of_program = 300;  // TENSORDSL_FUZZ_BATCH
  bool prints_refusals = false;  // TENSORDSL_FUZZ_REFUSALS

  /// The cases that ctest runs: how often they have which feature is known.
  bool are_usual_cases() const { return cases == 2000 && first == 0 && extent == kUsualExtent; }
};

/// `value_of` is std::getenv. Throws Error that names the variable, its value, and the values it can have.
Settings read_settings(const std::function<const char*(const char* name)>& value_of);

}  // namespace tensordsl::fuzz
