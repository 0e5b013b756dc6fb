// flatten_storage, scalarize_register_tiles, outline_kernel and count_resources.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tuple>

#include "ir/simplify/simplify.h"
#include "lower/pass_text.h"
#include "lower/passes/kernel/count_resources.h"
#include "lower/passes/kernel/outline_kernel.h"
#include "lower/passes/memory/flatten_storage.h"
#include "lower/passes/memory/scalarize_register_tiles.h"

namespace tensordsl::lower {
namespace {

const std::vector<std::string> kYxc{"y", "x", "c"};

ir::Stmt addresses(const ir::Stmt& stmt) {
  const StoredTensors tensors{
      {"in", {Float(32), {Expr(4), Expr(5), Expr(6)}, Layout::row_major(3)}},
      {"out", {Float(32), {Expr(4), Expr(5), Expr(6)}, Layout::parse("c/4 y x c%4", kYxc)}},
      {"sized", {Float(32), {ir::make_var("h"), ir::make_var("w")}, Layout::row_major(2)}},
      {"tile", {Float(32), {}, Layout::parse("x y", {"y", "x"})}},
  };
  return ir::simplify(with_linear_addresses(stmt, tensors));
}

using Access = KernelArgument::Access;

/// The kernel of a body over buffers a, b (f32 [n]) and c (f16 [16]).
LoweredKernel kernel(std::string_view body, std::array<Expr, 3> groups = {Expr(1), Expr(1), Expr(1)}) {
  const Expr n = ir::make_var("n");
  Tensors tensors;
  const std::vector<std::tuple<std::string, Type, Expr>> buffers{
      {"a", Float(32), n}, {"b", Float(32), n}, {"c", Float(16), Expr(16)}, {"n2", Int(32), Expr(1)}};
  for (const auto& [buffer, type, extent] : buffers) {
    tensors.stored[buffer] = {type, {extent}, Layout::row_major(1)};
    tensors.elements[buffer] = extent;
  }
  LoweredKernel k = outline_kernel("k", {ir::parse_stmt(body), std::move(groups), {4, 1, 1}}, tensors);
  k.resources = count_resources(k);
  return k;
}

std::string signature(const LoweredKernel& k) {
  std::vector<std::string> arguments;
  for (const BufferArgument& b : k.buffers) {
    const char* access = b.access == Access::ReadOnly    ? "read"
                         : b.access == Access::WriteOnly ? "write"
                                                         : "read-write";
    arguments.push_back(fmt::format("{} {}", access, b.name));
  }
  for (const ScalarArgument& s : k.scalars)
    arguments.push_back(fmt::format("{} {}", to_string(s.type), s.name));
  return fmt::format("{}", fmt::join(arguments, ", "));
}

}  // namespace

TEST_CASE("addresses: indices become one linear index in the order of the layout") {
  check_pass(addresses, "store in[y, x, c] = 0", "store in[y*30 + x*6 + c] = 0");
  check_pass(addresses, "store out[y, x, c] = in[y, x, 3]",
             "store out[c/4*80 + y*20 + x*4 + c%4] = in[y*30 + x*6 + 3]");
}

TEST_CASE("addresses: symbolic extents multiply") {
  check_pass(addresses, "store sized[y, x] = 0", "store sized[w*y + x] = 0");
}

TEST_CASE("addresses: a read inside an index is converted too") {
  check_pass(addresses, "store in[0, 0, in[y, 1, 2]] = 0", "store in[in[y*30 + 8]] = 0");
}

TEST_CASE("addresses: an allocation gets its layout and one constant extent, for its largest size") {
  check_pass(addresses, "alloc tile: f32 [3, 4] private { store tile[y, x] = 0.0 }",
             "alloc tile: f32 [12] private { store tile[x*3 + y] = 0.0 }");
  check_pass(addresses,
             "for k in [0, 4) { alloc tile: f32 [k + 1, min(n, 8)] private { store tile[y, x] = 0.0 } }",
             "for k in [0, 4) { alloc tile: f32 [32] private { store tile[x*4 + y] = 0.0 } }");
}

TEST_CASE("addresses: a size that a loop of symbolic length bounds is constant") {
  check_pass(addresses,
             "for k in [0, n) { alloc tile: f32 [k - n + 8, 2] private { store tile[y, x] = 0.0 } }",
             "for k in [0, n) { alloc tile: f32 [14] private { store tile[x*7 + y] = 0.0 } }");
}

TEST_CASE("addresses: a quotient is no larger than that of a minimum's side") {
  check_pass(addresses,
             "for b in [0, n) { alloc tile: f32 [min(b*16 + 15, n - 1)/16 - b + 1, 2] private "
             "{ store tile[y, x] = 0.0 } }",
             "for b in [0, n) { alloc tile: f32 [2] private { store tile[x + y] = 0.0 } }");
}

TEST_CASE("addresses: a tile of f16 stays one, wherever it lies") {
  for (const std::string memory : {"private", "local"}) {
    check_pass(addresses,
               "alloc tile: f16 [2, 2] " + memory +
                   " { store tile[0, 0] = 1.0:f16 store in[0, 0, 0] = tile[1, 1]:f16 }",
               "alloc tile: f16 [4] " + memory + " { store tile[0] = 1.0:f16 store in[0] = tile[3]:f16 }");
  }
}

TEST_CASE("addresses: an allocation without a constant size is refused") {
  CHECK(error_of<ScheduleError>(
            [] { addresses(ir::parse_stmt("alloc tile: f32 [n, 4] private { store tile[y, x] = 0.0 }")); }) ==
        "tile: storage inside a kernel needs a constant size, but an extent is n; split the consumer's loop "
        "by a constant, or use compute_root");
}

TEST_CASE("scalarize: what nobody reads or writes of an array goes") {
  check_pass(scalarize_register_tiles, "alloc t: f32 [4] private { store out[0] = 1.0 }",
             "store out[0] = 1.0");
  check_pass(scalarize_register_tiles,
             "alloc t: f32 [3] private { store t[2] = 1.0 store out[0] = t[2]:f32 }",
             "alloc t.2: f32 [1] register { store t.2[0] = 1.0 store out[0] = t.2[0]:f32 }");
}

TEST_CASE("register tiles: an array whose indices are constant becomes named variables") {
  check_pass(scalarize_register_tiles,
             "alloc t: f32 [2] private { store t[0] = 1.0 store t[1] = t[0]:f32 store out[0] = t[1]:f32 }",
             R"(
    alloc t.0: f32 [1] register { alloc t.1: f32 [1] register {
      store t.0[0] = 1.0
      store t.1[0] = t.0[0]:f32
      store out[0] = t.1[0]:f32
    } })");
}

TEST_CASE("register tiles: stores of vectors make vector variables") {
  check_pass(scalarize_register_tiles, R"(
    alloc t: f32 [8] private {
      store t[ramp(0, 1, 4)] = broadcast(0.0, 4)
      store t[ramp(4, 1, 4)] = broadcast(1.0, 4)
      store out[ramp(0, 1, 4)] = t[ramp(4, 1, 4)]:f32x4
    })",
             R"(
    alloc t.0: f32x4 [1] register { alloc t.1: f32x4 [1] register {
      store t.0[0] = broadcast(0.0, 4)
      store t.1[0] = broadcast(1.0, 4)
      store out[ramp(0, 1, 4)] = t.1[0]:f32x4
    } })");
}

