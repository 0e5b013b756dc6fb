// Tests which Inputs are placed in the constant address space automatically.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ir/text/parse.h"
#include "lower/passes/kernel/infer_constant_inputs.h"
#include "support/some_device.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

std::string inferred(const std::string& body) {
  return fmt::format("{}", fmt::join(lower::uniform_buffers(ir::parse_stmt(body)), " "));
}

const Var x("x"), y("y");

/// The kernel of out(y, x) = a(y, x)*scale(y), a work-group to each row, the elements spread over work-items.
std::string kernel(int rows, std::int64_t room = 64 * 1024) {
  const Input a("a", Float(32), {rows, 8}), scale("scale", Float(32), {rows});
  Func out("out");
  out(y, x) = a(y, x) * scale(y);
  out.bound({rows, 8}).gpu_blocks(y).gpu_threads(x);
  DeviceInfo device = some_device();
  device.constant_buffer_bytes = room;
  return Pipeline(out).compile(device).kernels.at(0).text;
}

bool is_constant(const std::string& text, const std::string& name) {
  return text.find("__constant float* restrict " + name) != std::string::npos;
}

}  // namespace

TEST_CASE("infer_constant_inputs: what all work-items of a group read alike") {
  CHECK(inferred("store out[thread0] = a[block0] + b[thread0]") == "a");
  CHECK(inferred("for i in [0, 4) { store out[thread0] = a[i*3 + block1] }") == "a");
  CHECK(inferred("for i in [thread0, thread0 + 4) { store out[i] = a[i] }") == "");
  CHECK(inferred("let t = thread1*2 { store out[t] = a[t] + b[7] }") == "b");
  CHECK(inferred("store out[0] = a[b[0]]") == "b");
  CHECK(inferred("store out[thread0] = a[3] + a[thread0]") == "");
}

TEST_CASE("constant inputs: small ones, as far as the device has room") {
  CHECK(is_constant(kernel(512), "scale"));
  CHECK(!is_constant(kernel(512), "a"));
  CHECK(!is_constant(kernel(513), "scale"));
  CHECK(!is_constant(kernel(16, 63), "scale"));
  CHECK(is_constant(kernel(16, 64), "scale"));
}

TEST_CASE("constant inputs: at most eight to a kernel") {
  Func out("out");
  Expr sum = 0.0f;
  for (int i = 0; i < 10; ++i) sum = sum + Input(fmt::format("a{}", i), Float(32), {4})(y);
  out(y, x) = sum;
  out.bound({4, 8}).gpu_blocks(y).gpu_threads(x);
  const std::string text = Pipeline(out).compile().kernels.at(0).text;
  int count = 0;
  for (std::size_t at = 0; (at = text.find("__constant", at)) != std::string::npos; ++at) ++count;
  CHECK(count == 8);
}

}  // namespace tensordsl
