// Counts, with Oclgrind, the integer operations that common address-calculation elimination saves.
#pragma once

#include <set>
#include <string>

#include "apps/bench/benchmark.h"

namespace tensordsl::bench {

/// Measures the inner loop of Listing 5 of the Romou paper (MobiCom 2022): the ratio of address operations
/// per iteration without hoist_addresses to those with it. Oclgrind counts them, with its compiler's
/// optimizations off. Throws Error if Oclgrind is not installed.
Result address_elimination(const Context& context);

/// The table of docs/PERFORMANCE.md, as Markdown.
std::string address_table();

/// Runs a texture kernel once on the default device and compares it with the interpreter. Oclgrind is started
/// on this.
void run_texture_kernel(const std::string& name, int steps, const std::set<std::string>& without);

}  // namespace tensordsl::bench