TEST_CASE("register tiles: a load may take part of a variable or join several") {
  check_pass(scalarize_register_tiles, R"(
    alloc t: f32 [8] private {
      store t[ramp(0, 1, 4)] = broadcast(0.0, 4)
      store t[ramp(4, 1, 4)] = broadcast(1.0, 4)
      store out[0] = t[2]:f32
      store out[ramp(0, 1, 4)] = t[ramp(2, 1, 4)]:f32x4
    })",
             R"(
    alloc t.0: f32x4 [1] register { alloc t.1: f32x4 [1] register {
      store t.0[0] = broadcast(0.0, 4)
      store t.1[0] = broadcast(1.0, 4)
      store out[0] = slice(t.0[0]:f32x4, 2, 1)
      store out[ramp(0, 1, 4)] = concat(slice(t.0[0]:f32x4, 2, 2), slice(t.1[0]:f32x4, 0, 2))
    } })");
}

TEST_CASE("register tiles: places that are stored in turns may end where others begin") {
  check_pass(scalarize_register_tiles, R"(
    alloc t: f32 [4] private {
      store t[ramp(4, 1, 2)%4] = broadcast(1.0, 2)
      store t[ramp(2, 1, 2)%4] = broadcast(2.0, 2)
      store out[ramp(0, 1, 4)] = t[ramp(2, 1, 4)%4]:f32x4
    })",
             R"(
    alloc t.0: f32x2 [1] register { alloc t.1: f32x2 [1] register {
      store t.0[0] = broadcast(1.0, 2)
      store t.1[0] = broadcast(2.0, 2)
      store out[ramp(0, 1, 4)] = concat(t.1[0]:f32x2, t.0[0]:f32x2)
    } })");
  check_unchanged(scalarize_register_tiles, R"(
    alloc t: f32 [4] private { store t[ramp(3, 1, 2)%4] = broadcast(1.0, 2) store out[0] = t[0]:f32 })");
}

