// map_work_items and place_barriers.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lower/pass_text.h"
#include "lower/passes/work_items/map_work_items.h"
#include "lower/passes/work_items/place_barriers.h"

namespace tensordsl::lower {
namespace {

ir::Stmt barriers(const ir::Stmt& stmt) { return place_barriers(stmt); }

KernelBody mapped(std::string_view stmt, const ir::Bounds& bounds = {}) {
  return map_work_items({ir::parse_stmt(stmt)}, "out", bounds);
}

/// "groups x items: body"
void check_mapped(std::string_view before, const std::string& launch, std::string_view after) {
  const KernelBody work = mapped(before);
  std::vector<std::string> groups;
  for (const Expr& g : work.groups) groups.push_back(ir::print(g));
  CHECK(fmt::format("{} of {}", fmt::join(groups, " "), fmt::join(work.group_size, " ")) == launch);
  CHECK(text_of(work.body) == normalized(after));
}

std::string error(std::string_view stmt) {
  return error_of<ScheduleError>([&] { mapped(stmt); });
}

}  // namespace

TEST_CASE("work-items: block and thread loops become indices") {
  check_mapped("for x in [0, 14) block0 { for y in [2, 2 + 4) thread1 { store out[x*4 + y] = x } }",
               "14 1 1 of 1 4 1", "store out[block0*4 + (thread1 + 2)] = block0");
  check_mapped(
      "for z in [0, n) block2 { for y in [0, (m + 7)/8) block1 { for x in [0, 8) thread0 { store out[z, y, "
      "x] = 1 } } }",
      "1 (m + 7)/8 n of 8 1 1", "store out[block2, block1, thread0] = 1");
}

TEST_CASE("work-items: a nest without them is one work-item") {
  check_mapped("for x in [0, 14) { store out[x] = x }", "1 1 1 of 1 1 1",
               "for x in [0, 14) { store out[x] = x }");
}

TEST_CASE("work-items: serial loops inside stay, and what stands between stays around them") {
  check_mapped(
      "for x in [0, 4) block0 { if (x < n) { for y in [0, 4) thread0 { for k in [0, 3) { store out[x, y] = k "
      "} } } }",
      "4 1 1 of 4 1 1", "if (block0 < n) { for k in [0, 3) { store out[block0, thread0] = k } }");
}

TEST_CASE("work-items: storage below the thread loops is a work-item's own, above it is the group's") {
  check_mapped(
      "for x in [0, 4) block0 { alloc t: f32 [8] auto { for y in [0, 8) thread0 { store t[y] = 0.0 } } }",
      "4 1 1 of 8 1 1", "alloc t: f32 [8] local { store t[thread0] = 0.0 }");
  check_mapped(
      "for x in [0, 4) block0 { for y in [0, 8) thread0 { alloc t: f32 [1] auto { store t[0] = 0.0 } } }",
      "4 1 1 of 8 1 1", "alloc t: f32 [1] private { store t[0] = 0.0 }");
  check_mapped("for x in [0, 4) block0 { alloc t: f32 [1] auto { store t[0] = 0.0 } }", "4 1 1 of 1 1 1",
               "alloc t: f32 [1] private { store t[0] = 0.0 }");
}

TEST_CASE("work-items: a smaller nest is left to part of the group") {
  check_mapped(R"(
      alloc t: i32 [3] auto {
        for a in [0, 3) thread0 { store t[a] = a }
        for b in [0, 8) thread0 { store out[b] = t[0] }
      })",
               "1 1 1 of 8 1 1", R"(
      alloc t: i32 [3] local {
        if (thread0 < 3) { store t[thread0] = thread0 }
        barrier local
        store out[thread0] = t[0]
      })");
}

TEST_CASE("work-items: the bounds of the Params bound a loop's extent") {
  const KernelBody work = mapped("for x in [0, n/2) thread0 { store out[x] = x }", {{"n", {0, 9}}});
  CHECK(work.group_size == std::array<int, 3>{4, 1, 1});
  CHECK(text_of(work.body) == normalized("if (thread0 < n/2) { store out[thread0] = thread0 }"));
}

TEST_CASE("work-items: a store that is not spread over a dimension is done by its first work-item") {
  check_mapped(R"(
      alloc t: i32 [4] auto {
        for a in [0, 4) { store t[a] = a }
        for y in [0, 2) thread1 { for x in [0, 8) thread0 { store out[y, x] = t[0] } }
      })",
               "1 1 1 of 8 2 1", R"(
      alloc t: i32 [4] local {
        for a in [0, 4) {
          if (thread1 == 0) { if (thread0 == 0) { store t[a] = a } }
        }
        barrier local
        store out[thread1, thread0] = t[0]
      })");
}

