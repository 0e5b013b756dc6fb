// unswitch_loops.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "lower/pass_text.h"
#include "lower/passes/loops/unswitch_loops.h"

namespace tensordsl::lower {
namespace {

/// Runs the pass for groups of four work-items.
ir::Stmt unswitch(const ir::Stmt& stmt) {
  return unswitch_loops(stmt, {{"thread0", {0, 3}}, {"block0", {0, 1000}}, {"block1", {0, 1000}}});
}

}  // namespace

TEST_CASE("unswitch: tests that do not change are made once, outside the loop and the storage it uses") {
  check_pass(unswitch, R"(
    alloc acc: f32 [1] private {
      store acc[0] = 0.0
      for k in [0, n) { store acc[0] = acc[0]:f32 + select(1 <= block0 && block1 < 7, a[k]:f32, 0.0) }
      store out[block0] = acc[0]:f32
    })",
             R"(
    if (1 <= block0 && block1 < 7) {
      alloc acc: f32 [1] private {
        store acc[0] = 0.0
        for k in [0, n) { store acc[0] = acc[0]:f32 + a[k]:f32 }
        store out[block0] = acc[0]:f32
      }
    } else {
      alloc acc: f32 [1] private {
        store acc[0] = 0.0
        for k in [0, n) { store acc[0] = acc[0]:f32 + 0.0 }
        store out[block0] = acc[0]:f32
      }
    })");
}

TEST_CASE("unswitch: where one test decides, it does so in both copies") {
  check_pass(unswitch, "for k in [0, n) { store out[k] = select(1 <= block0, a[k]:f32, 0.0) }", R"(
    if (1 <= block0) { for k in [0, n) { store out[k] = a[k]:f32 } }
    else { for k in [0, n) { store out[k] = 0.0 } })");
  // A concatenation of three tensors has this form.
  check_pass(unswitch, R"(
    for k in [0, n) {
      store out[k] = select(block0 < 4, a[k]:f32, select(block1 < 8, b[k]:f32, c[k]:f32))
    })",
             R"(
    if (block0 < 4 && block1 < 8) { for k in [0, n) { store out[k] = a[k]:f32 } }
    else { for k in [0, n) {
      store out[k] = select(block0 < 4, a[k]:f32, select(block1 < 8, b[k]:f32, c[k]:f32)) } })");
}

TEST_CASE("unswitch: a full tile of symbolic extents is one straight body") {
  check_pass(unswitch, R"(
    for k in [0, n) {
      if (block0*2 < m) { for v in [0, (min(m - block0*2, 2) + 1)/2) {
        if (block0*2 + 1 < m) { store out[ramp(block0*2, 1, 2)] = a[k]:f32 } else {
          store out[block0*2] = a[k]:f32 }
      } }
    })",
             R"(
    if (block0*2 < m) {
      if (block0*2 + 1 < m) {
        for k in [0, n) { store out[ramp(block0*2, 1, 2)] = broadcast(a[k]:f32, 2) }
      } else {
        for k in [0, n) { for v in [0, (m + 1)/2 - block0) { store out[block0*2] = a[k]:f32 } }
      }
    })");
}

TEST_CASE("unswitch: of tests that differ by a constant the strictest is made") {
  check_pass(unswitch, R"(
    for k in [0, n) {
      store out[k] = select(block0 < m, a[k]:f32, 0.0) + select(block0 + 3 < m, b[k]:f32, 0.0)
    })",
             R"(
    if (block0 + 3 < m) { for k in [0, n) { store out[k] = a[k]:f32 + b[k]:f32 } }
    else { for k in [0, n) { store out[k] = select(block0 < m, a[k]:f32, 0.0) + 0.0 } })");
}

TEST_CASE("unswitch: the choice is the same for all work-items of a group") {
  check_pass(unswitch, R"(
    for k in [0, n) { store out[k, thread0] = select(block0*4 + thread0 < m, a[k]:f32, 0.0) })",
             R"(
    if (block0*4 + 3 < m) { for k in [0, n) { store out[k, thread0] = a[k]:f32 } }
    else { for k in [0, n) { store out[k, thread0] = select(block0*4 + thread0 < m, a[k]:f32, 0.0) } })");
  // No whole group is on one side of the test.
  check_unchanged(unswitch, "for k in [0, n) { store out[k, thread0] = select(thread0 < 3, a[k]:f32, 0.0) }");
}

