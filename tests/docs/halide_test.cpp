// docs/HALIDE.md shows code that is compiled. After a wanted change,
// TENSORDSL_UPDATE_DOCS=1 build/release/bin/test_halide_document   writes the new text into the document.
#include <doctest/doctest.h>

#include "docs/example_text.h"
#include "docs/generated_blocks.h"
#include "docs/halide/halide_examples.h"
#include "docs/markdown.h"
#include "docs/source_regions.h"

namespace tensordsl::docs {
namespace {

constexpr const char* kDocument = "docs/HALIDE.md";

std::string generated(const std::string& name) {
  const auto regions = regions_of_folder("tests/docs/halide");
  for (const HalideExample& e : halide_examples()) {
    if (e.name == name) return with_comment(regions.at(name), e.run());
  }
  throw std::runtime_error("no example " + name);
}

}  // namespace

TEST_CASE("HALIDE.md shows code that compiles and runs") {
  INFO("to accept the new text: TENSORDSL_UPDATE_DOCS=1 build/release/bin/test_halide_document");
  CHECK(is_current(kDocument, generated));
}

TEST_CASE("HALIDE.md has no code that is not compiled, and shows every example") {
  const std::string document = read_file(kDocument);
  CHECK(written_code(document) == std::vector<std::string>());
  std::vector<std::string> names;
  for (const HalideExample& e : halide_examples()) names.push_back(e.name);
  CHECK(generated_names(document) == names);
}

}  // namespace tensordsl::docs
