#include "lower/passes/memory/mark_inside_reads.h"

#include <doctest/doctest.h>

#include "lower/pass_text.h"

namespace tensordsl::lower {
namespace {

/// "a" is an image of 8 rows and 16 columns, "rows" one of n rows, "all" a one-dimensional image buffer.
ir::Stmt pass(const ir::Stmt& stmt) {
  const ImageShape image{ImageKind::Image2D, 4, {Expr(8), Expr(16)}};
  const ImageShape rows{ImageKind::Image2D, 4, {ir::make_var("n"), Expr(16)}};
  const ImageShape all{ImageKind::Image1DBuffer, 4, {Expr(128)}};
  return mark_inside_reads(stmt, {{"a", image}, {"rows", rows}, {"all", all}},
                           {{"thread0", {0, 7}}, {"block0", {0, 1}}});
}

}  // namespace

TEST_CASE("inside reads: the ranges of work-items and loops prove coordinates") {
  check_pass(pass, "for k in [0, 8) { store b[k] = slice(a[thread0, k*2 + 1]:f32x4, 0, 1) }",
             "for k in [0, 8) { store b[k] = slice(a[thread0, k*2 + 1 inside]:f32x4, 0, 1) }");
  check_pass(pass, "for k in [0, n) { store b[k] = slice(rows[k, 0]:f32x4, 0, 1) }",
             "for k in [0, n) { store b[k] = slice(rows[k, 0 inside]:f32x4, 0, 1) }");
}

TEST_CASE("inside reads: a coordinate that may be outside on either side needs the sampler") {
  check_unchanged(pass, "store b[0] = slice(a[thread0 - 1, 0]:f32x4, 0, 1)");
  check_unchanged(pass, "store b[0] = slice(a[thread0 + 1, 0]:f32x4, 0, 1)");
  check_unchanged(pass, "store b[0] = slice(a[thread0, block0*16]:f32x4, 0, 1)");
  check_unchanged(pass, "for k in [0, n + 1) { store b[k] = slice(rows[k, 0]:f32x4, 0, 1) }");
}

TEST_CASE("inside reads: a test proves the coordinates of its own branch") {
  check_pass(
      pass,
      "if (block0*8 + thread0 < 8) { store b[0] = slice(a[block0*8 + thread0, 0]:f32x4, 0, 1) } "
      "else { store b[1] = slice(a[block0*8 + thread0, 0]:f32x4, 0, 1) }",
      "if (block0*8 + thread0 < 8) { store b[0] = slice(a[block0*8 + thread0, 0 inside]:f32x4, 0, 1) } "
      "else { store b[1] = slice(a[block0*8 + thread0, 0]:f32x4, 0, 1) }");
}

TEST_CASE("inside reads: a name has the range of its value") {
  check_pass(pass, "let row = thread0 + 0 { store b[0] = slice(a[row, row + 8]:f32x4, 0, 1) }",
             "let row = thread0 + 0 { store b[0] = slice(a[row, row + 8 inside]:f32x4, 0, 1) }");
}

TEST_CASE("inside reads: a select proves nothing, for both of its sides may be evaluated") {
  check_unchanged(pass,
                  "store b[ramp(0, 1, 4)] = select(broadcast(m < 8 && 0 <= m, 4), a[m, 0]:f32x4, "
                  "broadcast(0.0, 4))");
}

TEST_CASE("inside reads: an image buffer has no sampler that it could do without") {
  check_unchanged(pass, "store b[0] = slice(all[thread0]:f32x4, 0, 1)");
}

}  // namespace tensordsl::lower
