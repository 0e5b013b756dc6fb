// align_accesses, and its effect on the text.
#include "lower/passes/memory/align_accesses.h"

#include <doctest/doctest.h>
#include <tensordsl/tensordsl.h>

#include "lower/pass_text.h"

namespace tensordsl::lower {
namespace {

ir::Stmt align(const ir::Stmt& stmt) { return align_accesses(stmt); }

const Var x("x"), y("y"), xo("xo"), xi("xi");

/// out(y, x) = in(y, x) + 1, rows of `row` elements, in vectors of `lanes`.
KernelSource copy_kernel(const Expr& row, int lanes, Type type = Float(32)) {
  const Input in("in", type, {4, row});
  Func out("out");
  out(y, x) = in(y, x) + cast(type, 1);
  out.bound({4, row}).split(x, xo, xi, lanes).vectorize(xi).gpu_blocks(xo, y);
  return Pipeline(out).compile().kernels.at(0);
}

bool has(const KernelSource& kernel, std::string_view text) {
  return kernel.text.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("align: an index that is a multiple of the lanes is marked") {
  check_pass(align, "store out[ramp(x*4, 1, 4)] = in[ramp(y*64 + x*8, 1, 4)]:f32x4",
             "store out[ramp(x*4, 1, 4) align 4] = in[ramp(y*64 + x*8, 1, 4) align 4]:f32x4");
}

TEST_CASE("align: what is known of less than the whole vector is marked too") {
  check_pass(align, "store out[ramp(x*8 + 4, 1, 8)] = in[ramp(x*16 + 2, 1, 16)]:f32x8",
             "store out[ramp(x*8 + 4, 1, 8) align 4] = in[ramp(x*16 + 2, 1, 16) align 2]:f32x8");
}

TEST_CASE("align: names have the alignment of their values, inside their scope") {
  check_pass(
      align, "let a = x*4 let b = a + 8 store out[ramp(b, 1, 4)] = in[ramp(a + 2, 1, 4)]:f32x4",
      "let a = x*4 let b = a + 8 store out[ramp(b, 1, 4) align 4] = in[ramp(a + 2, 1, 4) align 2]:f32x4");
  check_unchanged(align, "{ let a = x*4 store out[a] = 1.0 } store out[ramp(a, 1, 4)] = broadcast(1.0, 4)");
}

TEST_CASE("align: an odd offset, an unknown row and single elements stay as they are") {
  check_unchanged(align, "store out[ramp(x*4 + 1, 1, 4)] = in[ramp(y*n + x*4, 1, 4)]:f32x4");
  check_unchanged(align, "store out[x*4] = in[x*8]:f32");
}

TEST_CASE("align: whole vectors in the text, and the alignment of the argument that it relies on") {
  const KernelSource whole = copy_kernel(64, 4);
  CHECK(has(whole, "*(__global float4*)(out + a_0) = *(__constant float4*)(in + a_0) + (float4)(1.0f);"));
  CHECK(whole.arguments[0].alignment == 16);
  CHECK(whole.arguments[1].alignment == 16);
  const KernelSource parts = copy_kernel(36, 8);
  CHECK(has(parts, "(float8)(*(__constant float4*)(in + a_0), *(__constant float4*)(in + (a_0 + 4)))"));
  CHECK(parts.arguments[0].alignment == 16);
  const KernelSource odd = copy_kernel(37, 4);
  CHECK(has(odd, "vload4(0, in + a_0)"));
  CHECK(odd.arguments[0].alignment == 1);
  CHECK(has(copy_kernel(64, 3), "vload3("));
  CHECK(copy_kernel(64, 16, UInt(8)).arguments[1].alignment == 16);
}

TEST_CASE("align: the manifest carries the alignment") {
  const KernelSource whole = copy_kernel(64, 4);
  CHECK(kernel_from_json(to_json(whole)).arguments == whole.arguments);
}

}  // namespace tensordsl::lower
