// inline_lets, unroll_loops, vectorize_loops, legalize_vectors and eliminate_common_subexpressions.
#include <doctest/doctest.h>

#include "lower/pass_text.h"
#include "lower/passes/arithmetic/eliminate_common_subexpressions.h"
#include "lower/passes/arithmetic/inline_lets.h"
#include "lower/passes/loops/unroll_loops.h"
#include "lower/passes/vectors/legalize_vectors.h"
#include "lower/passes/vectors/vectorize_loops.h"

namespace tensordsl::lower {
namespace {

ir::Stmt vectorized(const ir::Stmt& stmt) { return vectorize_loops(stmt, kOpenClVectorWidths); }
template <ir::Stmt (*Pass)(const ir::Stmt&)>
std::string error(std::string_view stmt) {
  return error_of<ScheduleError>([&] { Pass(ir::parse_stmt(stmt)); });
}

ir::Stmt inlined(const ir::Stmt& stmt) { return inline_lets(stmt); }

// Shares subexpressions, without images.
ir::Stmt share(const ir::Stmt& stmt) { return eliminate_common_subexpressions(stmt); }
ir::Stmt legalize(const ir::Stmt& stmt) { return legalize_vectors(stmt); }

}  // namespace

TEST_CASE("inline_lets: names go, their values take their places") {
  check_pass(inlined, "for i in [0, 4) { let x = i*4 + 1 let y = x + x store out[y] = a[x] }",
             "for i in [0, 4) { store out[i*4 + 1 + (i*4 + 1)] = a[i*4 + 1] }");
  check_unchanged(inlined, "for i in [0, 4) { store out[i] = a[i] }");
}

TEST_CASE("inline_lets: a name that two lets bind has each value in its own scope") {
  check_pass(inlined, "{ let x = 1 store out[0] = x } { let x = 2 store out[1] = x } store out[2] = x",
             "store out[0] = 1 store out[1] = 2 store out[2] = x");
}

TEST_CASE("unroll: the body once for each value") {
  check_pass(unroll_loops, "for x in [3, 3 + 2) unrolled { store out[x] = x*2 }",
             "store out[3] = 3*2 store out[4] = 4*2");
  check_pass(unroll_loops, "for x in [n, n + 2) unrolled { store out[x] = 0 }",
             "store out[n] = 0 store out[n + 1] = 0");
  check_pass(unroll_loops, "for x in [0, 2) unrolled { for y in [0, 2) unrolled { store out[x, y] = 0 } }",
             "store out[0, 0] = 0 store out[0, 1] = 0 store out[1, 0] = 0 store out[1, 1] = 0");
  check_unchanged(unroll_loops, "for x in [0, 2) { store out[x] = 0 }");
}

TEST_CASE("unroll: an extent bounded by a constant is tested for each copy") {
  check_pass(unroll_loops, "for x in [0, min(n, 2)) unrolled { store out[x] = 0 }",
             "if (0 < min(n, 2)) { store out[0] = 0 } if (1 < min(n, 2)) { store out[1] = 0 }");
}

TEST_CASE("unroll: an extent without a small constant bound is refused") {
  CHECK(error<unroll_loops>("for x in [0, n) unrolled { store out[x] = 0 }") ==
        "unroll: loop \"x\" has the extent n, which is not constant; split it by a small constant and unroll "
        "the inner part");
  CHECK(error<unroll_loops>("for x in [0, 5000) unrolled { store out[x] = 0 }") ==
        "unroll: loop \"x\" has the extent 5000, which is over 4096; split it by a small constant and unroll "
        "the inner part");
}

TEST_CASE(
    "vectorize: the loop variable becomes a ramp, what does not use it stays scalar until it meets one") {
  check_pass(vectorized, "for c in [0, 4) vectorized { store out[x*4 + c] = a[x*4 + c]:f32*2.0 }",
             "store out[ramp(x*4, 1, 4)] = a[ramp(x*4, 1, 4)]:f32x4*broadcast(2.0, 4)");
  check_pass(vectorized, "for c in [8, 8 + 2) vectorized { store out[c] = a[x]:f32 }",
             "store out[ramp(8, 1, 2)] = a[x]:f32");
  check_pass(vectorized, "for c in [0, 4) vectorized { store out[c] = b[c*3] }",
             "store out[ramp(0, 1, 4)] = b[ramp(0, 3, 4)]");
}

TEST_CASE("vectorize: what reads memory behind && or || is read only in the lanes that need it") {
  check_pass(vectorized, "for c in [0, 4) vectorized { store out[c] = c < n && a[c]:bool }",
             "store out[ramp(0, 1, 4)] = select(ramp(0, 1, 4) < broadcast(n, 4), a[ramp(0, 1, 4)]:boolx4, "
             "broadcast(false, 4))");
  check_pass(vectorized, "for c in [0, 4) vectorized { store out[c] = c < n || a[c]:bool }",
             "store out[ramp(0, 1, 4)] = select(ramp(0, 1, 4) < broadcast(n, 4), broadcast(true, 4), "
             "a[ramp(0, 1, 4)]:boolx4)");
  check_pass(vectorized, "for c in [0, 4) vectorized { store out[c] = a[c]:bool && c < n }",
             "store out[ramp(0, 1, 4)] = a[ramp(0, 1, 4)]:boolx4 && ramp(0, 1, 4) < broadcast(n, 4)");
  check_pass(vectorized, "for c in [0, 4) vectorized { store out[c] = a[c] < n && n < b[a[c]] + a[c] }",
             "store out[ramp(0, 1, 4)] = select(a[ramp(0, 1, 4)]:i32x4 < broadcast(n, 4), "
             "broadcast(n, 4) < a[ramp(0, 1, 4)]:i32x4 + b[a[ramp(0, 1, 4)]:i32x4]:i32x4, "
             "broadcast(false, 4))");
  check_pass(vectorized, "for c in [0, 4) vectorized { store out[c] = a[c] < n && 3 < a[c] }",
             "store out[ramp(0, 1, 4)] = a[ramp(0, 1, 4)]:i32x4 < broadcast(n, 4) && broadcast(3, 4) < "
             "a[ramp(0, 1, 4)]:i32x4");
}

TEST_CASE("vectorize: one iteration is no vector") {
  check_pass(vectorized, "for c in [7, 7 + 1) vectorized { store out[c] = a[c] }", "store out[7] = a[7]");
}

TEST_CASE("vectorize: serial loops inside stay, if all lanes agree on their bounds") {
  check_pass(vectorized, "for c in [0, 4) vectorized { for k in [0, n) { store out[c] = a[k] } }",
             "for k in [0, n) { store out[ramp(0, 1, 4)] = a[k] }");
  check_pass(vectorized, "for c in [0, 2) vectorized { for k in [0, c) { store out[c] = a[k] } }",
             "for k in [0, 0) { store out[0] = a[k] } for k in [0, 1) { store out[1] = a[k] }");
}

TEST_CASE(
    "vectorize: a test of the whole vector stays one, a test of each lane splits into all and one by one") {
  check_pass(vectorized, "for c in [0, 4) vectorized { if (x < n) { store out[c] = 0 } }",
             "if (x < n) { store out[ramp(0, 1, 4)] = 0 }");
  check_pass(vectorized,
             "for c in [0, 2) vectorized { if (x*2 + c < n) { store out[x*2 + c] = a[x*2 + c] } }", R"(
    if (x*2 + 1 < n) { store out[ramp(x*2, 1, 2)] = a[ramp(x*2, 1, 2)]:i32x2 } else {
      if (x*2 + 0 < n) { store out[x*2 + 0] = a[x*2 + 0] }
      if (x*2 + 1 < n) { store out[x*2 + 1] = a[x*2 + 1] }
    })");
  check_pass(vectorized, "for c in [0, 2) vectorized { if (a[c] < n) { store out[c] = 1 } }",
             "if (a[0] < n) { store out[0] = 1 } if (a[1] < n) { store out[1] = 1 }");
}

TEST_CASE("vectorize: a let of a vector goes where its name stood") {
  check_pass(vectorized,
             "for c in [0, 4) vectorized { let i = x*4 + c let k = x + 1 store out[i] = a[i + k] }",
             "let k = x + 1 store out[ramp(x*4, 1, 4)] = a[ramp(x*4 + k, 1, 4)]:i32x4");
}

TEST_CASE("vectorize: widths without a vector type, and storage inside, are refused") {
  CHECK(error<vectorized>("for c in [0, 6) vectorized { store out[c] = 0 }") ==
        "vectorize: loop \"c\" has the extent 6; the device's vectors have 2, 3, 4, 8 or 16 lanes; split the "
        "loop by one of these and vectorize the inner loop");
  CHECK(error<vectorized>("for c in [0, n) vectorized { store out[c] = 0 }") ==
        "vectorize: loop \"c\" has the extent n; the device's vectors have 2, 3, 4, 8 or 16 lanes; split the "
        "loop by one of these and vectorize the inner loop");
  CHECK(error<vectorized>("for c in [0, min(n, 8)) vectorized { store out[c] = 0 }") ==
        "vectorize: loop \"c\" has the extent min(n, 8); the device's vectors have 2, 3, 4, 8 or 16 lanes; "
        "split the loop by one of these and vectorize the inner loop, or use Tail::ShiftInwards in the "
        "consumer's split, which keeps the extent constant");
  CHECK(error<vectorized>("for c in [0, 4) vectorized { alloc t: f32 [1] private { store t[0] = 0.0 } }") ==
        "t: it is computed inside the vectorized loop \"c\", where every lane would need its own storage; "
        "compute it outside "
        "that loop");
}

TEST_CASE("legalize: a load that is not of consecutive elements is one load per lane") {
  check_pass(legalize, "store out[ramp(0, 1, 4)] = a[ramp(x*2, 2, 4)]:f32x4",
             "store out[ramp(0, 1, 4)] = concat(a[x*2]:f32, a[x*2 + 2]:f32, a[x*2 + 4]:f32, a[x*2 + 6]:f32)");
  check_pass(legalize, "store out[ramp(0, 1, 2)] = a[b[ramp(0, 1, 2)]:i32x2]:f32x2",
             "store out[ramp(0, 1, 2)] = concat(a[b[0]]:f32, a[b[1]]:f32)");
  check_unchanged(legalize, "store out[ramp(0, 1, 4)] = a[ramp(x, 1, 4)]:f32x4");
}

TEST_CASE("legalize: a load of one element for all lanes is a broadcast") {
  check_pass(legalize, "store out[ramp(0, 1, 4)] = a[broadcast(x, 4)]:f32x4",
             "store out[ramp(0, 1, 4)] = broadcast(a[x]:f32, 4)");
}

TEST_CASE("legalize: a store that is not of consecutive elements is one store per lane") {
  check_pass(legalize, "store out[ramp(x, 56, 2)] = a[ramp(x, 1, 2)]:f32x2", R"(
    let out.value = a[ramp(x, 1, 2)]:f32x2
    store out[x] = slice(out.value:f32x2, 0, 1)
    store out[x + 56] = slice(out.value:f32x2, 1, 1))");
}

TEST_CASE("legalize: a load that a lane's condition prevents is not made for that lane") {
  check_pass(legalize,
             "store out[ramp(0, 1, 2)] = select(ramp(x, 1, 2) < broadcast(n, 2), a[ramp(x, 1, 2)]:f32x2, "
             "broadcast(0.0, 2))",
             "store out[ramp(0, 1, 2)] = concat(select(x < n, a[x]:f32, 0.0), select(x + 1 < n, a[x + "
             "1]:f32, 0.0))");
  check_unchanged(legalize,
                  "store out[ramp(0, 1, 2)] = select(ramp(x, 1, 2) < broadcast(n, 2), broadcast(1.0, 2), "
                  "broadcast(0.0, 2))");
  check_unchanged(legalize,
                  "store out[ramp(0, 1, 2)] = select(x < n, a[ramp(x, 1, 2)]:f32x2, broadcast(0.0, 2))");
}

TEST_CASE("share: a value that is used twice gets a name") {
  check_pass(share, "store out[x] = (a[x]:f32*q:f32 + 1.0)*sqrt(a[x]:f32*q:f32 + 1.0)",
             "let s.0 = a[x]:f32*q:f32 + 1.0 store out[x] = s.0:f32*sqrt(s.0:f32)");
  check_unchanged(share, "store out[x] = a[x]:f32 + b[x]:f32");
  check_unchanged(share,
                  "store out[x + 1] = a[x + 1] + b[x + 1]");  // short addresses read best in place
}

TEST_CASE("share: a load that only one side of a select, && or || makes stays there") {
  check_unchanged(share, "store out[x] = select(x < n, a[x + 1]:f32*2.0 + a[x + 1]:f32*2.0, 0.0)");
  check_unchanged(share, "store out[x] = select(x < n && a[x + 1]:f32 < 1.0, a[x + 1]:f32, 0.0)");
  check_unchanged(share, "if (n <= x || a[x + 1]:f32 < sqrt(a[x + 1]:f32)) { store out[x] = 0.0 }");
  check_pass(share, "store out[x] = select(a[x + 1]:f32 < 1.0, a[x + 1]:f32, 0.0)",
             "let s.0 = a[x + 1]:f32 store out[x] = select(s.0:f32 < 1.0, s.0:f32, 0.0)");
}

}  // namespace tensordsl::lower
