// docs/ARCHITECTURE.md shows what the compiler really prints. After a wanted change of the output,
// TENSORDSL_UPDATE_DOCS=1 build/release/bin/test_architecture   writes the new text into the document.
#include <doctest/doctest.h>

#include <cstdlib>
#include <functional>

#include "apps/examples/convolution.h"
#include "docs/text_file.h"

namespace tensordsl::docs {
namespace {

constexpr const char* kDocument = "docs/ARCHITECTURE.md";

/// The document with the code block after each "<!-- generated: NAME -->" filled with text_of(NAME).
std::string with_generated_blocks(const std::string& document,
                                  const std::function<std::string(const std::string&)>& text_of) {
  const std::string open = "<!-- generated: ", fence = "```";
  std::string result;
  std::size_t position = 0;
  for (std::size_t marker; (marker = document.find(open, position)) != std::string::npos;) {
    const std::size_t name = marker + open.size();
    const std::size_t name_end = document.find(" -->", name);
    const std::size_t block = document.find(fence, name);
    const std::size_t body = block == std::string::npos ? block : document.find('\n', block);
    const std::size_t close = body == std::string::npos ? body : document.find("\n" + fence, body);
    if (close == std::string::npos) throw std::runtime_error("a generated block is not closed");
    result += document.substr(position, body + 1 - position);
    std::string text = text_of(document.substr(name, name_end - name));
    while (text.ends_with('\n')) text.pop_back();
    result += text;
    position = close;
  }
  return result + document.substr(position);
}

std::string generated(const std::string& name) {
  if (name == "source") return read_file("apps/examples/convolution.h");
  return Pipeline(small_convolution()).emit(name);
}

}  // namespace

TEST_CASE("ARCHITECTURE.md shows the stages of the convolution as the compiler prints them") {
  const std::string document = read_file(kDocument);
  const std::string current = with_generated_blocks(document, generated);
  const char* update = std::getenv("TENSORDSL_UPDATE_DOCS");
  if (update != nullptr && *update != '\0' && current != document) {
    std::ofstream(std::filesystem::path(TENSORDSL_SOURCE_DIR) / kDocument, std::ios::binary) << current;
    return;
  }
  INFO("to accept the new text: TENSORDSL_UPDATE_DOCS=1 build/release/bin/test_architecture");
  CHECK(document == current);
}

TEST_CASE("ARCHITECTURE.md shows every stage") {
  const std::string document = read_file(kDocument);
  for (const std::string stage : {"source", "funcs", "loops", "ir", "cl"}) {
    CHECK_MESSAGE(document.find("<!-- generated: " + stage + " -->") != std::string::npos, stage);
  }
}

TEST_CASE("ARCHITECTURE.md names every pass") {
  const std::string document = read_file(kDocument);
  int passes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(TENSORDSL_SOURCE_DIR) /
                                                               "src/lower/passes")) {
    if (entry.path().extension() != ".h") continue;
    ++passes;
    const std::string name = entry.path().stem().string();
    CHECK_MESSAGE(document.find("`" + name + "`") != std::string::npos, name);
  }
  CHECK(passes > 10);
}

TEST_CASE("generated blocks are replaced and everything else stays") {
  const auto upper = [](const std::string& name) { return name + "!\n\n"; };
  CHECK(with_generated_blocks("a\n<!-- generated: x -->\n```cpp\nold\nold\n```\nb\n```\nkept\n```\n",
                              upper) == "a\n<!-- generated: x -->\n```cpp\nx!\n```\nb\n```\nkept\n```\n");
  CHECK(with_generated_blocks("<!-- generated: x -->\n```\n```\n", upper) ==
        "<!-- generated: x -->\n```\nx!\n```\n");
  CHECK(with_generated_blocks("no block\n", upper) == "no block\n");
  CHECK_THROWS_WITH_AS(with_generated_blocks("<!-- generated: x -->\n```\nold\n", upper),
                       "a generated block is not closed", std::runtime_error);
}

}  // namespace tensordsl::docs
