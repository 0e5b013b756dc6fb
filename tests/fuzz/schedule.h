// Random schedules as lists of directives, so that a failing one can be made smaller.
#pragma once

#include <string>
#include <vector>

#include "fuzz/definition.h"
#include "fuzz/directive.h"
#include "fuzz/random.h"

namespace tensordsl::fuzz {

/// Draws a schedule and applies it to `definition` on the way. `directives` receives those that were obeyed,
/// and the last one if it failed.
void draw_schedule(Random& random, Definition& definition, std::vector<Directive>& directives);

/// Every stage's directives, as C++.
std::string print_schedule(const Definition& definition);

}  // namespace tensordsl::fuzz
