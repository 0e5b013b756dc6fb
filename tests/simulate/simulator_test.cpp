#include "simulate/simulator.h"

#include <doctest/doctest.h>

#include <cstring>
#include <numeric>

#include "ir/text/parse.h"
#include "tensordsl/error.h"
#include "tensordsl/half.h"

using namespace tensordsl;
using namespace tensordsl::lower;
using Access = KernelArgument::Access;

namespace {

/// Buffers "in" (read), "out" (written), "both"; scalar n; `items` work-items in each of `groups` groups.
LoweredKernel kernel(const char* body, int items = 1, Expr groups = 1, Type type = Int(32)) {
  LoweredKernel k;
  k.name = "k";
  k.buffers = {{"in", type, Access::ReadOnly, Expr(8)},
               {"out", type, Access::WriteOnly, ir::make_var("n") * 4},
               {"both", type, Access::ReadWrite, Expr(4)}};
  k.scalars = {{"n", Int(32)}};
  k.groups = {groups, Expr(1), Expr(1)};
  k.group_size = {items, 1, 1};
  k.body = ir::parse_stmt(body);
  return k;
}

struct Run {
  std::string error;
  std::vector<std::int32_t> out;
};

/// Runs with in[i] = 10*i, both[i] = i and n = 2.
Run run(const LoweredKernel& k) {
  const auto bytes_of = [](const std::vector<std::int32_t>& values) {
    std::vector<std::byte> result(values.size() * 4);
    std::memcpy(result.data(), values.data(), result.size());
    return result;
  };
  std::map<std::string, std::vector<std::byte>> buffers{{"in", bytes_of({0, 10, 20, 30, 40, 50, 60, 70})},
                                                        {"out", bytes_of(std::vector<std::int32_t>(8, -1))},
                                                        {"both", bytes_of({0, 1, 2, 3})}};
  Run result;
  try {
    simulate(k, buffers, {{"n", 2}});
  } catch (const SimulationError& error) {
    result.error = error.what();
  }
  result.out.resize(8);
  std::memcpy(result.out.data(), buffers["out"].data(), 32);
  return result;
}

std::string error_of(const char* body, int items = 1, int groups = 1) {
  return run(kernel(body, items, groups)).error;
}

using Values = std::vector<std::int32_t>;

}  // namespace

TEST_CASE("simulate: every work-item of every group runs, with its indices and the scalar arguments") {
  const Run r = run(
      kernel("store out[block0*4 + thread0] = in[block0*4 + thread0] + thread0 + n", 4, ir::make_var("n")));
  CHECK(r.error == "");
  CHECK(r.out == Values{2, 13, 24, 35, 42, 53, 64, 75});
}

TEST_CASE("simulate: groups and work-items have three dimensions, the first fastest") {
  LoweredKernel k = kernel("store out[(block1*2 + thread2)*2 + thread1] = block1*100 + thread2*10 + thread1");
  k.groups = {Expr(1), Expr(2), Expr(1)};
  k.group_size = {1, 2, 2};
  CHECK(run(k).out == Values{0, 1, 10, 11, 100, 101, 110, 111});
}

TEST_CASE("simulate: work-items exchange values through local memory between barriers") {
  const Run r = run(kernel(R"(
    alloc tile: i32 [4] local {
      for i in [0, 2) {
        store tile[thread0] = in[i*4 + thread0]
        barrier local
        store out[i*4 + thread0] = tile[3 - thread0]
        barrier local
      }
    })",
                           4));
  CHECK(r.error == "");
  CHECK(r.out == Values{30, 20, 10, 0, 70, 60, 50, 40});
}

TEST_CASE("simulate: loops and ifs may go separate ways") {
  const Run r = run(kernel(R"(
    alloc sum: i32 [1] private {
      store sum[0] = 0
      for i in [thread0, thread0 + thread0) {
        if (i%2 == 0) { store sum[0] = sum[0] + i } else { store sum[0] = sum[0] + 100 }
      }
      store out[thread0] = sum[0]
    })",
                           4));
  CHECK(r.error == "");
  CHECK(r.out == Values{0, 100, 102, 204, -1, -1, -1, -1});
}

