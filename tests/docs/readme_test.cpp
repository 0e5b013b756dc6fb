#include <doctest/doctest.h>

#include "docs/text_file.h"

namespace tensordsl::docs {
namespace {

/// What stands between "```cpp" and "```"; empty if there is no such block, or more than one.
std::string only_cpp_block(const std::string& markdown) {
  const std::string open = "\n```cpp\n", close = "```\n";
  const std::size_t begin = markdown.find(open);
  if (begin == std::string::npos || markdown.find(open, begin + 1) != std::string::npos) return "";
  const std::size_t from = begin + open.size();
  const std::size_t end = markdown.find(close, from);
  return end == std::string::npos ? "" : markdown.substr(from, end - from);
}

}  // namespace

TEST_CASE("the README's kernel is the example that the tests compile and run") {
  CHECK(only_cpp_block(read_file("README.md")) == read_file("apps/examples/readme_example.cpp"));
}

TEST_CASE("a code block is found only if it is the only one and closed") {
  CHECK(only_cpp_block("a\n```cpp\nint x;\n```\nb\n") == "int x;\n");
  CHECK(only_cpp_block("a\n```\nint x;\n```\n") == "");
  CHECK(only_cpp_block("a\n```cpp\nint x;\n") == "");
  CHECK(only_cpp_block("\n```cpp\nx\n```\n\n```cpp\ny\n```\n") == "");
}

}  // namespace tensordsl::docs
