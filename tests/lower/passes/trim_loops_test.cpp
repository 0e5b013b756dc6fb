// trim_loops.
#include <doctest/doctest.h>

#include "lower/pass_text.h"
#include "lower/passes/loops/trim_loops.h"

namespace tensordsl::lower {
namespace {

ir::Stmt trim(const ir::Stmt& stmt) { return trim_loops(stmt, {{"y", {0, 7}}, {"n", {0, 100}}}); }

}  // namespace

TEST_CASE("trim_loops: a loop behind a test of its variable runs where the test holds") {
  check_pass(trim, "for r in [0, 9) { if (r <= y) { store f[y] = f[y] + a[r] } }",
             "for r in [0, y + 1) { store f[y] = f[y] + a[r] }");
  check_pass(trim, "for r in [0, 9) { if (y < r) { store f[y] = f[y] + a[r] } }",
             "for r in [y + 1, y + 1 + (8 - y)) { store f[y] = f[y] + a[r] }");
  check_pass(trim, "for r in [2, 2 + 5) { if (n <= r && r < y + 3) { store f[r] = 1 } }",
             "for r in [max(n, 2), max(n, 2) + (min(y + 3, 7) - max(n, 2))) { store f[r] = 1 }");
}

TEST_CASE("trim_loops: what is left of the test stays") {
  check_pass(trim, "for r in [0, 9) { if (r <= y && a[r] < 3) { store f[r] = 1 } }",
             "for r in [0, y + 1) { if (a[r] < 3) { store f[r] = 1 } }");
  check_unchanged(trim, "for r in [0, 9) { if (r%2 == 0) { store f[r] = 1 } }");
  check_unchanged(trim, "for r in [0, 9) { if (r <= y) { store f[r] = 1 } else { store f[r] = 2 } }");
  check_unchanged(trim, "for r in [0, 9) { if (r*2 <= y) { store f[r] = 1 } }");
  check_unchanged(trim, "for r in [0, 4) unrolled { if (r <= y) { store f[r] = 1 } }");
}

TEST_CASE("trim_loops: an end that is read is read once, clamped, and only where the loop runs") {
  check_pass(trim, "for r in [0, 9) { if (r < count[y]) { store f[y] = f[y] + a[r] } }", R"(
    let r.end.0 = min(max(count[y], 0 - 1), 0 + 9)
    for r in [0, min(r.end.0, 9)) { store f[y] = f[y] + a[r] })");
  check_pass(trim, "for r in [0, n) { if (count[y] <= r) { store f[y] = f[y] + a[r] } }", R"(
    if (0 < n) {
      let r.first.0 = min(max(count[y], 0 - 1), 0 + n)
      for r in [max(r.first.0, 0), max(r.first.0, 0) + (n - max(r.first.0, 0))) { store f[y] = f[y] + a[r] }
    })");
}

TEST_CASE("trim_loops: both ends may be read, the second where the first leaves something") {
  check_pass(trim, "for r in [0, 9) { if (low[y] <= r && r < high[y]) { store f[y] = f[y] + a[r] } }", R"(
    let r.first.0 = min(max(low[y], 0 - 1), 0 + 9)
    if (max(r.first.0, 0) < 9) {
      let r.end.0 = min(max(high[y], 0 - 1), 0 + 9)
      for r in [max(r.first.0, 0), max(r.first.0, 0) + (min(r.end.0, 9) - max(r.first.0, 0))) {
        store f[y] = f[y] + a[r]
      }
    })");
}

TEST_CASE("trim_loops: a loop behind several tests runs where any of them holds") {
  check_pass(trim, R"(
    for r in [0, 64) {
      if (r <= y) { store f[y] = f[y] + a[r] }
      if (r <= y + 1) { store f[y + 1] = f[y + 1] + a[r] }
    })",
             R"(
    for r in [0, y + 2) {
      if (r <= y) { store f[y] = f[y] + a[r] }
      if (r <= y + 1) { store f[y + 1] = f[y + 1] + a[r] }
    })");
  check_unchanged(trim, "for r in [0, 9) { if (r <= y) { store f[r] = 1 } store f[r] = 2 }");
  check_unchanged(trim,
                  "for r in [0, 9) { if (r <= y) { store f[r] = 1 } if (a[r] < 3) { store f[r] = 2 } }");
}

TEST_CASE("trim_loops: what the loop changes, or reads behind another test, is read in each iteration") {
  check_unchanged(trim, "for r in [0, 9) { if (r < f[y]) { store f[y] = f[y] + a[r] } }");
  check_unchanged(trim, "for r in [0, 9) { if (a[r] < 3 && r < count[y]) { store f[y] = 1 } }");
}

}  // namespace tensordsl::lower