TEST_CASE("register tiles: stores of several widths take the narrowest") {
  check_pass(scalarize_register_tiles, R"(
    alloc t: f32 [4] private {
      store t[ramp(0, 1, 4)] = concat(t[ramp(2, 1, 2)]:f32x2, t[ramp(0, 1, 2)]:f32x2)
      store t[ramp(2, 1, 2)] = broadcast(1.0, 2)
    })",
             R"(
    alloc t.0: f32x2 [1] register { alloc t.1: f32x2 [1] register {
      {
        let t.value = concat(t.1[0]:f32x2, t.0[0]:f32x2)
        store t.0[0] = slice(t.value:f32x4, 0, 2)
        store t.1[0] = slice(t.value:f32x4, 2, 2)
      }
      store t.1[0] = broadcast(1.0, 2)
    } })");
}

TEST_CASE("register tiles: an index that varies keeps the array, and so does local memory") {
  check_unchanged(scalarize_register_tiles,
                  "alloc t: f32 [4] private { for i in [0, 4) { store t[i] = 0.0 } }");
  check_unchanged(scalarize_register_tiles,
                  "alloc t: f32 [4] private { store t[0] = 0.0 store out[0] = t[n]:f32 }");
  check_unchanged(scalarize_register_tiles, "alloc t: f32 [4] local { store t[0] = 0.0 }");
}

TEST_CASE(
    "kernel: a buffer is read-only, write-only or both, as the body uses it; what is written comes last") {
  CHECK(signature(kernel("store b[thread0] = a[thread0]:f32")) == "read a, write b, i32 n");
  CHECK(signature(kernel("store a[0] = a[1]:f32 + b[0]:f32")) == "read b, read-write a, i32 n");
  CHECK(signature(kernel("{ store c[0] = 0.0:f16 } store a[0] = b[0]:f32")) ==
        "read b, write c, write a, i32 n");
  CHECK(signature(kernel("store c[0] = 1.0:f16")) == "write c");
}

TEST_CASE(
    "kernel: free variables are scalars, by name; loops, lets, allocations and work-item indices are not") {
  CHECK(signature(kernel(R"(
    for i in [0, m) { let t = i + z
      alloc p: f32 [4] private { store p[0] = q:f32 store c[t] = f16(p[0]:f32) }
    })",
                         {Expr(1), ir::make_var("rows"), Expr(1)})) ==
        "write c, i32 m, f32 q, i32 rows, i32 z");
}

