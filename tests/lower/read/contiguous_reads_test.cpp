// Scalars from consecutive addresses, and vectors that overlap, as coalesce_loads reads them.
#include "lower/passes/memory/contiguous_reads.h"

#include <doctest/doctest.h>

#include "lower/pass_text.h"
#include "lower/passes/memory/coalesce_loads.h"

namespace tensordsl::lower {
namespace {

ir::Stmt share(const ir::Stmt& stmt) { return coalesce_loads(stmt); }

}  // namespace

TEST_CASE("contiguous reads: each vector is named before the statement that reads it first") {
  const ir::Stmt block = ir::parse_stmt("{ store p[0] = 1 store p[1] = a[x] store p[2] = a[x + 1] }");
  const Images images;
  const KernelMemory memory(block, images);
  NameSupply names(block);
  std::vector<NamedRead> named;
  const auto stmts = combine_contiguous_reads(block->body, memory, names, named);
  REQUIRE(named.size() == 1);
  CHECK(named[0].statement == 1);
  CHECK(ir::print(named[0].read.expr) == "a[ramp(x, 1, 2)]:i32x2");
  CHECK(ir::print(stmts.at(2)) == "store p[2] = slice(" + named[0].name + ":i32x2, 1, 1)\n");
}

TEST_CASE("contiguous reads: scalars from consecutive places are read as a vector") {
  check_pass(
      share, "{ store p[0] = a[x]:f32 + a[x + 3]:f32 store p[9] = a[x + 1]:f32 store p[17] = a[x + 2]:f32 }",
      "let t.0 = a[ramp(x, 1, 4)]:f32x4 { store p[0] = slice(t.0:f32x4, 0, 1) + slice(t.0:f32x4, 3, 1) "
      "store p[9] = slice(t.0:f32x4, 1, 1) store p[17] = slice(t.0:f32x4, 2, 1) }");
}

TEST_CASE(
    "contiguous reads: vectors begin where they are aligned if their base is, and have up to 128 bits") {
  check_pass(share, "store p[0] = a[x + 1]:f32 + a[x + 2]:f32 + a[x + 3]:f32 + a[x + 4]:f32",
             "let t.0 = a[ramp(x + 2, 1, 2)]:f32x2 store p[0] = a[x + 1]:f32 + slice(t.0:f32x2, 0, 1) + "
             "slice(t.0:f32x2, 1, 1) + a[x + 4]:f32");
  check_pass(share, "store p[0] = b[x]:i64 + b[x + 1]:i64 + b[x + 2]:i64 + b[x + 3]:i64",
             "let t.0 = b[ramp(x, 1, 2)]:i64x2 let t.1 = b[ramp(x + 2, 1, 2)]:i64x2 store p[0] = "
             "slice(t.0:i64x2, 0, "
             "1) + slice(t.0:i64x2, 1, 1) + slice(t.1:i64x2, 0, 1) + slice(t.1:i64x2, 1, 1)");
}

TEST_CASE("contiguous reads: what statements of eight lanes and more repeat is read one by one") {
  const auto text = [](const std::string& lanes) {
    return "{ store p[ramp(0, 1, " + lanes + ")] = broadcast(a[x]:f32, " + lanes + ") store p[ramp(99, 1, " +
           lanes + ")] = broadcast(a[x + 1]:f32, " + lanes + ") }";
  };
  check_unchanged(share, text("8"));
  check_pass(
      share, text("4"),
      "let t.0 = a[ramp(x, 1, 2)]:f32x2 { store p[ramp(0, 1, 4)] = broadcast(slice(t.0:f32x2, 0, 1), 4) "
      "store p[ramp(99, 1, 4)] = broadcast(slice(t.0:f32x2, 1, 1), 4) }");
}

TEST_CASE("contiguous reads: of vectors that overlap each place is read once") {
  check_pass(
      share,
      "{ store p[ramp(0, 1, 4)] = a[ramp(x, 1, 4)]:f32x4 + a[ramp(x + 1, 1, 4)]:f32x4 store "
      "p[ramp(4, 1, 4)] = a[ramp(x + 2, 1, 4)]:f32x4 }",
      "let t.0 = a[ramp(x, 1, 4)]:f32x4 let t.1 = a[ramp(x + 4, 1, 2)]:f32x2 { store p[ramp(0, 1, 4)] = "
      "t.0:f32x4 + concat(slice(t.0:f32x4, 1, 3), slice(t.1:f32x2, 0, 1)) store p[ramp(4, 1, 4)] = "
      "concat(slice(t.0:f32x4, 2, 2), t.1:f32x2) }");
  // Reads the elements -1 to 4: a scalar at either end of a vector that is aligned if the base is.
  check_pass(share,
             "store p[ramp(0, 1, 4)] = a[ramp(x - 1, 1, 4)]:f32x4 + a[ramp(x, 1, 4)]:f32x4 + "
             "a[ramp(x + 1, 1, 4)]:f32x4",
             "let t.0 = a[ramp(x, 1, 4)]:f32x4 store p[ramp(0, 1, 4)] = concat(a[x - 1]:f32, "
             "slice(t.0:f32x4, 0, 3)) + t.0:f32x4 + concat(slice(t.0:f32x4, 1, 3), a[x + 4]:f32)");
}

TEST_CASE("contiguous reads: vectors that do not overlap stay, and those that would take more loads") {
  check_unchanged(share, "store p[ramp(0, 1, 4)] = a[ramp(x, 1, 4)]:f32x4 + a[ramp(x + 4, 1, 4)]:f32x4");
  check_unchanged(share, "store p[ramp(0, 1, 4)] = a[ramp(x + 1, 1, 4)]:f32x4 + a[ramp(x + 3, 1, 4)]:f32x4");
  check_unchanged(share, "store p[ramp(0, 1, 8)] = b[ramp(x, 1, 8)]:f32x8 + b[ramp(x + 1, 1, 8)]:f32x8");
  check_unchanged(share, "store p[ramp(0, 1, 4)] = a[ramp(x, 2, 4)]:f32x4 + a[ramp(x + 1, 2, 4)]:f32x4");
}

TEST_CASE("contiguous reads: what is far from vectors that overlap does not change how they are read") {
  check_pass(share,
             "store p[ramp(0, 1, 4)] = a[ramp(x, 1, 4)]:f32x4 + a[ramp(x + 2, 1, 4)]:f32x4 + "
             "a[ramp(x + 1001, 1, 4)]:f32x4",
             "let t.0 = a[ramp(x, 1, 4)]:f32x4 let t.1 = a[ramp(x + 4, 1, 2)]:f32x2 store p[ramp(0, 1, 4)] = "
             "t.0:f32x4 + concat(slice(t.0:f32x4, 2, 2), t.1:f32x2) + a[ramp(x + 1001, 1, 4)]:f32x4");
}

TEST_CASE("contiguous reads: a scalar among vectors that overlap comes from their pieces") {
  check_pass(share,
             "store p[ramp(0, 1, 4)] = a[ramp(x, 1, 4)]:f32x4 + a[ramp(x + 4, 1, 4)]:f32x4 + "
             "a[ramp(x + 2, 1, 4)]:f32x4 + broadcast(a[x + 3]:f32, 4)",
             "let t.0 = a[ramp(x, 1, 4)]:f32x4 let t.1 = a[ramp(x + 4, 1, 4)]:f32x4 store p[ramp(0, 1, 4)] = "
             "t.0:f32x4 + t.1:f32x4 + concat(slice(t.0:f32x4, 2, 2), slice(t.1:f32x4, 0, 2)) + "
             "broadcast(slice(t.0:f32x4, 3, 1), 4)");
}

TEST_CASE("contiguous reads: vectors that overlap are read where every one of them is read for certain") {
  check_unchanged(
      share,
      "store p[ramp(0, 1, 2)] = a[ramp(x, 1, 2)]:f32x2 + select(x < n, a[ramp(x + 1, 1, 2)]:f32x2, "
      "broadcast(0.0, 2))");
  check_unchanged(
      share,
      "{ store p[ramp(0, 1, 2)] = a[ramp(x, 1, 2)]:f32x2 store a[y] = 1.0 store p[ramp(2, 1, 2)] = "
      "a[ramp(x + 1, 1, 2)]:f32x2 }");
}

TEST_CASE("contiguous reads: no vector has a place that may not be read") {
  check_unchanged(share, "store p[0] = select(x < n, a[x]:f32 + a[x + 1]:f32, 0.0)");
  check_unchanged(share, "store p[0] = a[x]:f32 + select(x < n, a[x + 1]:f32, 0.0)");
  check_unchanged(share, "{ store p[0] = a[x]:f32 store a[y] = 1.0 store p[1] = a[x + 1]:f32 }");
}

TEST_CASE("contiguous reads: where a vector has them, scalars that are read perhaps come from it") {
  check_pass(
      share,
      "{ store p[0] = a[x]:f32 + a[x + 1]:f32 store p[9] = select(x < n, a[x + 1]:f32, 0.0) store p[17] = "
      "a[ramp(x, 1, 2)]:f32x2 }",
      "let t.0 = a[ramp(x, 1, 2)]:f32x2 { store p[0] = slice(t.0:f32x2, 0, 1) + slice(t.0:f32x2, 1, 1) store "
      "p[9] = select(x < n, slice(t.0:f32x2, 1, 1), 0.0) store p[17] = t.0:f32x2 }");
}

}  // namespace tensordsl::lower
