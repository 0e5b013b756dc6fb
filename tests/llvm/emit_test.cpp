// Kernels as LLVM's assembly language.
#include "backends/llvm/emit/emit.h"

#include <doctest/doctest.h>

#include "backends/llvm/emit/llvm_types.h"
#include "backends/llvm/emit/math_function.h"
#include "ir/parse.h"
#include "tensordsl/error.h"

namespace tensordsl::llvm_ir {
namespace {

lower::LoweredKernel kernel_of(const std::string& body) {
  using Access = KernelArgument::Access;
  lower::LoweredKernel kernel;
  kernel.name = "scale";
  kernel.groups = {Expr(4), Expr(1), Expr(1)};
  kernel.buffers = {{"in", Float(32), Access::ReadOnly, Expr(64)},
                    {"out", Float(16), Access::WriteOnly, Expr(64)}};
  kernel.scalars = {{"gain", Float(32)}};
  kernel.body = ir::parse_stmt(body);
  return kernel;
}

}  // namespace

TEST_CASE("LLVM: a kernel is a function of a range of work-groups") {
  const KernelSource source = emit(
      kernel_of("store out[ramp(block0*4, 1, 4)] = in[ramp(block0*4, 1, 4)]:f32x4*broadcast(gain:f32, 4)"),
      {});
  CHECK(source.entry == "scale_kernel");
  CHECK(source.text ==
        "define internal void @work_group(ptr noalias nocapture readonly %buffer.in, ptr noalias nocapture "
        "%buffer.out, float %scalar.gain, i32 %block0, i32 %block1, i32 %block2) alwaysinline {\n"
        R"(entry:
  %t0 = mul nsw i32 %block0, 4
  %t1 = getelementptr inbounds float, ptr %buffer.in, i32 %t0
  %t2 = load <4 x float>, ptr %t1, align 4
  %t3 = insertelement <4 x float> poison, float %scalar.gain, i32 0
  %t4 = shufflevector <4 x float> %t3, <4 x float> poison, <4 x i32> zeroinitializer
  %t5 = fmul contract <4 x float> %t2, %t4
  %t6 = mul nsw i32 %block0, 4
  %t7 = getelementptr inbounds half, ptr %buffer.out, i32 %t6
  %t8 = fptrunc <4 x float> %t5 to <4 x half>
  store <4 x half> %t8, ptr %t7, align 2
  ret void
}

define void @scale_kernel(ptr %arguments, i64 %first, i64 %last) {
entry:
  %slot0 = getelementptr i64, ptr %arguments, i64 0
  %value0 = load ptr, ptr %slot0, align 8
  %slot1 = getelementptr i64, ptr %arguments, i64 1
  %value1 = load ptr, ptr %slot1, align 8
  %slot2 = getelementptr i64, ptr %arguments, i64 2
  %value2 = load float, ptr %slot2, align 8
  %slot3 = getelementptr i64, ptr %arguments, i64 3
  %value3 = load i64, ptr %slot3, align 8
  %slot4 = getelementptr i64, ptr %arguments, i64 4
  %value4 = load i64, ptr %slot4, align 8
  br label %test
test:
  %group = phi i64 [ %first, %entry ], [ %next, %body ]
  %goes_on = icmp slt i64 %group, %last
  br i1 %goes_on, label %body, label %end
body:
  %x = urem i64 %group, %value3
  %rows = udiv i64 %group, %value3
  %y = urem i64 %rows, %value4
  %z = udiv i64 %rows, %value4
  %block0 = trunc i64 %x to i32
  %block1 = trunc i64 %y to i32
  %block2 = trunc i64 %z to i32
  call void @work_group(ptr %value0, ptr %value1, float %value2, i32 %block0, i32 %block1, i32 %block2)
  %next = add i64 %group, 1
  br label %test
end:
  ret void
}
)");
}

TEST_CASE("LLVM: what a test keeps from being read is read in a block of its own") {
  const std::string text =
      emit(kernel_of("store out[block0] = select(block0 < 3, in[block0 + 1]:f32, 0.0)"), {}).text;
  CHECK(text.find("  br i1 %t0, label %then1, label %else2\nthen1:\n") != std::string::npos);
  CHECK(text.find("behind3:\n  %t7 = phi float [ %t6, %then1 ], [ 0x0000000000000000, %else2 ]\n") !=
        std::string::npos);
}

TEST_CASE("LLVM: names that C has not are quoted, and no two arguments share one") {
  lower::LoweredKernel kernel = kernel_of("store out[0] = in[0]:f32*gain:f32");
  kernel.scalars[0].name = "in";
  kernel.body = ir::parse_stmt("store out[0] = in[0]:f32*in:f32");
  const std::string text = emit(kernel, {}).text;
  CHECK(text.find("%buffer.in, ") != std::string::npos);
  CHECK(text.find("float %scalar.in, ") != std::string::npos);
  CHECK(identifier('%', "a b\"\\\xC3\xA9") == "%\"a\\20b\\22\\5C\\C3\\A9\"");
  CHECK(identifier('@', "conv.1_x") == "@conv.1_x");
}

TEST_CASE("LLVM: a work-group whose arrays no stack holds is refused") {
  const lower::LoweredKernel kernel =
      kernel_of("alloc a: f32 [3000000] private { store a[block0] = 1.0 store out[0] = a[block0]:f32 }");
  CHECK_THROWS_WITH_AS(
      emit(kernel, {}),
      "kernel scale: the arrays of a work-group take 12000000 bytes, and a thread has 8388608 for them; "
      "make its tiles or its work-groups smaller",
      ScheduleError);
}

TEST_CASE("LLVM: constants are exact") {
  CHECK(constant(*ir::make_float(Float(32), 0.1), false) == "0x3FB99999A0000000");
  CHECK(constant(*ir::make_float(Float(64), 0.1), false) == "0x3FB999999999999A");
  CHECK(constant(*ir::make_float(Float(16), 1.5), true) == "0xH3E00");
  CHECK(constant(*ir::make_float(Float(16), 1.5), false) == "0x3FF8000000000000");
  CHECK(constant(*ir::make_int(Int(64), INT64_MIN), false) == "-9223372036854775808");
  CHECK(constant(*ir::make_int(UInt(64), -1), false) == "18446744073709551615");
  CHECK(constant(*ir::make_bool(true), false) == "true");
}

TEST_CASE("LLVM: a math function's symbol says its name and type, and no other symbol does") {
  CHECK(symbol_of({"exp", Float(32, 8)}) == "math.exp.v8f32");
  const auto function = math_function_of("math.atan2.f64");
  REQUIRE(function);
  CHECK(function->name == "atan2");
  CHECK(function->type == Float(64));
  for (const char* symbol : {"exp", "math.", "math.exp", "math.exp.", "math.exp.i32", "math.exp.v8f16",
                             "math.no.f32", "math.exp.v999f32"})
    CHECK_FALSE(math_function_of(symbol));
}

}  // namespace tensordsl::llvm_ir
