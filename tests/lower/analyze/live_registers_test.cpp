#include "lower/passes/kernel/live_registers.h"

#include "lower/pass_text.h"

namespace tensordsl::lower {
namespace {

int live(std::string_view body, bool half_arithmetic = false) {
  LoweredKernel kernel;
  kernel.body = ir::parse_stmt(body);
  kernel.half_arithmetic = half_arithmetic;
  return live_registers(kernel);
}

}  // namespace

TEST_CASE("live registers: those that are live at once count, not those that are declared") {
  // v is dead before w begins to live.
  CHECK(live(R"(alloc v: f32x8 [1] register { alloc w: f32x8 [1] register {
      store v[0] = b[ramp(0, 1, 8)]:f32x8
      store a[ramp(0, 1, 8)] = v[0]:f32x8
      store w[0] = b[ramp(8, 1, 8)]:f32x8
      store a[ramp(8, 1, 8)] = w[0]:f32x8
    } })") == 8);
  CHECK(live(R"(alloc v: f32x8 [1] register { alloc w: f32x8 [1] register {
      store v[0] = b[ramp(0, 1, 8)]:f32x8
      store w[0] = b[ramp(8, 1, 8)]:f32x8
      store a[ramp(0, 1, 8)] = v[0]:f32x8
      store a[ramp(8, 1, 8)] = w[0]:f32x8
    } })") == 16);
  // A sum is live all around its loop, with the loop's index; values that are loaded for a step are not.
  CHECK(live(R"(alloc v: f32x8 [1] register {
      store v[0] = broadcast(0.0, 8)
      for i in [0, 9) { store v[0] = v[0]:f32x8 + b[ramp(i, 1, 8)]:f32x8 }
      store a[ramp(0, 1, 8)] = v[0]:f32x8
    })") == 17);
  CHECK(live("let x = thread0*2 { let y = thread0 + 1 { store a[x] = 1.0 store a[y] = 2.0 } }") >= 2);
  CHECK(live("store a[0] = 1.0") == 0);
}

TEST_CASE("live registers: of the branches of a test, the one that needs more counts") {
  CHECK(live("let x = a[thread0] { if (thread0 < 3) { store b[0] = x } else { store b[0] = x + a[x] } }") ==
        live("let x = a[thread0] { store b[0] = x + a[x] }"));
}

TEST_CASE("live registers: f16 takes a register of 32 bits, and half of one where it is computed in f16") {
  const std::string body = R"(alloc v: f16x8 [1] register {
      store v[0] = b[ramp(0, 1, 8)]:f16x8
      store a[ramp(0, 1, 8)] = v[0]:f16x8
    })";
  CHECK(live(body) == 8);
  CHECK(live(body, true) == 4);
}

TEST_CASE("live registers: a kernel without a body has none") { CHECK(live_registers({}) == 0); }

}  // namespace tensordsl::lower
