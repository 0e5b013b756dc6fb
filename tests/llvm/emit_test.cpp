// Kernels as LLVM's assembly language.
#include "backends/llvm/emit/emit_llvm.h"

#include <doctest/doctest.h>

#include "backends/llvm/emit/llvm_types.h"
#include "backends/llvm/emit/math_function.h"
#include "ir/text/parse.h"
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
  %is_any = icmp slt i64 %first, %last
  br i1 %is_any, label %start, label %end
start:
  %start.x = urem i64 %first, %value3
  %start.row = udiv i64 %first, %value3
  %start.y = urem i64 %start.row, %value4
  %start.z = udiv i64 %start.row, %value4
  br label %row
row:
  %group = phi i64 [ %first, %start ], [ %next_row, %row_end ]
  %x = phi i64 [ %start.x, %start ], [ 0, %row_end ]
  %y = phi i64 [ %start.y, %start ], [ %next_y, %row_end ]
  %z = phi i64 [ %start.z, %start ], [ %next_z, %row_end ]
  %in_row = sub i64 %value3, %x
  %left = sub i64 %last, %group
  %is_whole = icmp slt i64 %in_row, %left
  %count = select i1 %is_whole, i64 %in_row, i64 %left
  %end_x = add i64 %x, %count
  %first_block0 = trunc i64 %x to i32
  %end_block0 = trunc i64 %end_x to i32
  %block1 = trunc i64 %y to i32
  %block2 = trunc i64 %z to i32
  br label %body
body:
  %block0 = phi i32 [ %first_block0, %row ], [ %next_block0, %body ]
  call void @work_group(ptr %value0, ptr %value1, float %value2, i32 %block0, i32 %block1, i32 %block2)
  %next_block0 = add nsw i32 %block0, 1
  %goes_on = icmp slt i32 %next_block0, %end_block0
  br i1 %goes_on, label %body, label %row_end
row_end:
  %next_row = add i64 %group, %count
  %below = add i64 %y, 1
  %is_layer_end = icmp eq i64 %below, %value4
  %layer_behind = add i64 %z, 1
  %next_y = select i1 %is_layer_end, i64 0, i64 %below
  %next_z = select i1 %is_layer_end, i64 %layer_behind, i64 %z
  %is_more = icmp slt i64 %next_row, %last
  br i1 %is_more, label %row, label %end
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

TEST_CASE("LLVM: a cast to integers limits its operand, and calls nothing that LLVM does lane by lane") {
  const std::string text =
      emit(kernel_of("store out[ramp(0, 1, 4)] = f16(i8(in[ramp(0, 1, 4)]:f32x4))"), {}).text;
  CHECK(text.find("define internal <4 x i8> @saturated_v4i8.v4f32(<4 x float> %a) alwaysinline {\n"
                  "  %number.kept = fcmp ord <4 x float> %a, <float 0x0000000000000000, ") !=
        std::string::npos);
  CHECK(text.find("  %whole = fptosi <4 x float> %lowered to <4 x i32>\n"
                  "  %result = trunc <4 x i32> %whole to <4 x i8>\n"
                  "  ret <4 x i8> %result\n") != std::string::npos);
  CHECK(text.find(".sat.") == std::string::npos);
}

TEST_CASE("LLVM: where f16 is computed with, it becomes an integer by way of f32, which has the limits") {
  lower::LoweredKernel kernel = kernel_of("store out[0] = f16(i32(f16(in[0]:f32)))");
  kernel.half_arithmetic = true;
  const std::string text = emit(kernel, {}).text;
  CHECK(text.find(" = fpext half ") < text.find(" = call i32 @saturated_i32.f32(float "));
  CHECK(text.find(" = call i32 @saturated_i32.f32(float ") != std::string::npos);
}

TEST_CASE("LLVM: vectors of integers are divided as floats, but not by constants, and not scalars") {
  const auto text_of = [](const std::string& value) {
    return emit(kernel_of("store out[ramp(0, 1, 2)] = f16(" + value + ")"), {}).text;
  };
  const std::string in = "i32(in[ramp(0, 1, 2)]:f32x2)";
  const std::string floored = text_of(in + "/(" + in + " + " + in + ")");
  CHECK(floored.find("  %q.float = fdiv <2 x double> %a.float, %d.float\n"
                     "  %q = fptosi <2 x double> %q.float to <2 x i32>\n") != std::string::npos);
  CHECK(floored.find("sdiv") == std::string::npos);
  const std::string rest = text_of("truncating_mod(" + in + ", " + in + ")");
  CHECK(rest.find("call <2 x i32> @srem_float.v2i32(") != std::string::npos);
  CHECK(rest.find("  %r = sub <2 x i32> %a, %product\n  ret <2 x i32> %r\n") != std::string::npos);
  CHECK(text_of(in + "/broadcast(7, 2)").find("%q = sdiv <2 x i32> %a, %d\n") != std::string::npos);
  CHECK(text_of("truncating_div(" + in + ", broadcast(7, 2))").find(" = sdiv <2 x i32> ") !=
        std::string::npos);
  CHECK(text_of("broadcast(i32(in[0]:f32)/i32(in[1]:f32), 2)").find("%q = sdiv i32 %a, %d\n") !=
        std::string::npos);
}

TEST_CASE("LLVM: neighbors that a scalar statement reads are no vector, so that its loop may become one") {
  const std::string text = emit(kernel_of("for i in [0, 8) { let t = in[ramp(i, 1, 2)]:f32x2 { "
                                          "store out[i] = slice(t:f32x2, 0, 1) + slice(t:f32x2, 1, 1) } }"),
                                {})
                               .text;
  CHECK(text.find("load float, ptr") != std::string::npos);
  CHECK(text.find(" x float>") == std::string::npos);
}

TEST_CASE("LLVM: functions of mathematics behind a select have operands for lanes that are not taken") {
  const std::string text =
      emit(kernel_of("store out[ramp(0, 1, 2)] = select(in[ramp(0, 1, 2)]:f32x2 < broadcast(1.0, 2), "
                     "exp(in[ramp(0, 1, 2)]:f32x2), broadcast(0.0, 2))"),
           {})
          .text;
  const std::size_t operand = text.find("select <2 x i1>"), function = text.find("@math.exp.v2f32");
  CHECK(operand < function);
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
  CHECK_THROWS_WITH_AS(emit(kernel, {}),
                       "kernel scale: the arrays of a work-group need 12000000 bytes, but a thread has "
                       "8388608 for them; make its tiles or its work-groups smaller",
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
