// Reads that are inside by the ranges of loops; all others are left to the exact analysis.
#include "lower/read/reads_inside.h"

#include <doctest/doctest.h>

#include "ir/nodes/expr_node.h"
#include "ir/text/parse.h"

namespace tensordsl::lower {
namespace {

/// Asks about x, which has 8 x 4 elements.
bool is_inside(const std::string& stmt) { return is_known_inside(ir::parse_stmt(stmt), "x", {8, 4}, Expr()); }

/// Asks of x, which has n x 4 elements, in a launch where `condition` holds.
bool is_inside_open(const std::string& stmt, const Expr& condition = Expr()) {
  return is_known_inside(ir::parse_stmt(stmt), "x", {ir::make_var("n"), 4}, condition);
}

}  // namespace

TEST_CASE("reads inside: by the ranges of loops and lets") {
  CHECK(is_inside("for i in [0, 8) { store y[i] = x[i, 3] }"));
  CHECK(!is_inside("for i in [0, 9) { store y[i] = x[i, 3] }"));
  CHECK(!is_inside("for i in [0, 8) { store y[i] = x[i, 4] }"));
  CHECK(!is_inside("for i in [0, 8) { store y[i] = x[i - 1, 3] }"));
  CHECK(is_inside("for i in [0, 4) { let j = i*2 + 1 store y[i] = x[j, i] }"));
  CHECK(!is_inside("for i in [0, 4) { let j = i*2 + 2 store y[i] = x[j, i] }"));
}

TEST_CASE("reads inside: clamped indices are, whatever they are made of") {
  CHECK(is_inside("for i in [0, n) { store y[i] = x[min(max(i - 5, 0), 7), 0] }"));
  CHECK(!is_inside("for i in [0, n) { store y[i] = x[max(i - 5, 0), 0] }"));
}

TEST_CASE("reads inside: an open extent is compared with the ends of the loops") {
  CHECK(is_inside_open("for i in [0, n) { store y[i] = x[i, 3] }"));
  CHECK(is_inside_open("for i in [0, n - 2) { store y[i] = x[i + 2, 0] + x[i, 1] }"));
  CHECK(!is_inside_open("for i in [0, n - 2) { store y[i] = x[i + 3, 0] }"));
  CHECK(!is_inside_open("for i in [0, n) { store y[i] = x[i, 4] }"));
  CHECK(!is_inside_open("for i in [0, m) { store y[i] = x[i, 0] }"));
  CHECK(!is_inside_open("for i in [0, m) { store y[i] = x[min(i, n - 1), 0] + x[i, 0] }"));
  CHECK(is_inside_open("for i in [0, m) { store y[i] = x[min(i, n - 1), 0] }", ir::parse_expr("1 <= n")));
  // A tile that is shifted inward begins at an index of its own; n is not 0 where its loop runs.
  CHECK(is_inside_open(
      "for b in [0, n) { for i in [min(b, n - 1), min(b, n - 1) + 1) { store y[i] = x[i, 0] } }"));
  CHECK(!is_inside_open("for i in [min(m, n - 1), min(m, n - 1) + 1) { store y[i] = x[i, 0] }"));
}

TEST_CASE("reads inside: a condition is not made use of, and one bad read among many is seen") {
  CHECK(!is_inside("for i in [0, 9) { if (i < 8) { store y[i] = x[i, 0] } }"));
  CHECK(!is_inside("for i in [0, 8) { store y[i] = select(i < 7, x[i + 1, 0], x[i, 0]) }"));
  CHECK(!is_inside("for i in [0, 8) { store y[i] = x[i, 0] + x[i, 1] + x[0, i] }"));
  CHECK(is_inside("for i in [0, 99) { store y[i] = z[i] }"));
}

}  // namespace tensordsl::lower
