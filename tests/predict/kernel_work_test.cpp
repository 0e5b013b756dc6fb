// Tests the counts taken from the text of a kernel.
#include "predict/kernel_work.h"

#include <doctest/doctest.h>

#include "predict/synthetic_kernel.h"

namespace tensordsl::predict {
namespace {

using testing::synthetic_kernel;

constexpr CountingOptions kGpu{1, 32, 64};
constexpr CountingOptions kCpu{16, 1, 64};

KernelWork work(std::string_view body, const CountingOptions& options = kGpu) {
  return count_work(synthetic_kernel(body), options);
}

/// The access by the only Load of `b`.
AccessWork read_of_b(std::string_view body, const CountingOptions& options = kGpu) {
  for (const AccessWork& access : work(body, options).accesses) {
    if (access.tensor == "b") return access;
  }
  return {};
}

OperationCounts operations_in(std::string_view body) { return work(body).operations; }

}  // namespace

TEST_CASE("work: a product that is added is one instruction, and loops multiply") {
  const KernelWork w = work("for i in [0, 10) { store a[i] = b[i]:f32*c[i]:f32 + 1.0 }");
  CHECK(w.operations.multiply_adds == 10);
  CHECK(w.operations.others == 0);
  CHECK(w.operations.loads == 20);
  CHECK(w.operations.stores == 10);
  CHECK(w.iterations == 10);
}

TEST_CASE("work: vectors are one instruction where there are vectors, and one for each lane elsewhere") {
  const char* body = "store a[ramp(0, 1, 16)] = b[ramp(0, 1, 16)]:f32x16*broadcast(2.0, 16)";
  CHECK(work(body, kCpu).operations.others == 1);
  CHECK(work(body, kGpu).operations.others == 16);
}

TEST_CASE("work: an access of up to 128 bits is one instruction, and of more is one for each vector") {
  const auto of = [](const char* body, const CountingOptions& device) {
    return work(body, device).operations;
  };
  constexpr const char* kFour = "store a[ramp(0, 1, 4)] = b[ramp(0, 1, 4)]:f32x4";
  CHECK(of(kFour, kGpu).loads == 1);
  CHECK(of(kFour, kGpu).stores == 1);
  constexpr const char* kSixteen = "store a[ramp(0, 1, 16)] = b[ramp(0, 1, 16)]:f32x16";
  CHECK(of(kSixteen, kGpu).loads == 4);
  CHECK(of(kSixteen, kCpu).loads == 1);
}

TEST_CASE("work: halves are widened by an instruction, but for operands of ALUs that take them, and texels") {
  constexpr const char* kRead = "store a[0] = f32(b[0]:f16)*2.0";
  CHECK(work(kRead).operations.others == 2);
  CHECK(work(kRead, {.warp = 32, .takes_halves = true}).operations.others == 1);
  CHECK(work("store a[0] = f32(texels[0, 0]:f16)*2.0").operations.others == 1);
}

TEST_CASE("work: in a kernel that computes with halves two of them are one number") {
  lower::LoweredKernel kernel =
      synthetic_kernel("store a[ramp(0, 1, 8)] = b[ramp(0, 1, 8)]:f16x8*c[ramp(0, 1, 8)]:f16x8");
  const CountingOptions vectors{.vector_lanes = 4, .warp = 1, .takes_halves = true};
  CHECK(count_work(kernel, vectors).operations.others == 2);
  kernel.half_arithmetic = true;
  const OperationCounts paired = count_work(kernel, vectors).operations;
  CHECK(paired.others == 1);
  CHECK(paired.loads == 2);
  CHECK(count_work(kernel, {.vector_lanes = 4, .warp = 1}).operations.others == 2);
}

TEST_CASE("work: four products of bytes are one instruction") {
  const OperationCounts counts =
      work("store a[0] = dot_product(b[ramp(0, 1, 4)]:i8x4, c[ramp(0, 1, 4)]:i8x4, i)").operations;
  CHECK(counts.multiply_adds == 1);
  CHECK(counts.special == 0);
}

TEST_CASE("work: to take a lane is an instruction on CPUs, to repeat one is none") {
  const auto others = [](const char* value, bool swizzles) {
    return work(std::string("store a[ramp(0, 1, 4)] = 2.0 + ") + value,
                {.vector_lanes = 4, .warp = 1, .swizzles_operands = swizzles})
        .operations.others;
  };
  constexpr const char* kLane = "broadcast(slice(b[ramp(0, 1, 4)]:f32x4, 1, 1), 4)";
  CHECK(others(kLane, true) == 1);
  CHECK(others(kLane, false) == 2);
  CHECK(others("broadcast(b[0]:f32, 4)", false) == 1);
}

TEST_CASE("work: a vector of one number that has a name is moved to each lane, where that is said") {
  constexpr const char* kNamed =
      "let t = broadcast(b[0]:f32, 4) store a[ramp(0, 1, 4)] = t:f32x4*broadcast(2.0, 4)";
  CHECK(work(kNamed).operations.others == 4);
  CHECK(work(kNamed, {.warp = 32, .moves_repeated = true}).operations.others == 8);
}

TEST_CASE("work: neighbors that read neighbors share lines, and those that read far apart do not") {
  CHECK(read_of_b("store a[0] = b[thread0]:f32").lines == 2);
  CHECK(read_of_b("store a[0] = b[thread0*16]:f32").lines == 32);
  CHECK(read_of_b("store a[0] = b[7]:f32").lines == 1);
  CHECK(read_of_b("store a[0] = b[thread0 % 4*16]:f32").lines == 4);
  CHECK(read_of_b("store a[0] = b[select(c[0]:f32 < 1.0, 0, 1)]:f32").times == 1);
}

TEST_CASE("work: each instruction of a wide vector touches its lines") {
  CHECK(read_of_b("store a[ramp(0, 1, 4)] = b[ramp(thread0*4, 1, 4)]:f32x4").lines == 8);
  // 32 lines of 64 bytes by each of four instructions.
  CHECK(read_of_b("store a[ramp(0, 1, 16)] = b[ramp(thread0*16, 1, 16)]:f32x16").lines == 128);
}

TEST_CASE("work: work-items that meet in a bank take turns") {
  const auto turns = [](const std::string& index) {
    const KernelWork w = work("alloc t: f32 [4096] local { store a[0] = t[" + index + "]:f32 }");
    return w.accesses[0].place == Place::Local ? w.accesses[0].lines : 0;
  };
  CHECK(turns("thread0") == 1);
  CHECK(turns("thread0*2") == 2);
  CHECK(turns("thread0*32") == 32);
  CHECK(turns("thread0*33") == 1);
  CHECK(turns("5") == 1);
}

TEST_CASE("work: of a test counts what the work-items take in the middle of the loops around it") {
  CHECK(work("if (thread0 < 100) { store a[0] = 1.0 } else { store b[0] = 1.0 }").operations.stores == 1);
  CHECK(work("for i in [0, 8) { if (i < 1) { store a[0] = 1.0 } }").operations.stores == 0);
  CHECK(work("for i in [0, n) { store a[0] = 1.0 }").operations.stores == 64);
}

TEST_CASE("work: distances from one iteration, work-group and work-item to the next") {
  const AccessWork access = read_of_b(
      "for i in [0, 4) { for j in [0, 8) { store a[0] = b[block0*4096 + i*64 + j + thread0*8]:f32 } }");
  REQUIRE(access.loops.size() == 2);
  CHECK(access.times == 32);
  CHECK(access.loops[0].times == 4);
  CHECK(access.loops[0].bytes == 256);
  CHECK(access.loops[1].times == 8);
  CHECK(access.loops[1].bytes == 4);
  CHECK(access.groups[0].times == 132);
  CHECK(access.groups[0].bytes == 16384);
  CHECK(access.together == std::vector<Repetition>{{32, 32}});
}

TEST_CASE("work: copies of an access that differ by offsets are one access with the steps between them") {
  const AccessWork access =
      read_of_b("store a[0] = b[thread0]:f32 + b[thread0 + 256]:f32 + b[thread0 + 512]:f32");
  CHECK(access.times == 3);
  CHECK(access.together == std::vector<Repetition>{{32, 4}, {3, 1024}});
}

TEST_CASE("work: straight-line code waits once for what it reads, and barriers are counted") {
  const KernelWork w = work(R"(alloc t: f32 [64] local {
    for i in [0, 5) {
      store t[thread0] = b[thread0]:f32 + c[thread0]:f32
      barrier local
      store a[i] = t[0]:f32
    } })");
  CHECK(w.memory_waits == 5);
  CHECK(w.local_waits == 5);
  CHECK(w.barriers == 5);
  CHECK(w.local_bytes == 256);
}

