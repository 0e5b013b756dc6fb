#include "lower/passes/vectors/legalize_vectors.h"

#include <doctest/doctest.h>

#include "lower/pass_text.h"

namespace tensordsl::lower {
namespace {

ir::Stmt legalize(const ir::Stmt& stmt) { return legalize_vectors(stmt); }

}  // namespace

TEST_CASE("vectors: lanes that choose by what they read choose at once") {
  check_unchanged(legalize, R"(store out[ramp(x, 1, 4)] = select(
    a[ramp(x, 1, 4)]:f32x4 < broadcast(0.0, 4), exp(a[ramp(x, 1, 4)]:f32x4), b[ramp(x + 1, 1, 4)]:f32x4))");
}

TEST_CASE("vectors: lanes that choose by where they are read what their tests let them") {
  check_pass(legalize,
             R"(store out[ramp(0, 1, 2)] = select(
               ramp(x, 1, 2) < broadcast(8, 2), a[ramp(x, 1, 2)]:f32x2, broadcast(0.0, 2)))",
             R"(store out[ramp(0, 1, 2)] = concat(
               select(x < 8, a[x]:f32, 0.0), select(x < 7, a[x + 1]:f32, 0.0)))");
}

TEST_CASE("vectors: a test of the place is one also where the place is a constant") {
  check_pass(legalize,
             R"(store out[ramp(x, 1, 2)] = select(a[ramp(x, 1, 2)]:f32x2 < broadcast(0.0, 2)
               && ramp(0, 1, 2) < broadcast(1, 2), b[ramp(x, 1, 2)]:f32x2, broadcast(0.0, 2)))",
             R"(store out[ramp(x, 1, 2)] = concat(select(a[x]:f32 < 0.0, b[x]:f32, 0.0), 0.0))");
}

TEST_CASE("vectors: what is read whatever the lanes choose may be read by all of them") {
  check_unchanged(legalize, R"(store out[ramp(0, 1, 2)] = select(
    ramp(x, 1, 2) < broadcast(8, 2), a[ramp(x, 1, 2)]:f32x2, broadcast(0.0, 2)) + a[ramp(x, 1, 2)]:f32x2)");
}

TEST_CASE("vectors: a register may be read by all lanes") {
  check_unchanged(legalize, R"(alloc r: f32x2 [1] register { store out[ramp(0, 1, 2)] = select(
    ramp(x, 1, 2) < broadcast(8, 2), r[0]:f32x2, broadcast(0.0, 2)) })");
}

TEST_CASE("vectors: an index that is read may be one that the test keeps inside") {
  check_pass(legalize,
             R"(store out[ramp(0, 1, 2)] = select(
               i[ramp(x, 1, 2)]:i32x2 < broadcast(8, 2), a[i[ramp(x, 1, 2)]:i32x2]:f32x2, broadcast(0.0,
                 2)))",
             R"(store out[ramp(0, 1, 2)] = concat(
               select(i[x] < 8, a[i[x]]:f32, 0.0), select(i[x + 1] < 8, a[i[x + 1]]:f32, 0.0)))");
}

}  // namespace tensordsl::lower
