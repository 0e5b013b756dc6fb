// The places in an image that scripts/pictures/texels.py draws.
// TENSORDSL_UPDATE_DOCS=1 build/release/bin/test_layout   writes the data of the picture.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/source_dir.h"
#include "tensordsl/layout.h"

namespace tensordsl {
namespace {

using nlohmann::ordered_json;

/// The logical index of each element of the image, in the order of memory.
ordered_json texels_of(std::string_view notation, const std::vector<std::int64_t>& extents) {
  const Layout layout = Layout::parse(notation, {"n", "h", "w", "c"});
  const std::vector<std::int64_t> stored = layout.stored_extents(extents);
  ordered_json image = ordered_json::array(), elements = ordered_json::array();
  std::size_t begin = 0;
  for (const std::size_t end : layout.group_ends()) {
    std::int64_t extent = 1;
    for (; begin < end; ++begin) extent *= stored[begin];
    image.push_back(extent);
  }
  for (std::int64_t position = 0; position < layout.stored_elements(extents); ++position)
    elements.push_back(layout.index_at(position, extents).value());
  return {{"layout", notation}, {"extents", extents}, {"image", image}, {"elements", elements}};
}

}  // namespace

TEST_CASE("Layout: the picture of texels shows where index_at puts each element") {
  const auto path = source_dir() / "docs/images/data/texels.json";
  ordered_json tensors = ordered_json::array();
  for (const char* notation : {"n h | w c/4 | c%4", "n h c/4 | w | c%4"})
    tensors.push_back(texels_of(notation, {1, 2, 3, 8}));
  const std::string text = tensors.dump() + "\n";
  if (std::getenv("TENSORDSL_UPDATE_DOCS")) std::ofstream(path) << text;
  std::ostringstream drawn;
  drawn << std::ifstream(path).rdbuf();
  INFO("to accept the new places: TENSORDSL_UPDATE_DOCS=1 test_layout, then scripts/draw-pictures");
  CHECK(drawn.str() == text);
}

}  // namespace tensordsl
