// eliminate_boundary_tests and partition_loops.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "lower/pass_text.h"
#include "lower/passes/loops/partition_loops.h"
#include "lower/passes/memory/eliminate_boundary_tests.h"

namespace tensordsl::lower {
namespace {

/// "a" and "b" are [8, 12, 20] images of four channels; "plain" is a buffer.
struct Elimination {
  const char* layout;
  ImageKind kind;

  ir::Stmt operator()(const ir::Stmt& stmt) const {
    const std::vector<Expr> extents{8, 12, 20};
    const StoredTensor image{Float(32), extents, Layout::parse(layout, {"c", "h", "w"}), kind};
    return eliminate_boundary_tests(
        stmt, {{"a", image}, {"plain", {Float(32), extents, Layout::row_major(3)}}}, {});
  }
};

const Elimination array{"c/4 | h | w | c%4", ImageKind::Image2DArray};
const Elimination flat{"h | c/4 w | c%4", ImageKind::Image2D};
const Elimination by_columns{"h | w c/4 | c%4", ImageKind::Image2D};

/// Runs the pass for groups of four work-items.
ir::Stmt partition(const ir::Stmt& stmt) {
  return partition_loops(stmt, {{"thread0", {0, 3}}, {"block0", {0, 1000}}});
}

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

TEST_CASE(
    "boundary: the outermost dimension of a coordinate needs no test, where it is known what lies within") {
  check_pass(
      by_columns,
      "for k in [0, 8) { store out[0] = select(0 <= y && 0 <= x - 1 && x - 1 < 20, a[k, y, x - 1]:f32, "
      "0.0) }",
      "for k in [0, 8) { store out[0] = a[k, y, x - 1]:f32 }");
  check_unchanged(by_columns, "store out[0] = select(0 <= x, a[c, y, x]:f32, 0.0)");
  check_unchanged(by_columns, "for k in [0, 9) { store out[0] = select(0 <= x, a[k, y, x]:f32, 0.0) }");
  check_unchanged(by_columns, "for k in [0, 8) { store out[0] = select(1 <= x, a[k, y, x]:f32, 0.0) }");
}

TEST_CASE("boundary: a test that says more than the sampler stays") {
  check_unchanged(array, "store out[0] = select(x < 19, a[c, y, x]:f32, 0.0)");
  check_unchanged(array, "store out[0] = select(2 <= x, a[c, y, x - 1]:f32, 0.0)");
  check_unchanged(array, "store out[0] = select(0 <= z, a[c, y, x]:f32, 0.0)");
}

TEST_CASE("boundary: a test that says less goes too, for where it fails the texel is outside") {
  check_pass(array, "store out[0] = select(x < 25, a[c, y, x]:f32, 0.0)", "store out[0] = a[c, y, x]:f32");
}

TEST_CASE("boundary: tests stay that keep a place from being read, or another test") {
  check_unchanged(array, "store out[0] = select(y < 12, a[c, y, b[y]]:f32, 0.0)");
  check_unchanged(array, "store out[0] = select(y < 12 && b[y] < 5, a[c, y, x]:f32, 0.0)");
}

TEST_CASE("boundary: only zeros come from the border, and only of images") {
  check_unchanged(array, "store out[0] = select(0 <= x, a[c, y, x]:f32, 1.0)");
  check_unchanged(array, "store out[0] = select(0 <= x, a[c, y, x]:f32 + 1.0, 0.0)");
  check_unchanged(array, "store out[0] = select(0 <= x, plain[c, y, x]:f32, 0.0)");
}

TEST_CASE(
    "partition: a loop is parted where its tests begin and cease to hold, and beyond they are decided") {
  check_pass(partition,
             "for k in [0, 3) { store out[k] = select(1 <= y + k && y + k < 57, a[y + k - 1]:f32, 0.0) }", R"(
    let k.first0 = min(max(1 - y, 0), 3)
    let k.end0 = max(k.first0, min(57 - y, 3))
    for k in [0, k.first0) { store out[k] = 0.0 }
    for k in [k.first0, k.first0 + (k.end0 - k.first0)) { store out[k] = a[k + y - 1]:f32 }
    for k in [k.end0, k.end0 + (3 - k.end0)) { store out[k] = 0.0 })");
}

TEST_CASE(
    "partition: of several tests the one that decides goes where it fails, the others where they hold") {
  check_pass(partition,
             R"(for k in [0, n) {
               store out[k] = select(y <= k, a[k - y]:f32, 0.0) + select(y + 2 <= k, b[k - y - 2]:f32, 0.0)
             })",
             R"(
    let k.first0 = min(n, max(y + 2, 0))
    {
      let k.first1 = min(k.first0, max(y, 0))
      for k in [0, k.first1) { store out[k] = 0.0 }
      for k in [k.first1, k.first1 + (k.first0 - k.first1)) { store out[k] = a[k - y]:f32 + 0.0 }
    }
    for k in [k.first0, k.first0 + (n - k.first0)) { store out[k] = a[k - y]:f32 + b[k - y - 2]:f32 })");
}