TEST_CASE("work: reads that do not fit the registers begin after a wait") {
  const auto waits = [](double registers) {
    const CountingOptions options{.warp = 32, .registers = registers};
    return work("for i in [0, 5) { store a[i] = b[thread0]:f32 + c[thread0]:f32 + b[thread0 + 64]:f32 }",
                options)
        .memory_waits;
  };
  CHECK(waits(3) == 5);
  CHECK(waits(2) == 7.5);
  CHECK(waits(1) == 15);
}

TEST_CASE("work: the text counts what a loop repeats once") {
  const auto text = [](const std::string& loop) {
    return work(loop + " { store a[thread0] = b[thread0]:f32 + c[thread0]:f32 }").text;
  };
  CHECK(text("for i in [0, 1)") == 4);
  CHECK(text("for i in [0, 100)") == 4);
}

TEST_CASE("work: a kernel without work-groups, and one without a body, are no trouble") {
  CHECK(
      count_work(synthetic_kernel("store a[0] = 1.0", {1, 1, 1}, {Expr(0), Expr(1), Expr(1)}), kGpu).groups ==
      0);
  lower::LoweredKernel empty = synthetic_kernel("store a[0] = 1.0");
  empty.body = ir::Stmt();
  CHECK(count_work(empty, kGpu).operations.all() == 0);
}

