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

/// Counts those of a compiler that gathers reads.
int gathered(std::string_view body) {
  LoweredKernel kernel;
  kernel.body = ir::parse_stmt(body);
  return live_registers(kernel, true);
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

TEST_CASE("live registers: a compiler that gathers reads begins with all reads of a run of statements") {
  const std::string sums = R"(alloc v: f32x4 [1] register {
      store v[0] = a[ramp(0, 1, 4)]:f32x4 + b[ramp(0, 1, 4)]:f32x4
      store c[ramp(0, 1, 4)] = v[0]:f32x4
      store v[0] = a[ramp(4, 1, 4)]:f32x4 + b[ramp(4, 1, 4)]:f32x4
      store c[ramp(4, 1, 4)] = v[0]:f32x4
    })";
  CHECK(live(sums) == 8);
  CHECK(gathered(sums) == 16);
}

TEST_CASE("live registers: a compiler that gathers reads unrolls short loops, and no kept or long ones") {
  const auto sum = [](const std::string& trips, const std::string& kind) {
    return "alloc v: f32x4 [1] register { store v[0] = broadcast(0.0, 4) for i in [0, " + trips + ") " +
           kind +
           "{ store v[0] = v[0]:f32x4 + b[ramp(i*4, 1, 4)]:f32x4 } store a[ramp(0, 1, 4)] = v[0]:f32x4 }";
  };
  CHECK(gathered(sum("9", "")) == 4 * 9);
  CHECK(gathered(sum("9", "kept ")) == 9);
  CHECK(gathered(sum("40", "")) == 9);
  CHECK(gathered(sum("n", "")) == 9);
}

TEST_CASE("live registers: a compiler that gathers reads computes addresses of stores meanwhile") {
  LoweredKernel kernel;
  kernel.body = ir::parse_stmt(R"(
      store a[ramp(0, 1, 8)] = b[ramp(0, 1, 8)]:f32x8
      store a[ramp(8, 1, 8)] = b[ramp(0, 1, 8)]:f32x8)");
  CHECK(live_registers(kernel, true) == 8);  // the second read is that of the first
  kernel.buffers.emplace_back().name = "a";
  CHECK(live_registers(kernel, true) == 8 + 2 * 4);
  kernel.buffers.emplace_back().name = "b";
  CHECK(live_registers(kernel, true) == 8 + 2 * 4 + 4);
  kernel.buffers.front().image.emplace();
  CHECK(live_registers(kernel, true) == 8 + 2 * 2 + 4);
}

TEST_CASE("live registers: a kernel without a body has none") { CHECK(live_registers({}) == 0); }

}  // namespace tensordsl::lower
