#include "tensordsl/kernel_source.h"

#include <doctest/doctest.h>

#include "tensordsl/error.h"

using namespace tensordsl;

TEST_CASE("launch manifest: what is written is read back, but for the text") {
  KernelSource k;
  k.entry = "blur";
  k.arguments = {{KernelArgument::Kind::Buffer, "in", Float(16), KernelArgument::Access::ReadOnly, "n*64"},
                 {KernelArgument::Kind::Scalar, "n", Int(32), KernelArgument::Access::ReadOnly, "1"}};
  k.launch = {{"(n + 7)/8", "2", "1"}, {8, 1, 1}};
  k.resources = {1024, 0, 256, 12345};
  CHECK(kernel_from_json(to_json(k)) == k);
}

TEST_CASE("launch manifest: text that is no manifest is refused with what is wrong") {
  CHECK_THROWS_AS(kernel_from_json("{"), ParseError);
  CHECK_THROWS_AS(kernel_from_json("{}"), ParseError);
  CHECK_THROWS_WITH_AS(
      kernel_from_json(R"({"entry":"e","options":"","arguments":[{"kind":"buffer","name":"a","type":"f7",
        "access":"read_only","elements":"1"}]})"),
      "launch manifest: unknown type \"f7\"", ParseError);
}
