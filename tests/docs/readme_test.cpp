#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "docs/text_file.h"

namespace tensordsl::docs {
namespace {

/// The texts between each "```cpp" and its "```", in order; a block that is not closed is left out.
std::vector<std::string> cpp_blocks(const std::string& markdown) {
  const std::string open = "\n```cpp\n", close = "```\n";
  std::vector<std::string> blocks;
  for (std::size_t at = markdown.find(open); at != std::string::npos; at = markdown.find(open, at)) {
    at += open.size();
    const std::size_t end = markdown.find(close, at);
    if (end != std::string::npos) blocks.push_back(markdown.substr(at, end - at));
  }
  return blocks;
}

}  // namespace

TEST_CASE("the programs in documents are the examples that the tests compile and run") {
  const auto has = [](const char* document, const char* program) {
    return std::ranges::count(cpp_blocks(read_file(document)), read_file(program)) == 1;
  };
  CHECK(has("README.md", "apps/examples/readme_example.cpp"));
  CHECK(has("docs/GENERATORS.md", "apps/generators/scale.cpp"));
  CHECK(has("docs/tutorials/SHIP_A_MODEL.md", "apps/examples/models/readme_model.cpp"));
  CHECK(cpp_blocks(read_file("README.md")).size() == 1);
}

TEST_CASE("the README fits on three screens") {
  CHECK(std::ranges::count(read_file("README.md"), '\n') <= 180);
}

TEST_CASE("code blocks are found in order, if they are closed") {
  CHECK(cpp_blocks("a\n```cpp\nint x;\n```\nb\n") == std::vector<std::string>{"int x;\n"});
  CHECK(cpp_blocks("a\n```\nint x;\n```\n").empty());
  CHECK(cpp_blocks("a\n```cpp\nint x;\n").empty());
  CHECK(cpp_blocks("\n```cpp\nx\n```\n\n```cpp\ny\n```\n") == std::vector<std::string>{"x\n", "y\n"});
}

}  // namespace tensordsl::docs
