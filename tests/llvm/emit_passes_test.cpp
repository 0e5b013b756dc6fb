// Tests the passes over kernels before they are printed for LLVM: the text of statements before and after.
#include <doctest/doctest.h>

#include "backends/llvm/emit/guard_math.h"
#include "backends/llvm/emit/separate_lanes.h"
#include "lower/pass_text.h"

namespace tensordsl::llvm_ir {

using lower::check_pass;
using lower::check_unchanged;

TEST_CASE("guarded math: a lane that a select does not take has an easy operand, on both sides") {
  check_pass(guard_math, "store o[ramp(0, 1, 4)] = select(c:boolx4, exp(x:f32x4), y:f32x4*log(y:f32x4))",
             "store o[ramp(0, 1, 4)] = select(c:boolx4, exp(select(c:boolx4, x:f32x4, broadcast(0.5, 4))), "
             "y:f32x4*log(select(c:boolx4, broadcast(0.5, 4), y:f32x4)))");
}

TEST_CASE("guarded math: functions of functions, and selects in selects") {
  check_pass(
      guard_math,
      "store o[ramp(0, 1, 4)] = select(c:boolx4, select(d:boolx4, exp(sin(x:f32x4)), broadcast(1.0, 4)), "
      "broadcast(0.0, 4))",
      "store o[ramp(0, 1, 4)] = select(c:boolx4, select(d:boolx4, exp(select(c:boolx4, select(d:boolx4, "
      "sin(select(c:boolx4, select(d:boolx4, x:f32x4, broadcast(0.5, 4)), broadcast(0.5, 4))), "
      "broadcast(0.5, 4)), broadcast(0.5, 4))), broadcast(1.0, 4)), broadcast(0.0, 4))");
}

TEST_CASE("guarded math: an operand is easy only where the function has a value") {
  check_pass(guard_math, "store o[ramp(0, 1, 2)] = select(c:boolx2, acosh(x:f32x2), atan2(x:f32x2, y:f32x2))",
             "store o[ramp(0, 1, 2)] = select(c:boolx2, acosh(select(c:boolx2, x:f32x2, broadcast(1.5, 2))), "
             "atan2(select(c:boolx2, broadcast(0.5, 2), x:f32x2), select(c:boolx2, broadcast(0.5, 2), "
             "y:f32x2)))");
}

TEST_CASE("guarded math: what is not of the same lane, an index, an integer or of a scalar's select stays") {
  check_unchanged(guard_math, "store o[0] = select(c:bool, exp(x:f32), 0.0)");
  check_unchanged(guard_math,
                  "store o[ramp(0, 1, 2)] = select(c:boolx2, concat(slice(exp(x:f32x2), 1, 1), "
                  "slice(exp(x:f32x2), 0, 1)), y:f32x2)");
  check_unchanged(guard_math,
                  "store o[ramp(0, 1, 2)] = select(c:boolx2, a[i32(exp(x:f32x2))]:f32x2, y:f32x2)");
  check_unchanged(
      guard_math,
      "store o[ramp(0, 1, 2)] = select(c:boolx2, f32(truncating_div(n:i32x2, i32(exp(x:f32x2)))), "
      "y:f32x2)");
  check_unchanged(guard_math, "store o[ramp(0, 1, 2)] = exp(x:f32x2)");
}

TEST_CASE("separated lanes: a vector of which lanes alone are used is read lane by lane") {
  check_pass(separate_lanes,
             "let t = a[ramp(x, 1, 4)]:f32x4 { store o[x] = slice(t:f32x4, 0, 1) + slice(t:f32x4, 2, 1)*"
             "slice(t:f32x4, 0, 1) }",
             "let lane.0 = a[x]:f32 { let lane.1 = a[x + 2]:f32 { store o[x] = lane.0:f32 + lane.1:f32*"
             "lane.0:f32 } }");
}

TEST_CASE("separated lanes: a vector that is used as such, or in parts of several lanes, stays") {
  check_unchanged(separate_lanes,
                  "let t = a[ramp(x, 1, 4)]:f32x4 { store o[x] = slice(t:f32x4, 0, 1) "
                  "store p[ramp(x, 1, 4)] = t:f32x4 }");
  check_unchanged(separate_lanes,
                  "let t = a[ramp(x, 1, 4)]:f32x4 { store p[ramp(x, 1, 2)] = slice(t:f32x4, 1, 2) }");
  check_unchanged(separate_lanes, "let t = a[ramp(x, 2, 4)]:f32x4 { store o[x] = slice(t:f32x4, 1, 1) }");
}

TEST_CASE("separated lanes: a name that is bound again is another vector") {
  check_pass(separate_lanes,
             "{ { let t = a[ramp(x, 1, 2)]:f32x2 store o[x] = slice(t:f32x2, 1, 1) } "
             "{ let t = b[0]:f32x2 store o[y] = slice(t:f32x2, 1, 1) } "
             "let t = c[ramp(y, 1, 2)]:i8x2 store p[y] = slice(t:i8x2, 1, 1) }",
             "{ { let lane.0 = a[x + 1]:f32 store o[x] = lane.0:f32 } "
             "{ let t = b[0]:f32x2 store o[y] = slice(t:f32x2, 1, 1) } "
             "let lane.1 = c[y + 1]:i8 store p[y] = lane.1:i8 }");
  check_pass(separate_lanes,
             "let t = a[ramp(x, 1, 2)]:f32x2 { let t = b[ramp(i32(slice(t:f32x2, 1, 1)), 1, 2)]:f32x2 { "
             "store p[ramp(x, 1, 2)] = t:f32x2 } }",
             "let lane.0 = a[x + 1]:f32 { let t = b[ramp(i32(lane.0:f32), 1, 2)]:f32x2 { "
             "store p[ramp(x, 1, 2)] = t:f32x2 } }");
  check_pass(separate_lanes,
             "let t = a[ramp(x, 1, 2)]:f32x2 { { let t = b[0]:f32x2 store p[x] = slice(t:f32x2, 0, 1) } "
             "store o[x] = slice(t:f32x2, 1, 1) }",
             "let lane.0 = a[x + 1]:f32 { { let t = b[0]:f32x2 store p[x] = slice(t:f32x2, 0, 1) } "
             "store o[x] = lane.0:f32 }");
}

}  // namespace tensordsl::llvm_ir