TEST_CASE("work-items: what the schedule cannot mean is refused") {
  CHECK(error("for x in [0, 4) { for y in [0, 4) block0 { store out[x, y] = 0 } }") ==
        "out: the gpu_blocks loop \"y\" is inside the loop \"x\"; block loops must be outermost, so reorder "
        "them first");
  CHECK(error("for x in [0, 4) thread0 { for y in [0, 4) block0 { store out[x, y] = 0 } }") ==
        "out: the gpu_blocks loop \"y\" is inside a thread loop; block loops must be outermost, so reorder "
        "them first");
  CHECK(
      error(
          "for x in [0, 4) block0 { alloc t: i32 [1] auto { for y in [0, 4) block1 { store t[0] = y } } }") ==
      "out: the gpu_blocks loop \"y\" is inside another Func's work-group; a Func that is computed there "
      "cannot have block loops");
  CHECK(error("for x in [0, 4) thread0 { for y in [0, 4) thread0 { store out[x, y] = 0 } }") ==
        "out: the gpu_threads loop \"y\" is inside a loop over the same work-items (dimension 0); compute it "
        "further out, "
        "between the block and the thread loops, or leave its loops serial");
  CHECK(error("for x in [0, 4) vectorized { for y in [0, 4) thread0 { store out[y, x] = 0 } }") ==
        "out: the gpu_threads loop \"y\" is inside the vectorized loop \"x\"; reorder them");
  CHECK(error("for x in [0, n) thread0 { store out[x] = 0 }") ==
        "out: the gpu_threads loop \"x\" has the extent n, which has no constant bound; split it by a "
        "constant first");
  CHECK(error("for x in [0, 5000) thread0 { store out[x] = 0 }") ==
        "out: the gpu_threads loop \"x\" has 5000 iterations, more work-items than any device has in a "
        "group; split it");
}

TEST_CASE("barriers: between a write of local memory and what touches it next") {
  check_pass(barriers, R"(
    alloc t: i32 [8] local {
      for a in [0, 8) thread0 { store t[a] = a }
      for b in [0, 8) thread0 { store out[b] = t[7 - b] }
    })",
             R"(
    alloc t: i32 [8] local {
      for a in [0, 8) thread0 { store t[a] = a }
      barrier local
      for b in [0, 8) thread0 { store out[b] = t[7 - b] }
    })");
}

TEST_CASE("barriers: between a read and a write, and between two writes") {
  check_pass(barriers, R"(
    alloc t: i32 [8] local {
      for a in [0, 8) thread0 { store out[a] = t[7 - a] }
      for b in [0, 8) thread0 { store t[b] = b }
      for c in [0, 8) thread0 { store t[7 - c] = c }
    })",
             R"(
    alloc t: i32 [8] local {
      for a in [0, 8) thread0 { store out[a] = t[7 - a] }
      barrier local
      for b in [0, 8) thread0 { store t[b] = b }
      barrier local
      for c in [0, 8) thread0 { store t[7 - c] = c }
    })");
}

TEST_CASE("barriers: none between reads, of different tiles, or of private and global memory") {
  check_unchanged(barriers, R"(
    alloc t: i32 [8] local { alloc s: i32 [8] local { alloc p: i32 [8] private {
      for a in [0, 8) thread0 { store t[a] = a store p[a] = a }
      for b in [0, 8) thread0 { store s[b] = b store g[b] = p[b] }
      for c in [0, 8) thread0 { store p[c] = g[c] }
    } } })");
  check_unchanged(barriers, R"(
    alloc t: i32 [8] local {
      for a in [0, 8) thread0 { store out[a] = t[a] }
      for b in [0, 8) thread0 { store out[b] = t[b + 1] }
    })");
}

TEST_CASE("barriers: at the end of a loop whose next iteration overwrites what this one reads") {
  check_pass(barriers, R"(
    alloc t: i32 [8] local {
      for k in [0, 4) {
        for a in [0, 8) thread0 { store t[a] = k }
        for b in [0, 8) thread0 { store out[b] = t[7 - b] }
      }
    })",
             R"(
    alloc t: i32 [8] local {
      for k in [0, 4) {
        for a in [0, 8) thread0 { store t[a] = k }
        barrier local
        for b in [0, 8) thread0 { store out[b] = t[7 - b] }
        barrier local
      }
    })");
}

TEST_CASE("barriers: one serves several tiles") {
  check_pass(barriers, R"(
    alloc t: i32 [8] local { alloc s: i32 [8] local {
      for a in [0, 8) thread0 { store t[a] = a }
      for b in [0, 8) thread0 { store s[b] = b }
      for c in [0, 8) thread0 { store out[c] = t[7 - c] + s[7 - c] }
    } })",
             R"(
    alloc t: i32 [8] local { alloc s: i32 [8] local {
      for a in [0, 8) thread0 { store t[a] = a }
      for b in [0, 8) thread0 { store s[b] = b }
      barrier local
      for c in [0, 8) thread0 { store out[c] = t[7 - c] + s[7 - c] }
    } })");
}