TEST_CASE("partition: constant ends need no variables") {
  check_pass(partition, "for k in [0, 10) { store out[k] = select(1 <= k, a[k - 1]:f32, 0.0) }",
             "store out[0] = 0.0 for k in [1, 1 + 9) { store out[k] = a[k - 1]:f32 }");
}

TEST_CASE("partition: nested loops are parted on every level") {
  check_pass(partition,
             "for j in [0, 9) { for k in [0, 9) { store out[j, k] = select(1 <= k && 1 <= j, a[j - 1, k - "
             "1]:f32, 0.0) } }",
             R"(
    for k in [0, 9) { store out[0, k] = 0.0 }
    for j in [1, 1 + 8) {
      store out[j, 0] = 0.0
      for k in [1, 1 + 8) { store out[j, k] = a[j - 1, k - 1]:f32 }
    })");
}

TEST_CASE("partition: a test of a statement ends the loop, one of a multiple of its variable is rounded") {
  check_pass(partition, "for k in [0, 10) { if (k < n) { store out[k] = 0.0 } }",
             "let k.end0 = min(max(n, 0), 10) for k in [0, k.end0) { store out[k] = 0.0 }");
  check_pass(partition,
             R"(for k in [0, (n + 3)/4) {
               if (k*4 + 3 < n) { store out[ramp(k*4, 1, 4)] = broadcast(0.0, 4) } else {
                 store rest[k] = 0.0 }
             })",
             R"(
    let k.end0 = max(n/4, 0)
    for k in [0, k.end0) { store out[ramp(k*4, 1, 4)] = broadcast(0.0, 4) }
    for k in [k.end0, k.end0 + ((n + 3)/4 - k.end0)) { store rest[k] = 0.0 })");
}

TEST_CASE("partition: a test of a vector holds where it does so in the first and the last lane") {
  check_pass(partition,
             R"(for k in [0, n) {
               store out[ramp(k*8, 1, 4)] =
                 select(broadcast(1, 4) <= ramp(k, 1, 4), a[ramp(k - 1, 1, 4)]:f32x4, broadcast(0.0, 4))
             })",
             R"(
    let k.first0 = min(n, 1)
    for k in [0, k.first0) {
      store out[ramp(0, 1, 4)] =
        select(broadcast(1, 4) <= ramp(0, 1, 4), a[ramp(-1, 1, 4)]:f32x4, broadcast(0.0, 4))
    }
    for k in [k.first0, k.first0 + (n - k.first0)) {
      store out[ramp(k*8, 1, 4)] = a[ramp(k - 1, 1, 4)]:f32x4 })");
}

TEST_CASE("partition: a read on the other side of a select counts as well") {
  check_pass(partition, "for k in [0, 10) { store out[k] = select(k < 2, 0.0, a[k - 2]:f32) }",
             "for k in [0, 2) { store out[k] = 0.0 } for k in [2, 2 + 8) { store out[k] = a[k - 2]:f32 }");
}

TEST_CASE("partition: around a long loop, the ends are the same for all work-items of a group") {
  // y is block0*4 + thread0, with four work-items: the first and the last one decide.
  check_pass(partition,
             R"(for k in [0, 3) { for c in [0, 64) {
               store acc[0] = acc[0]:f32 + select(1 <= block0*4 + thread0 + k, a[block0*4 + thread0 + k,
                 c]:f32, 0.0)
             } })",
             R"(
    let k.first0 = max(1 - block0*4, 0)
    for k in [0, k.first0) { for c in [0, 64) {
      store acc[0] = acc[0]:f32 + select(1 <= block0*4 + thread0, a[block0*4 + thread0, c]:f32, 0.0)
    } }
    for k in [k.first0, k.first0 + (3 - k.first0)) { for c in [0, 64) {
      store acc[0] = acc[0]:f32 + a[block0*4 + k + thread0, c]:f32
    } })");
}

TEST_CASE("partition: in a short loop each work-item has ends of its own") {
  check_pass(
      partition,
      "for k in [0, 3) { store acc[0] = acc[0]:f32 + select(1 <= thread0 + k, a[thread0 + k]:f32, 0.0) }",
      R"(
    let k.first0 = max(1 - thread0, 0)
    for k in [0, k.first0) { store acc[0] = acc[0]:f32 + 0.0 }
    for k in [k.first0, k.first0 + (3 - k.first0)) { store acc[0] = acc[0]:f32 + a[k + thread0]:f32 })");
}

