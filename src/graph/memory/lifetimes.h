// a = f(x); b = g(a); y = h(b)   ->   a: [1, 3], b: [3, 5]
// Needs: a Program.  Gives: at which of its steps each intermediate is needed, and how large it is.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tensordsl/program.h"

namespace tensordsl::graph {

/// Memory that is needed from step `first` to step `last`, both included. A Program's launch i is step 2 * i
/// + 1. Work of the host before it, a host step or reading a data-dependent size, is step 2 * i.
struct Lifetime {
  std::int64_t bytes = 0;
  int first = 0;
  int last = 0;
  friend bool operator==(const Lifetime&, const Lifetime&) = default;
};

/// Returns the lifetimes by tensor. None for a tensor that is not an Intermediate, is used by no step,
/// is swapped with another (Program::Loop), or has an open size. Takes time linear in the size of the
/// Program.
std::vector<std::optional<Lifetime>> find_lifetimes(const Program& program);

}  // namespace tensordsl::graph