TEST_CASE("unswitch: what holds a barrier is not copied, the loops between barriers are") {
  check_pass(unswitch, R"(
    for k in [0, n) {
      for i in [0, 8) { store t[thread0*8 + i] = select(1 <= block0, a[k, i]:f32, 0.0) }
      barrier local
      store out[k] = t[0]:f32
    })",
             R"(
    for k in [0, n) {
      if (1 <= block0) { for i in [0, 8) { store t[thread0*8 + i] = a[k, i]:f32 } }
      else { for i in [0, 8) { store t[thread0*8 + i] = 0.0 } }
      barrier local
      store out[k] = t[0]:f32
    })");
}

TEST_CASE("unswitch: a loop that is one test becomes that test, with the loop in it") {
  check_pass(
      unswitch,
      "for k in [0, n) { if (thread0 == 0) { if (x < k && y < 4) { store s[0] = s[0]:f32 + a[k]:f32 } } }",
      "if (thread0 == 0) { if (y < 4) { for k in [0, n) { if (x < k) { store s[0] = s[0]:f32 + a[k]:f32 } } "
      "} }");
  check_pass(unswitch, "for k in [0, n) { if (flag[0] < 1) { store s[0] = s[0]:f32 + a[k]:f32 } }",
             "for k in [0, n) { if (flag[0] < 1) { store s[0] = s[0]:f32 + a[k]:f32 } }");
  check_pass(
      unswitch,
      "for j in [0, n) { for k in [0, n) { if (thread0 == 0 && j == 1) { store s[0] = a[k]:f32 } } }",
      "if (thread0 == 0) { for j in [0, n) { if (j == 1) { for k in [0, n) { store s[0] = a[k]:f32 } } } }");
}

TEST_CASE("unswitch: a test that changes with a loop in another way than growing leaves the loops inside") {
  check_pass(unswitch, R"(
    for j in [0, 8) { for k in [0, n) { store out[j, k] = select(j%4 < 3, a[k]:f32, 0.0) } })",
             R"(
    for j in [0, 8) {
      if (j%4 < 3) { for k in [0, n) { store out[j, k] = a[k]:f32 } }
      else { for k in [0, n) { store out[j, k] = 0.0 } }
    })");
  check_unchanged(unswitch,
                  "for j in [0, 8) { for k in [0, n) { store out[j, k] = select(j < m, a[k]:f32, 0.0) } }");
}

TEST_CASE("unswitch: outside of loops, vectors and many reads behind one test are worth a copy") {
  check_pass(unswitch,
             R"(store out[ramp(block0*4, 1, 4)] =
               select(broadcast(1, 4) <= ramp(block0*4, 1, 4), a[ramp(block0*4 - 1, 1, 4)]:f32x4,
                 broadcast(0.0, 4)))",
             R"(
    if (1 <= block0) { store out[ramp(block0*4, 1, 4)] = a[ramp(block0*4 - 1, 1, 4)]:f32x4 }
    else { store out[ramp(0, 1, 4)] =
      select(broadcast(1, 4) <= ramp(0, 1, 4), a[ramp(-1, 1, 4)]:f32x4, broadcast(0.0, 4)) })");
  const char* one = "store out[{0}] = select(1 <= block0, a[{0}]:f32, 0.0)";
  std::string four;
  for (int i = 0; i < 4; ++i) four += fmt::format(fmt::runtime(one), i) + " ";
  check_pass(unswitch, four,
             R"(
    if (1 <= block0) { store out[0] = a[0]:f32 store out[1] = a[1]:f32 store out[2] = a[2]:f32
      store out[3] = a[3]:f32 }
    else { store out[0] = 0.0 store out[1] = 0.0 store out[2] = 0.0 store out[3] = 0.0 })");
  check_unchanged(unswitch, fmt::format(fmt::runtime(one), 0));
}

TEST_CASE("unswitch: a kernel of many statements is not copied") {
  std::string stores;
  for (int i = 0; i < 520; ++i)
    stores += fmt::format("store out[k, {}] = select(1 <= block0, a[k]:f32, 0.0) ", i);
  check_unchanged(unswitch, fmt::format("for k in [0, n) {{ {} }}", stores));
}

TEST_CASE("unswitch: tests of other kinds, and those made once in an iteration of longer loops, stay") {
  check_unchanged(unswitch, "for k in [0, n) { store out[k] = select(block0 == 3, a[k]:f32, 0.0) }");
  check_unchanged(unswitch, "for k in [0, n) { store out[k] = select(1 <= block0, 1.0, 0.0) }");
  check_unchanged(unswitch, "for k in [0, n) { store out[k] = select(g[0] < 4, a[k]:f32, 0.0) }");
  check_unchanged(unswitch, R"(
    for j in [0, n) {
      if (block0 < 4) { store next[j] = a[j]:f32 }
      for k in [0, 64) { store acc[0] = acc[0]:f32 + b[k]:f32 }
    })");
}

}  // namespace tensordsl::lower
