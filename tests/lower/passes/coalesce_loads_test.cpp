#include "lower/passes/memory/coalesce_loads.h"

#include <doctest/doctest.h>

#include "lower/pass_text.h"

namespace tensordsl::lower {
namespace {

ir::Stmt share(const ir::Stmt& stmt) { return coalesce_loads(stmt); }

}  // namespace

TEST_CASE("common loads: what two statements read is read before the first of them") {
  check_pass(share, "{ store p[x] = a[x]:f32 store q[x] = a[x]:f32*2.0 store r[x] = 1.0 }",
             "let t.0 = a[x]:f32 { store p[x] = t.0:f32 store q[x] = t.0:f32*2.0 store r[x] = 1.0 }");
  check_unchanged(share, "{ store p[x] = a[x]:f32 store q[x] = a[x + 7]:f32 }");
}

TEST_CASE("common loads: what is stored to in between is read again") {
  check_unchanged(share, "{ store p[x] = a[x]:f32 store a[y] = 1.0 store q[x] = a[x]:f32 }");
  check_unchanged(share,
                  "{ store p[x] = a[x]:f32 for i in [0, n) { store a[i] = 1.0 } store q[x] = a[x]:f32 }");
  check_pass(
      share,
      "{ store p[x] = a[x]:f32 store a[x] = a[x]:f32*2.0 store q[x] = a[x]:f32 store r[x] = a[x]:f32 }",
      "let t.0 = a[x]:f32 { store p[x] = t.0:f32 store a[x] = t.0:f32*2.0 let t.1 = a[x]:f32 { store q[x] = "
      "t.1:f32 store r[x] = t.1:f32 } }");
}

TEST_CASE("common loads: behind a barrier others may have stored to it, unless nobody stores to it") {
  const std::string before = "{ store p[x] = a[x]:f32 barrier local store q[x] = a[x]:f32 }";
  check_unchanged(share, "{ " + before + " store a[x] = 1.0 }");
  check_pass(share, before, "let t.0 = a[x]:f32 { store p[x] = t.0:f32 barrier local store q[x] = t.0:f32 }");
}

TEST_CASE("common loads: a value of a local tile is read once, one of a work-item's own array stays") {
  check_pass(
      share, "alloc s: f32 [8] local { store s[x] = 1.0 { store p[x] = s[y]:f32 store q[x] = s[y]:f32 } }",
      "alloc s: f32 [8] local { store s[x] = 1.0 let t.0 = s[y]:f32 { store p[x] = t.0:f32 store q[x] = "
      "t.0:f32 } }");
  check_unchanged(
      share, "alloc s: f32 [8] private { store s[x] = 1.0 store p[x] = s[y]:f32 store q[x] = s[y]:f32 }");
}

TEST_CASE("common loads: a select that loads on one side is read as a whole") {
  check_pass(
      share,
      "{ store p[x] = select(x < n, a[x + 1]:f32, 0.0)*2.0 store q[x] = select(x < n, a[x + 1]:f32, 0.0) }",
      "let t.0 = select(x < n, a[x + 1]:f32, 0.0) { store p[x] = t.0:f32*2.0 store q[x] = t.0:f32 }");
  check_unchanged(
      share,
      "{ store p[x] = select(x < n, a[x + 1]:f32, 0.0) store q[x] = select(x < m, a[x + 1]:f32, 0.0) }");
  check_unchanged(share,
                  "{ store p[x] = select(x < n, a[x]:f32, 0.0) store a[y] = 1.0 store q[x] = select(x < n, "
                  "a[x]:f32, 0.0) }");
}

TEST_CASE("common loads: an index that is read, and what is read there") {
  check_pass(share, "{ store p[x] = a[i[x]]:f32 store q[x] = a[i[x]]:f32*2.0 }",
             "let t.0 = i[x] let t.1 = a[t.0]:f32 { store p[x] = t.1:f32 store q[x] = t.1:f32*2.0 }");
}

}  // namespace tensordsl::lower
