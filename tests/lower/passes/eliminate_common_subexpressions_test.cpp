#include "lower/passes/arithmetic/eliminate_common_subexpressions.h"

#include <doctest/doctest.h>

#include "lower/pass_text.h"

namespace tensordsl::lower {
namespace {

ir::Stmt share(const ir::Stmt& stmt) { return eliminate_common_subexpressions(stmt); }

}  // namespace

TEST_CASE("share: both sides of a select compute it, so it is computed before") {
  check_pass(share, "store out[x] = select(x < n, a[x]:f32*2.0 + 1.0, a[x]:f32*2.0 - 1.0)",
             "let s.0 = a[x]:f32*2.0 store out[x] = select(x < n, s.0:f32 + 1.0, s.0:f32 - 1.0)");
}

TEST_CASE(
    "share: what one side of a select loads and computes often is computed before, under its condition") {
  check_pass(share,
             "store out[x] = select(x < n, (a[x + 1]:f32*2.0 + a[x + 2]:f32*3.0)*(a[x + 1]:f32*2.0 + a[x + "
             "2]:f32*3.0), 0.0)",
             "let s.0 = select(x < n, a[x + 1]:f32*2.0 + a[x + 2]:f32*3.0, 0.0) store out[x] = select(x < n, "
             "s.0:f32*s.0:f32, 0.0)");
}

TEST_CASE("share: conditions are those around all uses") {
  check_pass(share,
             "store out[x] = select(x < n && y < m, select(p:bool, (a[x + 1]:f32*2.0 + a[x + 2]:f32*3.0) + "
             "1.0, (a[x + "
             "1]:f32*2.0 + a[x + 2]:f32*3.0) - 1.0), 0.0)",
             "let s.0 = select(x < n && y < m, a[x + 1]:f32*2.0 + a[x + 2]:f32*3.0, 0.0) store out[x] = "
             "select(x < n && y < m, select(p:bool, s.0:f32 + 1.0, s.0:f32 - 1.0), 0.0)");
}

TEST_CASE("share: where different conditions ask for it, one of them must hold") {
  check_pass(share,
             "store out[x] = select(x < n, a[x + 1]:f32*2.0 + a[x + 2]:f32*3.0, 0.0)*select(y < m, a[x + "
             "1]:f32*2.0 + a[x + "
             "2]:f32*3.0, 1.0)",
             "let s.0 = select(y < m || x < n, a[x + 1]:f32*2.0 + a[x + 2]:f32*3.0, 0.0) store out[x] = "
             "select(x < n, s.0:f32, 0.0)*select(y < m, s.0:f32, 1.0)");
}

TEST_CASE("share: a condition made of what it guards is computed before it") {
  check_pass(
      share,
      "store out[x] = select(q:bool || a[x + 1]:f32*2.0 + a[x + 2]:f32*3.0 < 0.0, a[x + 1]:f32*2.0 + a[x + "
      "2]:f32*3.0, 0.0)",
      "let s.0 = q:bool || a[x + 1]:f32*2.0 + a[x + 2]:f32*3.0 < 0.0 let s.1 = select(s.0:bool || !q:bool, "
      "a[x + 1]:f32*2.0 + a[x + 2]:f32*3.0, 0.0) let s.2 = q:bool || s.1:f32 < 0.0 store out[x] = "
      "select(s.2:bool, s.1:f32, 0.0)");
}

TEST_CASE("share: a load, and an index that is loaded, are loaded once") {
  check_pass(share, "store out[x] = a[x]:f32*q:f32 + a[x]:f32",
             "let s.0 = a[x]:f32 store out[x] = s.0:f32*q:f32 + s.0:f32");
  check_pass(share, "store out[x] = a[i[x] + 1]:f32 + b[i[x] + 1]:f32",
             "let s.0 = i[x] + 1 store out[x] = a[s.0]:f32 + b[s.0]:f32");
}

TEST_CASE("share: a register is one already") {
  check_unchanged(share, "alloc r: f32 [1] register { store out[x] = r[0]:f32*q:f32 + r[0]:f32 }");
}

TEST_CASE("share: no name is one that the kernel has") {
  check_pass(share, "let s.0 = 1.0 store out[x] = (a[x]:f32 + s.0:f32)*(a[x]:f32 + s.0:f32)",
             "let s.0 = 1.0 let s.1 = a[x]:f32 + s.0:f32 store out[x] = s.1:f32*s.1:f32");
}

}  // namespace tensordsl::lower
