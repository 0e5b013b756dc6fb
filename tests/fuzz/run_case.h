// One case of the property: a drawn definition under a drawn schedule agrees with the interpreter, or is
// refused.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fuzz/definition.h"
#include "fuzz/schedule.h"
#include "lower/lowered.h"

namespace tensordsl::fuzz {

/// The inputs that determine a case completely.
struct Case {
  std::uint64_t seed = 0;
  Simplification simplification;
  std::optional<std::vector<Directive>> directives;  // drawn from the seed if absent
};

enum class Outcome { Accepted, Refused, Failed };

struct Result {
  Outcome outcome = Outcome::Failed;
  std::string message;  // why it was refused or failed
  Definition definition;
  std::vector<Directive> directives;
  std::set<std::string> features;  // of an accepted case
  lower::LoweredPipeline lowered;  // of an accepted case
  std::vector<Buffer> expected;    // of an accepted case, row-major: each buffer of the outputs
};

/// Lowers, simulates and compares.
Result run_case(const Case& c);

/// Reduces a failing case: drops directives and shrinks extents as far as it still fails.
Case minimized(const Case& failing);

/// Everything needed to understand and replay a case.
std::string describe(const Case& c, const Result& result);

/// Row-major -> the order in memory, and the first difference after the way back; empty if none. Floats may
/// be off by the buffer's tolerance; if it is 0 their bits are compared.
Buffer in_memory_order(const Buffer& row_major, const Func& f);
std::string difference(const Definition& definition, const std::vector<Buffer>& stored,
                       const std::vector<Buffer>& expected, const std::vector<double>& tolerances);

}  // namespace tensordsl::fuzz