TEST_CASE("partition: statements that only some work-items run are tested where not all of them do") {
  check_pass(partition, "for k in [0, 4) { if (k*4 + thread0 < 14) { store t[k*4 + thread0] = 0.0 } }",
             R"(
    for k in [0, 3) { store t[k*4 + thread0] = 0.0 }
    if (thread0 < 2) { store t[thread0 + 12] = 0.0 })");
}

TEST_CASE("partition: around a barrier, all work-items of a group run each loop equally often") {
  check_pass(partition,
             R"(for k in [0, 3) {
               store t[k] = select(1 <= k, a[k - 1]:f32, 0.0) barrier local store out[k] = t[0]:f32
             })",
             R"(
    store t[0] = 0.0 barrier local store out[0] = t[0]:f32
    for k in [1, 1 + 2) { store t[k] = a[k - 1]:f32 barrier local store out[k] = t[0]:f32 })");
  check_pass(partition,
             R"(for k in [0, n) {
               store t[thread0] = select(thread0 <= k, a[k]:f32, 0.0) barrier local store out[k] = t[0]:f32
             })",
             R"(
    let k.first0 = min(n, 3)
    for k in [0, k.first0) {
      store t[thread0] = select(thread0 <= k, a[k]:f32, 0.0) barrier local store out[k] = t[0]:f32
    }
    for k in [k.first0, k.first0 + (n - k.first0)) {
      store t[thread0] = a[k]:f32 barrier local store out[k] = t[0]:f32
    })");
}

TEST_CASE("partition: around a barrier, a loop that begins elsewhere for each work-item stays whole") {
  check_unchanged(
      partition,
      "alloc t: f32 [4] local { for k in [thread0*3 - 1, thread0*3 - 1 + 3) { store t[thread0] = 1.0 "
      "barrier local store out[k] = select(0 <= k, a[k]:f32, 0.0) barrier local } }");
}

TEST_CASE("partition: no statement is there more than nine times, and of many none more than three times") {
  const auto copies = [](int tests, int statements) {
    std::string text;
    for (int i = 0; i < statements; ++i) {
      for (int t = 0; t < tests; ++t)
        text += fmt::format("store o{}[{}] = select(p{} <= k && k < q{}, a[k]:f32, 0.0) ", i, t, t, t);
    }
    const ir::Stmt parted = partition(ir::parse_stmt(fmt::format("for k in [0, n) {{ {} }}", text)));
    int stores = 0;
    ir::visit(parted, [&](const ir::Stmt& s) {
      stores += s->kind == ir::StmtKind::Store && s->name == "o0";
      return true;
    });
    return stores / tests;
  };
  CHECK(copies(1, 1) == 3);
  CHECK(copies(8, 1) <= 9);
  CHECK(copies(8, 40) <= 3);
}

TEST_CASE(
    "partition: of two loops in a kernel of many statements the one goes whose tests stand before more "
    "reads") {
  const auto loops = [](const std::string& tested_often, const std::string& tested_once) {
    std::string text =
        fmt::format("store b[j, k] = select(1 <= {0} && {0} < p, a[k]:f32, 0.0) ", tested_once);
    for (int i = 0; i < 130; ++i)
      text += fmt::format("store o{0}[j, k] = select(1 <= {1} && {1} < q, a[k]:f32, 0.0) ", i, tested_often);
    std::map<std::string, int> count;
    ir::visit(partition(ir::parse_stmt(fmt::format("for j in [0, n) {{ for k in [0, m) {{ {} }} }}", text))),
              [&](const ir::Stmt& s) {
                if (s->kind == ir::StmtKind::For) ++count[s->name];
                return true;
              });
    return std::pair(count["j"], count["k"]);
  };
  CHECK(loops("k", "j") == std::pair(1, 3));
  CHECK(loops("j", "k") == std::pair(3, 3));
}

TEST_CASE("partition: loops without such tests, or of other kinds, stay") {
  check_unchanged(partition, "for k in [0, 3) { store out[k] = a[k]:f32 }");
  check_unchanged(partition, "for k in [0, 3) { store out[k] = select(1 <= y, a[k]:f32, 0.0) }");
  check_unchanged(partition, "for k in [0, 3) { store out[k] = select(k%2 < 1, a[k]:f32, 0.0) }");
  check_unchanged(partition, "for k in [0, 3) { store out[k] = select(1 <= k, 1.0, 0.0) }");
  check_unchanged(partition, "for k in [0, 3) thread0 { store out[k] = select(1 <= k, a[k - 1]:f32, 0.0) }");
}

TEST_CASE("partition: what stands beside inner loops stays there, as they take the time") {
  check_unchanged(partition,
                  R"(for k in [0, n) {
                    if (k + 1 < n) { store next[0] = a[k + 1]:f32 }
                    for c in [0, 64) { store acc[0] = acc[0]:f32 + b[c]:f32 }
                  })");
}

}  // namespace tensordsl::lower
