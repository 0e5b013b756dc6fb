#include "lower/passes/memory/hoist_addresses.h"

#include <doctest/doctest.h>

#include "lower/pass_text.h"

namespace tensordsl::lower {

TEST_CASE("addresses: a sum is cut at the levels of the loops that its terms belong to") {
  check_pass(hoist_addresses, "for i in [0, n) { store out[y*56 + x + i*8 + 1] = a[y*56 + x + i*8]:f32 }",
             "let a.0 = y*56 + x for i in [0, n) { let a.1 = i*8 + a.0 store out[a.1 + 1] = a[a.1]:f32 }");
}

TEST_CASE("addresses: what is used once in its own loop stays in place") {
  check_unchanged(hoist_addresses, "store out[y*56 + x] = a[x]:f32");
  check_unchanged(hoist_addresses, "for i in [0, n) { store out[i*4 + 1] = 0.0 }");
}

TEST_CASE("addresses: a division goes to the outermost loop that knows its operands") {
  check_pass(hoist_addresses,
             "for i in [0, 4) { for j in [0, 4) { store out[(x + i)/7*3 + j] = a[(x + i)%7]:f32 } }", R"(
    for i in [0, 4) {
      let a.0 = i + x let a.1 = a.0%7 let a.2 = a.0/7*3
      for j in [0, 4) { store out[a.2 + j] = a[a.1]:f32 }
    })");
}

TEST_CASE("addresses: a name that a Let binds is an operand of its own level") {
  check_pass(
      hoist_addresses, "let row = a[x]:i32 for i in [0, n) { store out[row*8 + i] = b[row*8 + i]:f32 }",
      "let row = a[x]:i32 let a.0 = row*8 for i in [0, n) { let a.1 = a.0 + i store out[a.1] = b[a.1]:f32 }");
}

TEST_CASE("addresses: what reads memory stays where it is") {
  check_unchanged(hoist_addresses, "for i in [0, n) { store out[i] = b[a[x]:i32]:f32 }");
}

TEST_CASE("addresses: a test is computed outside the loops that do not change it") {
  check_pass(hoist_addresses,
             "for i in [0, n) { store out[i] = select(0 <= x - 1 && x - 1 < 56, a[i]:f32, 0.0) }",
             "let a.0 = 0 <= x - 1 && x - 1 < 56 for i in [0, n) { store out[i] = select(a.0:bool, a[i]:f32, "
             "0.0) }");
}

TEST_CASE("addresses: the bases of vectors and the coordinates of texels are shared as well") {
  check_pass(hoist_addresses,
             "for i in [0, n) { store out[ramp(x*4 + i*8, 1, 4)] = a[y + i, x*4 + i*8]:f32x4 }",
             "let a.0 = x*4 for i in [0, n) { let a.1 = i*8 + a.0 store out[ramp(a.1, 1, 4)] = a[i + y, "
             "a.1]:f32x4 }");
}

TEST_CASE("addresses: two loops of one name have each their own variables") {
  check_pass(hoist_addresses,
             "for i in [0, n) { store out[i*8 + x*3] = a[i*8 + x*3]:f32 } for i in [0, m) { store b[i*8 + "
             "x*3] = a[i*8 + x*3]:f32 }",
             R"(
    let a.0 = x*3
    for i in [0, n) { let a.1 = i*8 + a.0 store out[a.1] = a[a.1]:f32 }
    for i in [0, m) { let a.2 = i*8 + a.0 store b[a.2] = a[a.2]:f32 })");
}

}  // namespace tensordsl::lower