TEST_CASE("simulate: vector operations, lane by lane") {
  const Run r = run(kernel(R"(
    alloc acc: i32x4 [1] register {
      store acc[0] = in[ramp(0, 2, 4)]
      let v = in[ramp(1, 1, 4)]
      store out[ramp(0, 1, 4)] = acc[0]:i32x4 + broadcast(n, 4)
      store out[ramp(7, -1, 4)] = concat(slice(v:i32x4, 2, 2), slice(v:i32x4, 0, 1), 5)
    })"));
  CHECK(r.error == "");
  CHECK(r.out == Values{2, 22, 42, 62, 5, 10, 40, 30});
}

TEST_CASE("simulate: all lanes of a vector are read before one is written") {
  const Run r = run(kernel(R"(
    store both[ramp(1, 1, 3)] = both[ramp(0, 1, 3)]:i32x3
    store out[ramp(0, 1, 4)] = both[ramp(0, 1, 4)]:i32x4)"));
  CHECK(r.error == "");
  CHECK(r.out == Values{0, 0, 1, 2, -1, -1, -1, -1});
}

TEST_CASE("simulate: an access that is said to be aligned is") {
  CHECK(run(kernel("store out[ramp(4, 1, 4) align 4] = in[ramp(0, 1, 4) align 4]:i32x4")).error == "");
  CHECK(run(kernel("store out[ramp(n*0 + 2, 1, 4) align 4] = broadcast(1, 4)"))
            .error.find("accesses out from 2 on, which must be a multiple of 4") != std::string::npos);
  CHECK(run(kernel("store out[0] = slice(in[ramp(n*0 + 1, 1, 4) align 2]:i32x4, 0, 1)"))
            .error.find("accesses in from 1 on, which must be a multiple of 2") != std::string::npos);
}

TEST_CASE("simulate: a select is lazy in each lane, and && leaves out what it does not need") {
  const Run r = run(kernel(R"(
    store out[ramp(0, 1, 4)] =
      select(ramp(-2, 1, 4) < broadcast(0, 4), broadcast(7, 4), in[ramp(-2, 1, 4)]:i32x4)
    if (n < 0 && in[-1] < 0) { store out[4] = 1 } else { store out[4] = select(n < 0, in[99], 3) })"));
  CHECK(r.error == "");
  CHECK(r.out == Values{7, 7, 0, 10, 3, -1, -1, -1});
}

TEST_CASE("simulate: f16 widens when loaded and rounds when stored") {
  LoweredKernel k =
      kernel("store out[0] = f16(f32(in[0]:f16) + 0.0001)\nstore out[1] = in[1]:f16", 1, 1, Float(16));
  std::map<std::string, std::vector<std::byte>> buffers{{"in", std::vector<std::byte>(16)},
                                                        {"out", std::vector<std::byte>(16)},
                                                        {"both", std::vector<std::byte>(8)}};
  const std::uint16_t in[] = {float_to_half(1.0f), float_to_half(-2.5f)};
  std::memcpy(buffers["in"].data(), in, 4);
  simulate(k, buffers, {{"n", 2}});
  CHECK(std::memcmp(buffers["out"].data(), in, 4) == 0);
}

TEST_CASE("simulate: an access out of range is found, in any lane and in every memory") {
  CHECK(error_of("store out[thread0] = in[thread0*4]", 4) ==
        "kernel k: work-item (2, 0, 0) of group (0, 0, 0) reads in[8], which has 8 elements");
  CHECK(error_of("store out[thread0 + block0] = in[block0 - 1]", 1, 2) ==
        "kernel k: work-item (0, 0, 0) of group (0, 0, 0) reads in[-1], which has 8 elements");
  CHECK(error_of("store out[n*4] = 1") ==
        "kernel k: work-item (0, 0, 0) of group (0, 0, 0) writes out[8], which has 8 elements");
  CHECK(error_of("store out[ramp(5, 1, 4)] = broadcast(1, 4)") ==
        "kernel k: work-item (0, 0, 0) of group (0, 0, 0) writes out[8], which has 8 elements");
  CHECK(error_of("alloc a: i32 [n, 2] private { store a[4] = 1 }") ==
        "kernel k: work-item (0, 0, 0) of group (0, 0, 0) writes a[4], which has 4 elements");
  CHECK(error_of("alloc a: i32x2 [2] private { store a[2] = broadcast(1, 2) }") ==
        "kernel k: work-item (0, 0, 0) of group (0, 0, 0) writes a[2], which has 2 elements");
}

TEST_CASE("simulate: a barrier that some work-item does not reach is found") {
  // Divergence that verify cannot see, because the thread index went through memory.
  CHECK(
      error_of("alloc a: i32 [1] private { store a[0] = in[thread0] if (a[0] < 20) { barrier local } }", 4) ==
      "kernel k: divergent barrier: work-item (2, 0, 0) of group (0, 0, 0) does not reach \"barrier local\"");
  CHECK(
      error_of("alloc a: i32 [1] private { store a[0] = in[thread0] for i in [0, a[0]) { barrier global } }",
               2) ==
      "kernel k: divergent barrier: work-item (0, 0, 0) of group (0, 0, 0) does not reach \"barrier "
      "global\"");
  CHECK(error_of("if (in[0] < 20) { barrier local }", 4) == "");
  CHECK_THROWS_AS(run(kernel("if (thread0 < 1) { barrier local }", 4)), InternalError);
}

TEST_CASE("simulate: the work-items of a sub-group hand over what they hold") {
  const auto exchanged = [](const char* operation) {
    LoweredKernel k = kernel((std::string("alloc t: i32 [1] private { store t[0] = ") + operation +
                              " store out[thread0] = t[0]:i32 }")
                                 .c_str(),
                             8);
    k.sub_group_size = 4;
    return run(k);
  };
  // Two sub-groups, each with lanes of its own.
  CHECK(exchanged("sub_group_shuffle(in[thread0]:i32, (thread0 + 1)%4)").out ==
        Values{10, 20, 30, 0, 50, 60, 70, 40});
  CHECK(exchanged("sub_group_broadcast(in[thread0]:i32, n)").out == Values{20, 20, 20, 20, 60, 60, 60, 60});
  CHECK(exchanged("sub_group_shuffle(in[thread0]:i32, thread0)")
            .error.find("work-item (4, 0, 0) of group (0, 0, 0) asks for lane 4 of a sub-group of 4 "
                        "work-items") != std::string::npos);
  CHECK(exchanged("sub_group_broadcast(in[thread0]:i32, thread0%2)")
            .error.find("asks for lane 1 in a broadcast of lane 0") != std::string::npos);
  LoweredKernel k = kernel("if (thread0 < 3) { store out[thread0] = sub_group_broadcast(thread0, 0) }", 4);
  k.sub_group_size = 4;
  CHECK_THROWS_AS(run(k), InternalError);  // verify finds it before it runs
}

TEST_CASE("simulate: a missing barrier in local memory is a race") {
  const char* read =
      "kernel k: work-item (1, 0, 0) of group (0, 0, 0) reads a[0], a race: another work-item writes it, "
      "without a barrier in between";
  const char* write =
      "kernel k: work-item (1, 0, 0) of group (0, 0, 0) writes a[0], a race: another work-item accesses it, "
      "without a barrier in between";
  CHECK(error_of("alloc a: i32 [2] local { if (thread0 == 0) { store a[0] = 1 } store out[thread0] = a[0] }",
                 2) == read);
  CHECK(error_of("alloc a: i32 [2] local { if (thread0 == 0) { store a[0] = 1 } barrier global store "
                 "out[thread0] = a[0] }",
                 2) == read);
  CHECK(error_of("alloc a: i32 [2] local { if (thread0 == 0) { store a[0] = 1 } barrier local store "
                 "out[thread0] = a[0] }",
                 2) == "");
  CHECK(error_of("alloc a: i32 [1] local { store a[0] = thread0 }", 2) == write);
  // The next round overwrites what a slow work-item may still read.
  CHECK(error_of(R"(
    for i in [0, 2) {
      alloc a: i32 [1] local {
        if (thread0 == 1) { store a[0] = i }
        barrier local
        store out[i*2 + thread0] = a[0]
      }
    })",
                 2) == write);
}

TEST_CASE("simulate: two work-items may write the same value, but nobody may read it without a barrier") {
  CHECK(error_of("alloc a: i32 [1] local { store a[0] = n }", 2) == "");
  CHECK(error_of("store out[0] = n", 2, 2) == "");
  CHECK(error_of("store both[0] = n store out[thread0] = both[0]", 2) ==
        "kernel k: work-item (0, 0, 0) of group (0, 0, 0) reads both[0], a race: another work-item writes "
        "it, without a barrier in between");
  CHECK(error_of("store both[0] = both[0] + 0", 2) ==
        "kernel k: work-item (1, 0, 0) of group (0, 0, 0) reads both[0], a race: another work-item writes "
        "it, without a barrier in between");
}

TEST_CASE("simulate: a race in global memory is found between groups, and no barrier helps there") {
  CHECK(error_of("store out[0] = block0", 1, 2) ==
        "kernel k: work-item (0, 0, 0) of group (1, 0, 0) writes out[0], a race: another work-item accesses "
        "it, without a barrier in between");
  CHECK(error_of("store out[block0] = both[0] barrier global if (block0 == 1) { store both[0] = 5 }", 1, 2) ==
        "kernel k: work-item (0, 0, 0) of group (1, 0, 0) writes both[0], a race: another work-item accesses "
        "it, without a barrier in between");
  CHECK(error_of("store both[thread0] = thread0 barrier global store out[thread0] = both[1 - thread0]", 2) ==
        "");
  CHECK(error_of("store both[thread0] = thread0 barrier local store out[thread0] = both[1 - thread0]", 2) ==
        "kernel k: work-item (0, 0, 0) of group (0, 0, 0) reads both[1], a race: another work-item writes "
        "it, without a barrier in between");
}

TEST_CASE("simulate: a read of what nobody wrote is found, also after an allocation is entered again") {
  CHECK(error_of("alloc a: i32 [2] private { store a[0] = 1 store out[0] = a[1] }") ==
        "kernel k: work-item (0, 0, 0) of group (0, 0, 0) reads a[1], which was never written");
  CHECK(error_of("alloc a: i32 [2] local { store out[thread0] = a[thread0] }", 2) ==
        "kernel k: work-item (0, 0, 0) of group (0, 0, 0) reads a[0], which was never written");
  CHECK(error_of("for i in [0, 2) { alloc a: i32 [1] register { if (i == 0) { store a[0] = 1 } store out[i] "
                 "= a[0] } }") ==
        "kernel k: work-item (0, 0, 0) of group (0, 0, 0) reads a[0], which was never written");
  CHECK(error_of("alloc a: i32 [1] local { if (block0 == 0) { store a[0] = 1 } store out[block0] = a[0] }", 1,
                 2) ==
        "kernel k: work-item (0, 0, 0) of group (1, 0, 0) reads a[0], which was never written");
}

TEST_CASE("simulate: access qualifiers and arguments are checked") {
  CHECK(error_of("store in[0] = 1") ==
        "kernel k: work-item (0, 0, 0) of group (0, 0, 0) writes in[0], a read-only buffer");
  CHECK(error_of("store both[0] = out[0]") ==
        "kernel k: work-item (0, 0, 0) of group (0, 0, 0) reads out[0], a write-only buffer");
  CHECK(error_of("for i in [0, 2) block0 { store out[i] = 1 }") ==
        "kernel k: the block0 loop over i was not outlined");
  CHECK(error_of("alloc a: i32 [1] auto { store a[0] = 1 }") == "kernel k: a is allocated in auto memory");
  CHECK(error_of("store out[0, 1] = 1") == "kernel k: out is accessed with 2 indices instead of 1");
  CHECK(error_of("store out[0] = in[0, 1]") == "kernel k: in is accessed with 2 indices instead of 1");
  std::map<std::string, std::vector<std::byte>> none;
  CHECK_THROWS_WITH_AS(simulate(kernel("store out[0] = 1"), none, {{"n", 2}}),
                       "kernel k: the buffer argument in is missing", SimulationError);
  std::map<std::string, std::vector<std::byte>> small{{"in", std::vector<std::byte>(31)}};
  CHECK_THROWS_WITH_AS(simulate(kernel("store out[0] = 1"), small, {{"n", 2}}),
                       "kernel k: buffer in has 7 elements, but the kernel may access 8", SimulationError);
  CHECK_THROWS_AS(simulate(kernel("store out[0] = 1.5"), small, {{"n", 2}}), std::exception);
}

TEST_CASE("simulate: a pipeline's kernels run in order over its intermediates") {
  const auto stage = [](const char* name, const char* from, const char* to, const char* body) {
    LoweredKernel k;
    k.name = name;
    k.buffers = {{from, Int(32), Access::ReadOnly, Expr(4)}, {to, Int(32), Access::WriteOnly, Expr(4)}};
    k.groups = {Expr(1), Expr(1), Expr(1)};
    k.body = ir::parse_stmt(body);
    return k;
  };
  LoweredPipeline p;
  p.kernels = {stage("first", "in", "middle", "for i in [0, 4) { store middle[i] = in[i] + 1 }"),
               stage("second", "middle", "out", "for i in [0, 4) { store out[i] = middle[3 - i]*2 }")};
  p.intermediates = {{"middle", {Int(32), {Expr(4)}, Layout::row_major(1)}, Expr(4)}};
  p.outputs = {"out"};
  Buffer in(Int(32), {2, 2});
  for (int i = 0; i < 4; ++i) in.set_int(i, i);
  const Buffer out = simulate(p, {{"in", in}}, {});
  CHECK(out.shape() == std::vector<std::int64_t>{4});
  CHECK(std::vector<std::int32_t>(out.as<std::int32_t>().begin(), out.as<std::int32_t>().end()) ==
        Values{8, 6, 4, 2});

  p.kernels[0].body = ir::parse_stmt("for i in [0, 3) { store middle[i] = in[i] + 1 }");
  CHECK_THROWS_WITH_AS(
      simulate(p, {{"in", in}}, {}),
      "kernel second: work-item (0, 0, 0) of group (0, 0, 0) reads middle[3], which was never written",
      SimulationError);
  CHECK_THROWS_WITH_AS(simulate(p, {{"in", Buffer(Float(32), {4})}}, {}),
                       "kernel first: buffer in holds f32, but the kernel needs i32", SimulationError);
}
