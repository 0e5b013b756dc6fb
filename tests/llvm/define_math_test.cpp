// Tests which functions of the C library kernels call.
#include "backends/llvm/device/define_math.h"

#include <doctest/doctest.h>

namespace tensordsl::host {
namespace {

bool has_all(const std::string&) { return true; }
bool has_none(const std::string&) { return false; }

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr const char* kExp16 = "declare <16 x float> @math.exp.v16f32(<16 x float>)\n";

}  // namespace

TEST_CASE("math functions: a vector as wide as the processor's is one call") {
  const std::string text = define_math_functions(kExp16, 512, has_all);
  CHECK(
      contains(text,
               "define internal <16 x float> @math.exp.v16f32(<16 x float> %x0) alwaysinline {\n  %result = "
               "call <16 x float> @_ZGVeN16v_expf(<16 x float> %x0)\n"));
  CHECK(contains(text, "declare <16 x float> @_ZGVeN16v_expf(<16 x float>)"));
  CHECK_FALSE(contains(text, "declare <16 x float> @math"));
}

TEST_CASE("math functions: a wider vector is as many calls as it takes") {
  const std::string text = define_math_functions(kExp16, 256, has_all);
  CHECK(contains(text, "%r0 = call <8 x float> @_ZGVdN8v_expf(<8 x float> %p0.0)"));
  CHECK(contains(text, "%r8 = call <8 x float> @_ZGVdN8v_expf(<8 x float> %p8.0)"));
  CHECK(contains(text, "ret <16 x float> %w8"));
}

TEST_CASE("math functions: without functions of vectors each lane is a call") {
  const std::string text = define_math_functions(
      "declare <3 x double> @math.pow.v3f64(<3 x double>, <3 x double>)\n", 512, has_none);
  CHECK(contains(text, "%r2 = call double @pow(double %p2.0, double %p2.1)"));
  CHECK(contains(text, "declare double @pow(double, double)"));
}

TEST_CASE("math functions: other lines stay as they are") {
  const std::string module = "define void @f() {\n  ret void\n}\ndeclare float @llvm.sqrt.f32(float)\n";
  CHECK(define_math_functions(module, 512, has_all) == module);
  CHECK(define_math_functions("", 512, has_all).empty());
  CHECK(define_math_functions("declare", 512, has_all) == "declare");
}

}  // namespace tensordsl::host
