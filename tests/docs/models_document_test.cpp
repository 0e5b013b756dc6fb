// The code in docs/MODELS.md is that of the example that the tests run. After a change of it,
// TENSORDSL_UPDATE_DOCS=1 build/release/bin/test_models_document   writes it into the document.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "docs/generated_blocks.h"
#include "docs/markdown.h"
#include "docs/source_regions.h"

namespace tensordsl::docs {

TEST_CASE("MODELS.md has the code of the example") {
  const auto regions = source_regions(read_file("apps/examples/own_operators.cpp"));
  CHECK(is_current("docs/MODELS.md", [&](const std::string& name) { return regions.at(name); }));
  CHECK(written_code(read_file("docs/MODELS.md")) == std::vector<std::string>());
}

}  // namespace tensordsl::docs
