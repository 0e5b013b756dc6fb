#include "lower/passes/loops/keep_loops.h"

#include <doctest/doctest.h>

#include <string>

#include "lower/pass_text.h"

namespace tensordsl::lower {
namespace {

/// A loop with five reads of four elements, in which a sum of four registers is held.
std::string loop_of(const std::string& trips, const std::string& kind = "") {
  return "alloc sum: f32x4 [1] register { for k in [0, " + trips + ") " + kind +
         "{ store sum[0] = a[k]:f32x4 + b[k, 0]:f32x4 * c[k, 1]:f32x4 + b[k, 2]:f32x4 * c[k, 3]:f32x4 } "
         "store out[0] = sum[0]:f32x4 }";
}

/// Keeps loops that take more than 64 registers.
ir::Stmt pass(const ir::Stmt& stmt) { return keep_loops(stmt, 64, true, 20); }

}  // namespace

TEST_CASE(
    "keep_loops: a short loop is kept if the reads of all iterations and the sums need too many registers") {
  check_unchanged(pass, loop_of("3"));  // 4 + 3*20 registers
  check_pass(pass, loop_of("4"), loop_of("4", "kept "));
}

TEST_CASE("keep_loops: compilers do not unroll long loops, and not those of unknown length") {
  check_unchanged(pass, loop_of("33"));
  check_unchanged(pass, loop_of("n"));
}

TEST_CASE("keep_loops: a loop with few reads unrolls, for they wait for memory one after the other") {
  check_unchanged(pass, "for k in [0, 32) { store out[k] = a[k]:f32x4 * b[k]:f32x4 + c[k]:f32x4 }");
}

TEST_CASE("keep_loops: a read that an iteration makes twice counts once") {
  check_unchanged(pass,
                  "for k in [0, 8) { store out[k] = a[k]:f32x4 * a[k]:f32x4 + a[k]:f32x4 * a[k]:f32x4 }");
}

TEST_CASE("keep_loops: only the innermost loop is kept, and none around a barrier") {
  check_pass(pass, "for j in [0, 2) { " + loop_of("4") + " }",
             "for j in [0, 2) { " + loop_of("4", "kept ") + " }");
  check_unchanged(pass,
                  "for k in [0, 8) { store out[0] = a[k]:f32x4 + b[k]:f32x4 + c[k]:f32x4 + d[k]:f32x4 "
                  "barrier local }");
}

TEST_CASE("keep_loops: where reads are not gathered, addresses of a loop that stores decide") {
  const auto ordered = [](const ir::Stmt& stmt) { return keep_loops(stmt, 64, false, 20); };
  const auto copies = [](const std::string& trips, const std::string& kind) {
    return "for k in [0, " + trips + ") " + kind + "{ store out[k] = a[k] + b[0] }";
  };
  // An offset, and sums of it with two pointers.
  check_unchanged(ordered, copies("10", ""));
  check_pass(ordered, copies("11", ""), copies("11", "kept "));
  check_unchanged(ordered, loop_of("8"));
}

TEST_CASE("keep_loops: addresses of local memory, and those that an iteration does not move, do not count") {
  const auto ordered = [](const ir::Stmt& stmt) { return keep_loops(stmt, 64, false, 20); };
  check_unchanged(
      ordered, "alloc tile: f32 [32] local { for k in [0, 16) { store out[k] = a[0]:f32 + tile[k]:f32 } }");
}

TEST_CASE("keep_loops: without a limit, loops stay as they are") {
  check_unchanged([](const ir::Stmt& s) { return keep_loops(s, 0, true, 20); }, loop_of("8"));
}

TEST_CASE("keep_loops: where reads are not gathered, few free registers keep a loop of many reads") {
  const auto pass_with = [](int live) {
    return [live](const ir::Stmt& stmt) { return keep_loops(stmt, 64, false, live); };
  };
  // Four reads ahead take 24 registers, with their addresses.
  check_unchanged(pass_with(40), loop_of("8"));
  check_pass(pass_with(41), loop_of("8"), loop_of("8", "kept "));
  check_unchanged(pass_with(60), "for k in [0, 8) { store out[0] = a[k]:f32x4 * b[k]:f32x4 + c[k]:f32x4 }");
}

}  // namespace tensordsl::lower
