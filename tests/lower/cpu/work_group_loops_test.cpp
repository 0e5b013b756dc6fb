// Work-items as loops, text in, text out. tests/fuzz compares them with the work-items for every case that it
// draws.
#include "lower/cpu/work_group_loops.h"

#include <doctest/doctest.h>

#include "ir/text/parse.h"
#include "ir/text/print.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {
namespace {

LoweredKernel kernel_of(const std::string& body, std::array<int, 3> group_size, int sub_group_size = 0) {
  LoweredKernel kernel;
  kernel.name = "k";
  kernel.group_size = group_size;
  kernel.sub_group_size = sub_group_size;
  kernel.body = ir::parse_stmt(body);
  return kernel;
}

std::string loops_of(const std::string& body, std::array<int, 3> group_size, int sub_group_size = 0) {
  const LoweredKernel loops = as_work_group_loops(kernel_of(body, group_size, sub_group_size));
  CHECK(loops.group_size == std::array<int, 3>{1, 1, 1});
  CHECK(loops.sub_group_size == 0);
  return ir::print(loops.body);
}

std::string text(const std::string& stmt) { return ir::print(ir::parse_stmt(stmt)); }

}  // namespace

TEST_CASE("work-group loops: a kernel without barriers is one loop for each dimension, the first innermost") {
  CHECK(loops_of("store out[thread1*4 + thread0] = in[thread0]:f32", {4, 2, 1}) ==
        text("for item.1 in [0, 2) serial { for item.2 in [0, 4) serial { store out[item.1*4 + item.2] = "
             "in[item.2]:f32 } }"));
}

TEST_CASE("work-group loops: a group of one work-item has no loop") {
  CHECK(loops_of("store out[block0 + thread0] = in[thread1]:f32", {1, 1, 1}) ==
        text("store out[block0] = in[0]:f32"));
}

TEST_CASE("work-group loops: work-items write a tile, and behind the barrier read it") {
  CHECK(
      loops_of(
          "alloc t: f32 [4] local { store t[thread0] = a[thread0]:f32 barrier local store b[thread0] = t[3 - "
          "thread0]:f32 }",
          {4, 1, 1}) == text("alloc t: f32 [4] private { for item.2 in [0, 4) serial { store t[item.2] = "
                             "a[item.2]:f32 } for item.2 in "
                             "[0, 4) serial { store b[item.2] = t[3 - item.2]:f32 } }"));
}

TEST_CASE("work-group loops: a loop around barriers stands around the work-items' loops") {
  CHECK(
      loops_of(
          "alloc t: f32 [4] local { for k in [0, n) serial { store t[thread0] = a[k*4 + thread0]:f32 barrier "
          "local store b[k*4 + thread0] = t[3 - thread0]:f32 barrier local } }",
          {4, 1, 1}) ==
      text("alloc t: f32 [4] private { for k in [0, n) serial { for item.2 in [0, 4) serial { store "
           "t[item.2] = a[k*4 "
           "+ item.2]:f32 } for item.2 in [0, 4) serial { store b[k*4 + item.2] = t[3 - item.2]:f32 } } }"));
}

TEST_CASE("work-group loops: what a register holds over a barrier is an array over the work-items") {
  const std::string found = loops_of(
      "alloc r: f32x4 [1] register { store r[0] = a[ramp(thread0*4, 1, 4)]:f32x4 barrier global store "
      "b[ramp(thread0*4, "
      "1, 4)] = r[0]:f32x4 }",
      {8, 1, 1});
  CHECK(found.find("alloc r: f32 [32] private") != std::string::npos);
  CHECK(found.find("store r[ramp(item.2*4, 1, 4) align 4] = a[ramp(item.2*4, 1, 4)]") != std::string::npos);
}

TEST_CASE("work-group loops: a register that no barrier sees stays one") {
  const std::string found = loops_of(
      "alloc r: f32 [1] register { store r[0] = a[thread0]:f32 store b[thread0] = r[0]:f32 } barrier global "
      "store "
      "c[thread0] = b[7 - thread0]:f32",
      {8, 1, 1});
  CHECK(found.find("alloc r: f32 [1] register") != std::string::npos);
}

TEST_CASE("work-group loops: a name is computed anew behind a barrier, unless it was read from memory") {
  const std::string computed =
      loops_of("let i = thread0*3 { store b[i] = 1.0 barrier global store c[i] = b[i + 1]:f32 }", {4, 1, 1});
  CHECK(computed.find("alloc") == std::string::npos);
  const std::string read = loops_of(
      "let v = a[thread0]:f32 { store a[thread0 + 4] = v:f32 barrier global store a[thread0] = v:f32 }",
      {4, 1, 1});
  CHECK(read.find("alloc v.0: f32 [4] private") != std::string::npos);
  CHECK(read.find("store v.0[item.2] = a[item.2]:f32") != std::string::npos);
}

TEST_CASE("work-group loops: a test that all pass alike is made once") {
  CHECK(loops_of(
            "if (block0 < n) { store t[thread0] = 1.0 barrier global store b[thread0] = t[3 - thread0]:f32 }",
            {4, 1, 1}) == text("if (block0 < n) { for item.2 in [0, 4) serial { store t[item.2] = 1.0 } for "
                               "item.2 in [0, 4) serial { "
                               "store b[item.2] = t[3 - item.2]:f32 } }"));
}

TEST_CASE("work-group loops: a sum over a sub-group is a loop over its work-items") {
  const std::string found = loops_of(
      "alloc s: f32 [1] register { store s[0] = sub_group_reduce_add(a[thread0]:f32) store b[thread0] = "
      "s[0]:f32 }",
      {16, 1, 1}, 8);
  CHECK(found.find("for sub_group.0 in [0, 2) {") != std::string::npos);
  CHECK(found.find("alloc s: f32 [8] private") != std::string::npos);
  CHECK(found.find("sub_group_reduce_add") == std::string::npos);
}

TEST_CASE("work-group loops: products of matrices are refused") {
  const LoweredKernel kernel = kernel_of(
      "alloc c: f32x4 [1] register { store c[0] = sub_group_multiply(broadcast(a[0]:f16, 8), "
      "broadcast(a[0]:f16, 4), "
      "c[0]:f32x4) }",
      {32, 1, 1}, 32);
  CHECK_THROWS_WITH_AS(
      as_work_group_loops(kernel),
      "kernel k: matrix_multiply needs a device with matrix units for sub-groups; drop it for this device",
      ScheduleError);
}

}  // namespace tensordsl::lower
