#include <doctest/doctest.h>

#include "lower/place/infer_bounds.h"

#include "lower/pass_text.h"

namespace tensordsl::lower {
namespace {

/// The box of f that a statement reads.
std::string box(std::string_view stmt, bool stores = false) {
  return text_of(required_box(ir::parse_stmt(stmt), "f", stores));
}

/// The range of f that a read at `index` takes, x over [0, 10) and y over [2, 5).
std::string range(const std::string& index) {
  return box("for x in [0, 10) { for y in [2, 2 + 3) { store out[x] = f[" + index + "] } }");
}

}  // namespace

TEST_CASE("required box: the hull of every read over the loops around it") {
  CHECK(box("for x in [0, 56) { store out[x] = f[x - 1] + f[x + 1] }") == "[-1, +58)");
  CHECK(box("for x in [0, 56) { store out[x] = f[x] store out[x] = f[x + 100] }") == "[0, +156)");
  CHECK(box("for x in [0, 56) { store out[x] = g[x] }") == "nothing");
  CHECK(box("for x in [0, 8) { for y in [0, 4) { store out[x] = f[y, x*2, 3] } }") ==
        "[0, +4) x [0, +15) x [3, +1)");
}

TEST_CASE("required box: variables that are free stay in it") {
  CHECK(box("for x in [0, 4) { store out[x] = f[b*4 + x] }") == "[b*4, +4)");
  CHECK(box("for x in [b, b + 4) { store out[x] = f[x + 1] }") == "[b + 1, +4)");
  CHECK(box("for x in [0, n) { store out[x] = f[x*2] }") == "[0, +n*2 - 1)");
}

TEST_CASE("required box: lets have the range of their value") {
  CHECK(box("for x in [0, 3) { for y in [0, 4) { let z = x*4 + y store out[z] = f[z + 1] } }") == "[1, +12)");
}

TEST_CASE("required box: tests narrow what they speak of") {
  CHECK(box("for x in [0, 12) { if (x < 10) { store out[x] = f[x] } }") == "[0, +10)");
  CHECK(box("for x in [0, 12) { if (x <= 10) { store out[x] = f[x] } }") == "[0, +11)");
  CHECK(box("for x in [0, 12) { if (x < 10) { store out[x] = g[x] } else { store out[x] = f[x] } }") ==
        "[0, +12)");
  CHECK(box("for x in [0, (n + 3)/4) { for y in [0, 4) { let z = x*4 + y if (z < n) { store out[z] = f[z] } "
            "} }") == "[0, +n)");
}

TEST_CASE("required box: quotients and remainders of a tile that is cut short are those of the whole tile") {
  CHECK(box("for x in [b*16, b*16 + min(197 - b*16, 4)) { store out[x] = f[x % 16] }") == "[0, +4)");
  CHECK(box("for x in [b*16, b*16 + min(197 - b*16, 4)) { store out[x] = f[x/16] }") == "[b, +1)");
  CHECK(box("for x in [b*16, b*16 + min(197 - b*16, 20)) { store out[x] = f[x % 16] }") == "[0, +16)");
}

TEST_CASE("required box: reads in tests, lets and indices count") {
  CHECK(box("for x in [0, 4) { if (f[x] < 3) { store out[x] = 0 } }") == "[0, +4)");
  CHECK(box("for x in [0, 4) { let y = f[x + 1] store out[x] = y }") == "[1, +4)");
  CHECK(box("for x in [0, 4) { store out[f[x]] = 0 }") == "[0, +4)");
  CHECK(box("for x in [0, 4) { store out[x] = g[min(max(f[x + 2], 0), 3)] }") == "[2, +4)");
}

TEST_CASE("required box: stores count where asked for") {
  CHECK(box("for x in [0, 4) { store f[x + 1] = f[x] }") == "[0, +4)");
  CHECK(box("for x in [0, 4) { store f[x + 1] = f[x] }", true) == "[0, +5)");
}

TEST_CASE("required box: the range of an index over x in [0, 10) and y in [2, 5)") {
  CHECK(range("x + y") == "[2, +12)");
  CHECK(range("x - y") == "[-4, +12)");
  CHECK(range("x*3") == "[0, +28)");
  CHECK(range("x*-2 + 1") == "[-17, +19)");
  CHECK(range("x*n") == "[0, +n*9 + 1)");
  CHECK(range("(x + 1)/4") == "[0, +3)");
  CHECK(range("(x - 1)/4") == "[-1, +4)");
  CHECK(range("x%4") == "[0, +4)");
  CHECK(range("y%8") == "[2, +3)");
  CHECK(range("x%n") == "[0, +n)");
  CHECK(range("min(x, 7)") == "[0, +8)");
  CHECK(range("max(x - 3, 0)") == "[0, +7)");
  CHECK(range("min(max(x - y, 0), n - 1)") == "[min(n - 1, 0), +min(n - 1, 7) - min(n - 1, 0) + 1)");
  CHECK(range("select(x < 3, x, y + 20)") == "[0, +25)");
  CHECK(range("x/3*3") == "[0, +10)");
}

TEST_CASE("required box: clamping bounds what depends on data") {
  CHECK(range("min(max(g[x], 0), 3)") == "[0, +4)");
  CHECK(range("i32(g[x]:u8)") == "[0, +256)");
  CHECK(range("i32(g[x]:i8)") == "[-128, +256)");
  CHECK(range("i32(g[x]:bool)") == "[0, +2)");
  CHECK(range("g[x]%16") == "[0, +16)");
}

TEST_CASE("required box: an index that nothing bounds is refused") {
  CHECK(error_of<DefinitionError>([] { range("g[x]"); }) ==
        "f: index g[x] of dimension 0 is unbounded; clamp it to the tensor's extent");
  CHECK(error_of<DefinitionError>([] { box("for x in [0, 4) { store out[x] = f[x, max(g[x], 0)] }"); }) ==
        "f: index max(g[x], 0) of dimension 1 is unbounded; clamp it to the tensor's extent");
}

}  // namespace tensordsl::lower