TEST_CASE("kernel: the extent of a loop stands outside the loop's scope") {
  CHECK(signature(kernel("for i in [0, i) { store c[i] = 0.0:f16 }")) == "write c, i32 i");
}

TEST_CASE("kernel: a Param with the name of a tensor is refused") {
  CHECK(error_of<DefinitionError>([] { kernel("store c[n2] = 0.0:f16"); }) ==
        "\"n2\" names both a Param and a Func or Input of kernel k; rename one of them");
}

TEST_CASE("resources: floating-point operations of all work-items, a vector's lanes each") {
  const auto flops = [](std::string_view body, Expr groups = Expr(3)) {
    return kernel(body, {groups, Expr(2), Expr(1)}).resources.flops;
  };
  CHECK(flops("store a[0] = b[0]:f32*2.0 + 1.0") == 2 * 24);
  CHECK(flops("store a[ramp(0, 1, 4)] = b[ramp(0, 1, 4)]:f32x4*broadcast(2.0, 4)") == 4 * 24);
  CHECK(flops("for i in [0, 10) { store a[i] = sqrt(b[i]:f32) }") == 10 * 24);
  CHECK(flops("store a[i*2 + 1] = b[i + 1]:f32") == 0);
  CHECK(flops("if (thread0 < 2) { store a[0] = b[0]:f32 + 1.0 } else { store a[0] = b[0]:f32*2.0 + 1.0 }") ==
        2 * 24);
  CHECK(flops("for i in [0, n) { store a[i] = b[i]:f32 + 1.0 }") == 0);
  CHECK(flops("store a[0] = b[0]:f32 + 1.0", ir::make_var("m")) == 0);
}

TEST_CASE("resources: bytes of local, private and register storage") {
  const KernelResources r = kernel(R"(
    alloc l: f32 [64] local { alloc p: i64 [3] private {
      alloc v: f32x8 [1] register { alloc w: f32x8 [1] register {
      store c[0] = 0.0:f16
    } } } })")
                                .resources;
  CHECK(r.local_bytes == 256);
  CHECK(r.private_bytes == 24);
  CHECK(r.register_bytes == 64);
}

TEST_CASE("resources: copies of a loop share the tiles of one name, which are as large as the largest") {
  const KernelResources r = kernel(R"(
    for i in [0, 2) { alloc l: f32 [64] local { store l[i] = 1.0 } }
    for i in [0, 9) {
      alloc l: f32 [80] local { store l[i] = 1.0 }
      alloc m: f32 [8] local { store m[i] = 1.0 }
    })")
                                .resources;
  CHECK(r.local_bytes == 352);
}

TEST_CASE("resources: f16 takes two bytes in local memory, four in what belongs to one work-item") {
  LoweredKernel k = kernel(R"(
    alloc l: f16 [64] local { alloc p: f16 [3] private { alloc v: f16x8 [1] register {
      store c[0] = 0.0:f16
    } } })");
  CHECK(k.resources.local_bytes == 128);
  CHECK(k.resources.private_bytes == 12);
  CHECK(k.resources.register_bytes == 32);
  k.half_arithmetic = true;
  k.resources = count_resources(k);
  CHECK(k.resources.private_bytes == 6);
  CHECK(k.resources.register_bytes == 16);
}

TEST_CASE("resources: of the branches of a test, the one with more storage counts") {
  const KernelResources r = kernel(R"(
    alloc v: f32x4 [1] register {
      if (block0 < n) { alloc w: f32x8 [1] register { store c[0] = 0.0:f16 } } else {
        alloc p: i64 [3] private { alloc w: f32 [1] register { store c[1] = 0.0:f16 } } }
    })")
                                .resources;
  CHECK(r.private_bytes == 24);
  CHECK(r.register_bytes == 48);
}

}  // namespace tensordsl::lower