TEST_CASE("barriers: none where each work-item touches only what it wrote itself") {
  // An initialization and its update; in the loop, one iteration and the next.
  check_unchanged(barriers, R"(
    alloc t: i32 [8] local {
      for a in [0, 8) thread0 { store t[a] = 0 }
      for k in [0, 16) { for b in [0, 8) thread0 { store t[b] = t[b] + g[k, b] } }
    })");
  check_unchanged(barriers, R"(
    alloc t: i32 [4, 8] local {
      for y in [0, 2) thread1 { for i in [0, 2) unrolled { for x in [0, 8) thread0 {
        store t[y*2 + i, x] = 0 } } }
      for y in [0, 2) thread1 { for i in [0, 2) { for x in [0, 8) thread0 {
        store t[y*2 + i, x] = t[y*2 + i, x] + 1 } } }
    })");
  // A row of eight elements for each four work-items, two for each.
  check_unchanged(barriers, R"(
    alloc t: i32 [4, 8] local {
      for a in [0, 16) thread0 { for v in [0, 2) vectorized { store t[a/4, a%4*2 + v] = 0 } }
      for b in [0, 16) thread0 { for v in [0, 2) { store out[b, v] = t[b/4, b%4*2 + v] } }
    })");
}

TEST_CASE("barriers: the work of one work-item over a loop is handed over once") {
  check_pass(barriers, R"(
    alloc s: f32 [1] local {
      store s[0] = 0.0
      for k in [0, 256) { store s[0] = s[0]:f32 + g[k]:f32 }
      for a in [0, 8) thread0 { store out[a] = s[0]:f32 }
    })",
             R"(
    alloc s: f32 [1] local {
      store s[0] = 0.0
      for k in [0, 256) { store s[0] = s[0]:f32 + g[k]:f32 }
      barrier local
      for a in [0, 8) thread0 { store out[a] = s[0]:f32 }
    })");
}

TEST_CASE("barriers: one where the same elements are another work-item's") {
  // Another order of dimensions, another width, or a dimension that the other loops do not use.
  check_pass(barriers, R"(
    alloc t: i32 [8, 8] local {
      for y in [0, 8) thread1 { for x in [0, 8) thread0 { store t[y, x] = 0 } }
      for y in [0, 8) thread1 { for x in [0, 8) thread0 { store out[y, x] = t[x, y] } }
    })",
             R"(
    alloc t: i32 [8, 8] local {
      for y in [0, 8) thread1 { for x in [0, 8) thread0 { store t[y, x] = 0 } }
      barrier local
      for y in [0, 8) thread1 { for x in [0, 8) thread0 { store out[y, x] = t[x, y] } }
    })");
  check_pass(barriers, R"(
    alloc t: i32 [16] local {
      for a in [0, 8) thread0 { for v in [0, 2) { store t[a*2 + v] = 0 } }
      for b in [0, 8) thread0 { for v in [0, 2) { store out[b, v] = t[v*8 + b] } }
    })",
             R"(
    alloc t: i32 [16] local {
      for a in [0, 8) thread0 { for v in [0, 2) { store t[a*2 + v] = 0 } }
      barrier local
      for b in [0, 8) thread0 { for v in [0, 2) { store out[b, v] = t[v*8 + b] } }
    })");
  check_pass(barriers, R"(
    alloc t: i32 [8] local {
      for x in [0, 8) thread0 { store t[x] = 0 }
      for y in [0, 2) thread1 { for x in [0, 8) thread0 { store out[y, x] = t[x] } }
    })",
             R"(
    alloc t: i32 [8] local {
      for x in [0, 8) thread0 { store t[x] = 0 }
      barrier local
      for y in [0, 2) thread1 { for x in [0, 8) thread0 { store out[y, x] = t[x] } }
    })");
}

TEST_CASE("barriers: one where an element is found in memory, or an iteration reads what another wrote") {
  check_pass(barriers, R"(
    alloc t: i32 [8] local {
      for a in [0, 8) thread0 { store t[a] = 0 }
      for b in [0, 8) thread0 { store out[b] = t[g[b]] }
    })",
             R"(
    alloc t: i32 [8] local {
      for a in [0, 8) thread0 { store t[a] = 0 }
      barrier local
      for b in [0, 8) thread0 { store out[b] = t[g[b]] }
    })");
  check_pass(barriers, R"(
    alloc t: i32 [12] local {
      for k in [0, 4) { for a in [0, 8) thread0 { store t[k + a] = t[k + a] + 1 } }
    })",
             R"(
    alloc t: i32 [12] local {
      for k in [0, 4) { for a in [0, 8) thread0 { store t[k + a] = t[k + a] + 1 } barrier local }
    })");
}

TEST_CASE("barriers: one between two stages of an iteration keeps the next iteration apart as well") {
  check_pass(barriers, R"(
    alloc t: i32 [8] local { alloc s: i32 [8] local {
      for k in [0, 4) {
        for a in [0, 8) thread0 { store t[a] = k }
        for b in [0, 8) thread0 { store s[b] = t[7 - b] }
        for c in [0, 8) thread0 { store out[c] = s[7 - c] }
      }
    } })",
             R"(
    alloc t: i32 [8] local { alloc s: i32 [8] local {
      for k in [0, 4) {
        for a in [0, 8) thread0 { store t[a] = k }
        barrier local
        for b in [0, 8) thread0 { store s[b] = t[7 - b] }
        barrier local
        for c in [0, 8) thread0 { store out[c] = s[7 - c] }
      }
    } })");
}

}  // namespace tensordsl::lower
