// docs/ARCHITECTURE.md shows what the compiler really prints. After a wanted change of the output,
// TENSORDSL_UPDATE_DOCS=1 build/release/bin/test_architecture   writes the new text into the document.
#include <doctest/doctest.h>

#include "apps/examples/convolution.h"
#include "docs/generated_blocks.h"
#include "support/source_dir.h"

namespace tensordsl::docs {
namespace {

constexpr const char* kDocument = "docs/ARCHITECTURE.md";

std::string generated(const std::string& name) {
  if (name == "source") return read_file("apps/examples/convolution.h");
  return Pipeline(small_convolution()).emit(name);
}

}  // namespace

TEST_CASE("ARCHITECTURE.md shows the stages of the convolution as the compiler prints them") {
  INFO("to accept the new text: TENSORDSL_UPDATE_DOCS=1 build/release/bin/test_architecture");
  CHECK(is_current(kDocument, generated));
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
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() / "src/lower/passes")) {
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
