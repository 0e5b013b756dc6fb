// promote_to_scalars.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "lower/pass_text.h"
#include "lower/passes/memory/promote_to_scalars.h"

namespace tensordsl::lower {
namespace {

ir::Stmt promote(const ir::Stmt& stmt) { return promote_to_scalars(stmt, {{"block0", {0, 1000}}}); }

}  // namespace

TEST_CASE("promote: a sum in global memory is in a register while its loop runs") {
  check_pass(promote, "for k in [0, 8) { store out[i] = out[i]:f32 + a[k]:f32 }", R"(
    alloc out.acc.0: f32 [1] register {
      store out.acc.0[0] = out[i]:f32
      for k in [0, 8) { store out.acc.0[0] = out.acc.0[0]:f32 + a[k]:f32 }
      store out[i] = out.acc.0[0]:f32
    })");
}

TEST_CASE("promote: over all the loops for which the element is the same, and in local memory") {
  check_pass(promote, R"(
    alloc t: i32 [8] local {
      for i in [0, 8) { for j in [0, 3) { for k in [0, 3) { store t[i] = max(t[i], a[j, k]) } } }
    })",
             R"(
    alloc t: i32 [8] local {
      for i in [0, 8) {
        alloc t.acc.0: i32 [1] register {
          store t.acc.0[0] = t[i]
          for j in [0, 3) { for k in [0, 3) { store t.acc.0[0] = max(t.acc.0[0], a[j, k]) } }
          store t[i] = t.acc.0[0]
        }
      }
    })");
}

TEST_CASE("promote: vectors, and several elements that are apart") {
  check_pass(promote, R"(
    for k in [0, 8) {
      store out[ramp(i*8, 1, 4)] = out[ramp(i*8, 1, 4)]:f32x4 + a[ramp(k, 1, 4)]:f32x4
      store out[ramp(i*8 + 4, 1, 4)] = out[ramp(i*8 + 4, 1, 4)]:f32x4 + a[ramp(k + 4, 1, 4)]:f32x4
    })",
             R"(
    alloc out.acc.0: f32x4 [1] register { alloc out.acc.1: f32x4 [1] register {
      store out.acc.0[0] = out[ramp(i*8, 1, 4)]:f32x4
      store out.acc.1[0] = out[ramp(i*8 + 4, 1, 4)]:f32x4
      for k in [0, 8) {
        store out.acc.0[0] = out.acc.0[0]:f32x4 + a[ramp(k, 1, 4)]:f32x4
        store out.acc.1[0] = out.acc.1[0]:f32x4 + a[ramp(k + 4, 1, 4)]:f32x4
      }
      store out[ramp(i*8, 1, 4)] = out.acc.0[0]:f32x4
      store out[ramp(i*8 + 4, 1, 4)] = out.acc.1[0]:f32x4
    } })");
}

TEST_CASE("promote: rows of symbolic length are apart where a test says that they are long enough") {
  const std::string rows = R"(
    for k in [0, 8) {
      store out[ramp(block0*4, 1, 4)] = out[ramp(block0*4, 1, 4)]:f32x4 + a[ramp(k, 1, 4)]:f32x4
      store out[ramp(block0*4 + n, 1, 4)] = out[ramp(block0*4 + n, 1, 4)]:f32x4 + a[ramp(k + 4, 1, 4)]:f32x4
    })";
  check_unchanged(promote, rows);
  CHECK(text_of(promote(ir::parse_stmt("if (block0*4 + 3 < n) {" + rows + "}"))).find("acc.1") !=
        std::string::npos);
}

TEST_CASE("promote: a loop that may not run must not write") {
  check_pass(promote, "for k in [0, n) { store out[i] = out[i]:f32 + a[k]:f32 }", R"(
    if (0 < n) {
      alloc out.acc.0: f32 [1] register {
        store out.acc.0[0] = out[i]:f32
        for k in [0, n) { store out.acc.0[0] = out.acc.0[0]:f32 + a[k]:f32 }
        store out[i] = out.acc.0[0]:f32
      }
    })");
  // The inner loop is tested in every iteration, so it is not part of a longer one.
  check_pass(promote, "for j in [0, 4) { for k in [0, n) { store out[i] = out[i]:f32 + a[k]:f32 } }", R"(
    for j in [0, 4) { if (0 < n) {
      alloc out.acc.0: f32 [1] register {
        store out.acc.0[0] = out[i]:f32
        for k in [0, n) { store out.acc.0[0] = out.acc.0[0]:f32 + a[k]:f32 }
        store out[i] = out.acc.0[0]:f32
      }
    } })");
}

