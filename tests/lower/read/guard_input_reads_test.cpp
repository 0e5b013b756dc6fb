#include <doctest/doctest.h>

#include "lower/read/guard_input_reads.h"

#include "lower/pass_text.h"

namespace tensordsl::lower {
namespace {

/// Runs the pass with the Input in: i32 [8].
ir::Stmt guarded(const ir::Stmt& stmt) {
  const Input in("in", Int(32), {8});
  return guard_input_reads({{{"f", {}, stmt}}, {}, {}}, {in.shared()}).nests[0].body;
}

}  // namespace

TEST_CASE("guard_input_reads: every read of an Input that may be read outside") {
  check_pass(guarded, "for x in [0, 12) { store f[x] = in[x - 2] + in[x%8] }",
             "for x in [0, 12) { store f[x] = select(0 <= x - 2 && x - 2 < 8, in[x - 2], 0) + select(0 <= "
             "x%8 && x%8 < 8, in[x%8], 0) }");
  check_pass(guarded, "for x in [0, 8) { store f[x] = in[g[x]] }",
             "for x in [0, 8) { store f[x] = select(0 <= g[x] && g[x] < 8, in[g[x]], 0) }");
}

TEST_CASE("guard_input_reads: nothing where reads are inside") {
  check_unchanged(guarded, "for x in [0, 8) { store f[x] = in[7 - x] + g[x + 100] }");
  check_unchanged(guarded, "for x in [0, 12) { if (x < 8) { store f[x] = in[x] } }");
  check_unchanged(guarded, "for x in [0, n) { store f[x] = in[x] }");
}

}  // namespace tensordsl::lower
