// Finds the constant number of vectors at the end of an index:
// x + (a + 8), vectors of 4, a not negative   ->   the vector x + a, and 2 vectors after it
#pragma once

#include <cstdint>

#include "ir/nodes/stmt.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::opencl {

/// Bounds of the variables that were printed so far. Needs: values and loops noted in the order of the text.
class IndexBounds {
 public:
  IndexBounds();

  void note_value(const ir::StmtNode& let);
  void note_loop(const ir::StmtNode& loop);

  /// Returns n > 0 where `index` is base + n * lanes and the base is an element of the buffer too; else 0.
  /// Compilers compute a pointer to the base once for all accesses with that base, where a sum of 32 bits
  /// would be widened to a pointer for each access: an Adreno 640 and a Mali-G76 take four integer
  /// instructions for an access in place of ten (tensordsl-bench isa, Mesa 25.0).
  std::int64_t vectors_after_base(const Expr& index, int lanes) const;

 private:
  /// Adds the range to those that the name had before: scopes may give one name several values.
  void add(const std::string& name, ir::Interval range);

  ir::Bounds bounds_;
};

}  // namespace tensordsl::opencl
