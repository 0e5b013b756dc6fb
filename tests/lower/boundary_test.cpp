// eliminate_boundary_tests and partition_loops.
#include <doctest/doctest.h>

#include "lower/pass_text.h"
#include "lower/passes/eliminate_boundary_tests.h"
#include "lower/passes/partition_loops.h"

namespace tensordsl::lower {
namespace {

/// "a" and "b" are [8, 12, 20] images of four channels; "plain" is a buffer.
struct Elimination {
  const char* layout;
  ImageKind kind;

  ir::Stmt operator()(const ir::Stmt& stmt) const {
    const std::vector<Expr> extents{8, 12, 20};
    const Storage image{Layout::parse(layout, {"c", "h", "w"}), extents, kind};
    return eliminate_boundary_tests(stmt, {{"a", image}, {"plain", {Layout::row_major(3), extents}}}, {});
  }
};

const Elimination array{"c/4 | h | w | c%4", ImageKind::Image2DArray};
const Elimination flat{"h | c/4 w | c%4", ImageKind::Image2D};

ir::Stmt partition(const ir::Stmt& stmt) { return partition_loops(stmt); }

}  // namespace

TEST_CASE("boundary: rows and columns of an image need no test") {
  check_pass(array,
             "store out[0] = select(1 <= y && y < 13 && 0 <= x - 1 && x <= 20, a[c, y - 1, x - 1]:f32, 0.0)",
             "store out[0] = a[c, y - 1, x - 1]:f32");
  check_pass(array, "store out[0] = select(y < 12, f32(a[c, y, x]:f16), 0.0)",
             "store out[0] = f32(a[c, y, x]:f16)");
}

TEST_CASE("boundary: a layer, which the sampler clamps, keeps its test") {
  check_pass(array, "store out[0] = select(c < 8 && y < 12, a[c, y, x]:f32, 0.0)",
             "store out[0] = select(c < 8, a[c, y, x]:f32, 0.0)");
}

TEST_CASE("boundary: a dimension that shares its coordinate keeps its test") {
  check_pass(flat, "store out[0] = select(0 <= x && 0 <= y, a[c, y, x]:f32, 0.0)",
             "store out[0] = select(0 <= x, a[c, y, x]:f32, 0.0)");
}

TEST_CASE("boundary: a test that says more than the sampler stays") {
  check_unchanged(array, "store out[0] = select(x < 19, a[c, y, x]:f32, 0.0)");
  check_unchanged(array, "store out[0] = select(2 <= x, a[c, y, x - 1]:f32, 0.0)");
  check_unchanged(array, "store out[0] = select(0 <= z, a[c, y, x]:f32, 0.0)");
}

TEST_CASE("boundary: a test that says less goes too, for where it fails the texel is outside") {
  check_pass(array, "store out[0] = select(x < 25, a[c, y, x]:f32, 0.0)", "store out[0] = a[c, y, x]:f32");
}

TEST_CASE("boundary: only zeros come from the border, and only of images") {
  check_unchanged(array, "store out[0] = select(0 <= x, a[c, y, x]:f32, 1.0)");
  check_unchanged(array, "store out[0] = select(0 <= x, a[c, y, x]:f32 + 1.0, 0.0)");
  check_unchanged(array, "store out[0] = select(0 <= x, plain[c, y, x]:f32, 0.0)");
}

TEST_CASE("partition: a loop is parted where its tests begin and cease to hold") {
  check_pass(partition,
             "for k in [0, 3) { store out[k] = select(1 <= y + k && y + k < 57, a[y + k - 1]:f32, 0.0) }", R"(
    let k.first0 = min(max(1 - y, 0), 3)
    let k.end0 = max(k.first0, min(57 - y, 3))
    for k in [0, k.first0) { store out[k] = select(1 <= k + y && k + y < 57, a[k + y - 1]:f32, 0.0) }
    for k in [k.first0, k.first0 + (k.end0 - k.first0)) { store out[k] = a[k + y - 1]:f32 }
    for k in [k.end0, k.end0 + (3 - k.end0)) {
      store out[k] = select(1 <= k + y && k + y < 57, a[k + y - 1]:f32, 0.0)
    })");
}

TEST_CASE("partition: constant ends need no variables") {
  check_pass(partition, "for k in [0, 10) { store out[k] = select(1 <= k, a[k - 1]:f32, 0.0) }",
             "store out[0] = 0.0 for k in [1, 1 + 9) { store out[k] = a[k - 1]:f32 }");
}

TEST_CASE("partition: only the innermost of nested loops is parted") {
  check_pass(partition,
             "for j in [0, 9) { for k in [0, 9) { store out[j, k] = select(1 <= k && 1 <= j, a[j - 1, k - "
             "1]:f32, 0.0) } }",
             R"(for j in [0, 9) {
               store out[j, 0] = 0.0
               for k in [1, 1 + 8) { store out[j, k] = select(1 <= j, a[j - 1, k - 1]:f32, 0.0) }
             })");
}

TEST_CASE("partition: loops without such tests, around barriers, or of other kinds stay") {
  check_unchanged(partition, "for k in [0, 3) { store out[k] = a[k]:f32 }");
  check_unchanged(partition, "for k in [0, 3) { store out[k] = select(1 <= y, a[k]:f32, 0.0) }");
  check_unchanged(partition, "for k in [0, 3) { store out[k] = select(k%2 < 1, a[k]:f32, 0.0) }");
  check_unchanged(partition, "for k in [0, 3) { store out[k] = select(1 <= k, 1.0, 0.0) }");
  check_unchanged(partition,
                  "for k in [0, 3) { store t[k] = select(1 <= k, a[k - 1]:f32, 0.0) barrier local store "
                  "out[k] = t[0]:f32 }");
  check_unchanged(partition, "for k in [0, 3) thread0 { store out[k] = select(1 <= k, a[k - 1]:f32, 0.0) }");
}

}  // namespace tensordsl::lower