TEST_CASE("work: where a loop begins may depend on the work-group") {
  const AccessWork read = read_of_b("for i in [block0*16, block0*16 + 18) { store a[i] = b[i*64]:f32 }");
  REQUIRE(read.loops.size() == 1);
  CHECK(read.loops[0].bytes == 64 * 4);
  CHECK(read.groups[0].bytes == 16 * 64 * 4);
}

TEST_CASE("work: what several statements compute of variables alone counts once, in the same block") {
  constexpr const char* kShared =
      "let t = b[0]:f32 { store a[0] = t:f32*t:f32 + 1.0 store a[1] = t:f32*t:f32 + 1.0 }";
  CHECK(operations_in(kShared).multiply_adds == 1);
  // A value computed in one branch is not available after it.
  CHECK(operations_in("let t = b[0]:f32 { if (thread0 < 1) { store a[0] = t:f32*t:f32 + 1.0 } store a[1] = "
                      "t:f32*t:f32 + 1.0 }")
            .multiply_adds == 2);
  // A second read is not merged with the first: the memory may have changed.
  CHECK(operations_in("{ store a[0] = b[0]:f32*b[1]:f32 + 1.0 store a[1] = b[0]:f32*b[1]:f32 + 1.0 }")
            .multiply_adds == 2);
}

TEST_CASE("work: functions cost what divisions do, and logarithms and powers several of them") {
  CHECK(operations_in("store a[0] = b[0]:f32/b[1]:f32").special == 1);
  CHECK(operations_in("store a[0] = exp(b[0]:f32)").special == 1);
  CHECK(operations_in("store a[0] = floor(b[0]:f32)").special == 0);
  CHECK(operations_in("store a[0] = pow(b[0]:f32, b[1]:f32)").special >
        operations_in("store a[0] = log(b[0]:f32)").special);
  CHECK(operations_in("store a[0] = log(b[0]:f32)").special > 1);
}

TEST_CASE("work: a division of integers by a constant is a few instructions, by a power of two one") {
  const auto others = [](const std::string& divisor) {
    return operations_in("store a[0] = b[0]:i32/" + divisor).others;
  };
  CHECK(others("4") == 1);
  CHECK(others("3") > others("4"));
  CHECK(others("b[1]:i32") > others("3"));
}

}  // namespace tensordsl::predict
