#include "lower/passes/vectors/expand_broadcasts.h"

#include <doctest/doctest.h>

#include "lower/pass_text.h"

namespace tensordsl::lower {

TEST_CASE("broadcasts: a scalar that meets a vector gets a vector of its own") {
  check_pass(expand_broadcasts, "store c[ramp(0, 1, 4)] = broadcast(a[x]:f32, 4)*b[ramp(0, 1, 4)]:f32x4",
             "let v.0 = broadcast(a[x]:f32, 4) store c[ramp(0, 1, 4)] = v.0:f32x4*b[ramp(0, 1, 4)]:f32x4");
}

TEST_CASE("broadcasts: of a scalar with a name there is one vector") {
  check_pass(expand_broadcasts,
             "let s = a[x]:f32 { store c[0] = broadcast(s:f32, 4)*p:f32x4 store d[0] = broadcast(s:f32, 4) + "
             "q:f32x4 }",
             "let s = a[x]:f32 let v.0 = broadcast(s:f32, 4) { store c[0] = v.0:f32x4*p:f32x4 store d[0] = "
             "v.0:f32x4 + q:f32x4 }");
}

TEST_CASE("broadcasts: constants, whole values and what is not always evaluated stay in place") {
  check_unchanged(expand_broadcasts, "store c[0] = broadcast(2.0, 4)*p:f32x4");
  check_unchanged(expand_broadcasts, "store c[ramp(0, 1, 4)] = broadcast(s:f32, 4)");
  check_unchanged(expand_broadcasts, "store c[0] = select(x < n, broadcast(a[x]:f32, 4)*p:f32x4, q:f32x4)");
}

}  // namespace tensordsl::lower
