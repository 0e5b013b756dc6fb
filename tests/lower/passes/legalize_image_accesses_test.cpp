#include "lower/passes/memory/legalize_image_accesses.h"

#include <doctest/doctest.h>

#include "lower/pass_text.h"

namespace tensordsl::lower {
namespace {

/// "a" and "out" are images of four elements a texel, "r" is one of one element.
ir::Stmt pass(const ir::Stmt& stmt) {
  const ImageShape rgba{ImageKind::Image2D, 4, {Expr(8), Expr(8)}};
  const ImageShape r{ImageKind::Image2D, 1, {Expr(8), Expr(8)}};
  return legalize_image_accesses(stmt, {{"a", rgba}, {"out", rgba}, {"r", r}});
}

std::string error(std::string_view stmt) {
  return error_of<ScheduleError>([&] { pass(ir::parse_stmt(stmt)); });
}

}  // namespace

TEST_CASE("texels: lanes that are the elements of a texel are one read") {
  check_pass(pass, "store b[ramp(0, 1, 4)] = a[broadcast(y, 4), broadcast(x, 4), ramp(0, 1, 4)]:f32x4",
             "store b[ramp(0, 1, 4)] = a[y, x]:f32x4");
  check_pass(pass, "store b[ramp(0, 1, 2)] = a[broadcast(y, 2), broadcast(x, 2), ramp(2, 1, 2)]:f32x2",
             "store b[ramp(0, 1, 2)] = slice(a[y, x]:f32x4, 2, 2)");
}

TEST_CASE("texels: one element is taken out of its texel") {
  check_pass(pass, "store b[0] = a[y, x, 3]:f32", "store b[0] = slice(a[y, x]:f32x4, 3, 1)");
  check_pass(
      pass, "store b[0] = a[y, x, e]:f32",
      "store b[0] = select(e == 0, slice(a[y, x]:f32x4, 0, 1), select(e == 1, slice(a[y, x]:f32x4, 1, 1), "
      "select(e == 2, slice(a[y, x]:f32x4, 2, 1), slice(a[y, x]:f32x4, 3, 1))))");
}

TEST_CASE("texels: lanes of several texels are several reads") {
  check_pass(pass, "store b[ramp(0, 1, 2)] = a[broadcast(y, 2), ramp(x, 1, 2), broadcast(1, 2)]:f32x2",
             "store b[ramp(0, 1, 2)] = concat(slice(a[y, x]:f32x4, 1, 1), slice(a[y, x + 1]:f32x4, 1, 1))");
  check_pass(pass, "store b[ramp(0, 1, 2)] = r[broadcast(y, 2), ramp(x, 1, 2), broadcast(0, 2)]:f32x2",
             "store b[ramp(0, 1, 2)] = concat(r[y, x]:f32, r[y, x + 1]:f32)");
}

TEST_CASE("texels: a lane that a select throws away reads any element") {
  check_pass(pass,
             "store b[ramp(0, 1, 2)] = select(ramp(0, 1, 2) < broadcast(1, 2), a[broadcast(y, 2), "
             "broadcast(x, 2), ramp(3, 1, "
             "2)]:f32x2, broadcast(0.0, 2))",
             "store b[ramp(0, 1, 2)] = select(ramp(0, 1, 2) < broadcast(1, 2), concat(slice(a[y, x]:f32x4, "
             "3, 1), slice(a[y, "
             "x]:f32x4, 0, 1)), broadcast(0.0, 2))");
}

TEST_CASE("texels: buffers are left as they are") {
  check_unchanged(pass, "store b[ramp(0, 1, 4)] = c[ramp(x, 1, 4)]:f32x4");
}

TEST_CASE("texels: whole texels are written") {
  check_pass(pass, "store out[broadcast(y, 4), broadcast(x, 4), ramp(0, 1, 4)] = c[ramp(x, 1, 4)]:f32x4",
             "store out[y, x] = c[ramp(x, 1, 4)]:f32x4");
  check_pass(pass, "store r[y, x, 0] = c[x]:f32", "store r[y, x] = c[x]:f32");
  check_pass(pass, "store r[broadcast(y, 2), ramp(x, 1, 2), broadcast(0, 2)] = c[ramp(x, 1, 2)]:f32x2",
             "let r.value = c[ramp(x, 1, 2)]:f32x2 store r[y, x] = slice(r.value:f32x2, 0, 1) "
             "store r[y, x + 1] = slice(r.value:f32x2, 1, 1)");
}

TEST_CASE("texels: a write of part of a texel is refused") {
  const std::string message =
      "out.set_image(Image2D): a work-item writes part of a texel, but images are written in whole texels; "
      "vectorize the dimension of the layout's last group by 4, with Tail::RoundUp if 4 does not divide its "
      "extent";
  CHECK(error("store out[y, x, 0] = 0.0") == message);
  CHECK(error("store out[broadcast(y, 2), broadcast(x, 2), ramp(0, 1, 2)] = broadcast(0.0, 2)") == message);
  CHECK(error("store out[broadcast(y, 4), ramp(x, 1, 4), broadcast(0, 4)] = broadcast(0.0, 4)") == message);
}

}  // namespace tensordsl::lower
