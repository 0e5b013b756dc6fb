// The code in docs/MODELS.md, docs/PACKAGE.md and docs/GENERATORS.md is that of programs that the tests run.
// After a change of it, TENSORDSL_UPDATE_DOCS=1 build/release/bin/test_models_document
// writes it into the documents.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "docs/generated_blocks.h"
#include "docs/markdown.h"
#include "docs/source_regions.h"

namespace tensordsl::docs {

TEST_CASE("MODELS.md has the code of the examples") {
  const auto regions = regions_of_folder("apps/examples");
  CHECK(is_current("docs/MODELS.md", [&](const std::string& name) { return regions.at(name); }));
  CHECK(written_code(read_file("docs/MODELS.md")) == std::vector<std::string>());
}

TEST_CASE("PACKAGE.md has the code of the example") {
  const auto regions = regions_of_folder("apps/examples");
  CHECK(is_current("docs/PACKAGE.md", [&](const std::string& name) { return regions.at(name); }));
}

TEST_CASE("GENERATORS.md has the host programs that tests run") {
  auto regions = regions_of_folder("tests/generator/standalone");
  regions.merge(regions_of_folder("tests/install"));
  CHECK(is_current("docs/GENERATORS.md", [&](const std::string& name) { return regions.at(name); }));
}

}  // namespace tensordsl::docs