TEST_CASE("promote: what a loop writes first is not read before it") {
  check_pass(promote, R"(
    alloc t: f32 [4] local {
      for j in [0, 4) {
        store t[0] = 0.0
        for k in [0, 4) { store t[0] = t[0]:f32 + a[k]:f32 }
        store out[j] = t[0]:f32
      }
    })",
             R"(
    alloc t: f32 [4] local {
      alloc t.acc.0: f32 [1] register {
        for j in [0, 4) {
          store t.acc.0[0] = 0.0
          for k in [0, 4) { store t.acc.0[0] = t.acc.0[0]:f32 + a[k]:f32 }
          store out[j] = t.acc.0[0]:f32
        }
        store t[0] = t.acc.0[0]:f32
      }
    })");
}

TEST_CASE("promote: a store under a test stays, for it may be another work-item's element") {
  check_unchanged(promote,
                  "for k in [0, 8) { if (a[k]:f32 < 1.0) { store out[i] = out[i]:f32 + a[k]:f32 } }");
  check_unchanged(promote, R"(
    for k in [0, 8) { if (k < n) { store out[i] = out[i]:f32 + 1.0 } else {
      store out[j] = out[j]:f32 + 1.0 } })");
  // Only one side of the select reads; the store is the first access that always happens.
  check_unchanged(promote, "for k in [0, 8) { store out[i] = select(k < n, out[i]:f32, 0.0) }");
}

TEST_CASE("promote: an element that another access may touch stays") {
  check_unchanged(promote, "for k in [0, 8) { store out[i] = out[i]:f32 + out[j]:f32 }");
  check_unchanged(promote, "for k in [0, 8) { store out[i] = out[i]:f32 + out[k]:f32 }");
  check_unchanged(promote, "for k in [0, 8) { store out[k] = out[k]:f32 + out[k - 1]:f32 }");
  check_unchanged(promote, "for k in [0, 8) { store out[b[0]] = out[b[0]]:f32 + a[k]:f32 }");
  check_unchanged(promote, R"(
    for k in [0, 8) {
      store out[ramp(i, 1, 4)] = out[ramp(i, 1, 4)]:f32x4 + a[ramp(k, 1, 4)]:f32x4
      store out[i + 3] = out[i + 3]:f32 + 1.0
    })");
}

TEST_CASE("promote: behind a barrier others read local memory; global memory is a work-item's own") {
  check_unchanged(promote, R"(
    alloc t: f32 [4] local {
      for k in [0, 8) { store t[0] = t[0]:f32 + a[k]:f32 barrier local store out[k] = t[1]:f32 barrier local }
    })");
  check_pass(promote, R"(
    alloc t: f32 [4] local {
      for k in [0, 8) {
        store t[thread0] = a[k]:f32 barrier local store out[i] = out[i]:f32 + t[3]:f32 barrier local
      }
    })",
             R"(
    alloc t: f32 [4] local {
      alloc out.acc.0: f32 [1] register {
        store out.acc.0[0] = out[i]:f32
        for k in [0, 8) {
          store t[thread0] = a[k]:f32 barrier local
          store out.acc.0[0] = out.acc.0[0]:f32 + t[3]:f32 barrier local
        }
        store out[i] = out.acc.0[0]:f32
      }
    })");
}

TEST_CASE("promote: f16, tiles of a work-item, and what is only read or only written stay") {
  check_unchanged(promote, "for k in [0, 8) { store out[i] = out[i]:f16 + a[k]:f16 }");
  check_unchanged(promote,
                  "alloc p: f32 [4] private { for k in [0, 8) { store p[0] = p[0]:f32 + a[k]:f32 } }");
  check_unchanged(promote, "for k in [0, 8) { store out[k] = sum[i]:f32 }");
  check_unchanged(promote, "for k in [0, 8) { store out[i] = a[k]:f32 }");
}

TEST_CASE("promote: more elements than there are registers for stay") {
  const auto tile = [](int vectors) {
    std::string text;
    for (int i = 0; i < vectors; ++i)
      text += fmt::format("store out[ramp({0}, 1, 16)] = out[ramp({0}, 1, 16)]:f32x16 + v:f32x16 ", i * 16);
    return fmt::format("for k in [0, 8) {{ {} }}", text);
  };
  check_unchanged(promote, tile(33));
  CHECK(text_of(promote(ir::parse_stmt(tile(32)))).find("out.acc.31") != std::string::npos);
}

}  // namespace tensordsl::lower
