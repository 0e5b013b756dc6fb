// Layouts of images that have the order of a buffer.
#include "graph/schedule/image_layout.h"

#include <doctest/doctest.h>

#include "ir/nodes/expr_node.h"

using namespace tensordsl;
using namespace tensordsl::graph;

namespace {

constexpr ImageLimits kLimits{64, 32, 8, 4096};

/// Prints the layout with its image; "a buffer" if there is none.
std::string image(const char* layout, const std::vector<std::int64_t>& extents,
                  std::optional<int> sliding = std::nullopt, const ImageLimits& limits = kLimits,
                  Type type = Float(32)) {
  StoredTensor tensor{type, {}, {}};
  std::vector<std::string> dims;
  for (const std::int64_t extent : extents) {
    dims.push_back(std::string(1, "abcd"[dims.size()]));
    tensor.extents.emplace_back(static_cast<int>(extent));
  }
  tensor.layout = Layout::parse(layout, dims);
  const auto found = image_layout(tensor, sliding, limits);
  if (!found) return "a buffer";
  // The order in memory stays.
  std::vector<std::int64_t> index(extents.size(), 0);
  for (;;) {
    REQUIRE(found->position(index, extents) == tensor.layout.position(index, extents));
    std::size_t d = 0;
    while (d < extents.size() && ++index[d] == extents[d]) index[d++] = 0;
    if (d == extents.size()) break;
  }
  return std::string(to_string(*image_of(*found))) + " " + found->to_string(dims);
}

}  // namespace

TEST_CASE("image layout: about as many rows as columns") {
  CHECK(image("a b", {20, 64}) == "Image2D a | b/4 | b%4");
  CHECK(image("a c d b", {1, 16, 6, 5}) == "Image2D a c | d b/4 | b%4");
  CHECK(image("a c d b", {2, 4, 2, 7}) == "Image2D a c | d b/4 | b%4");
  CHECK(image("a c d b", {1, 32, 2, 2}) == "Image2D a c d | b/4 | b%4");
}

TEST_CASE("image layout: columns begin with the dimension that windows slide over, where that fits") {
  CHECK(image("a c d b", {1, 32, 2, 2}, 3) == "Image2D a c | d b/4 | b%4");
  CHECK(image("a c d b", {1, 32, 2, 9}, 3) == "Image2D a c d | b/4 | b%4");
}

TEST_CASE("image layout: parts of a larger tensor, and blocks of channels") {
  CHECK(image("a c d 8+b+4", {1, 4, 6, 5}) == "Image2D a c | d 2+b/4+1 | b%4");
  CHECK(image("a/8 b a%8", {16, 5}) == "Image2D a/8 | b a/4%2 | a%4");
  CHECK(image("a/4 b a%4", {16, 5}) == "Image2D a/4 | b | a%4");
}

TEST_CASE("image layout: layers, or one row, of what has too many rows and columns") {
  CHECK(image("a b c", {4, 40, 64}) == "Image1DBuffer a b c/4 | c%4");
  CHECK(image("a b c", {4, 30, 64}) == "Image2DArray a | b | c/4 | c%4");
  CHECK(image("a b", {40, 64}) == "Image1DBuffer a b/4 | b%4");
  CHECK(image("a", {64}) == "Image1DBuffer a/4 | a%4");
}

TEST_CASE("image layout: none of what texels do not divide, of wide types, of unknown extents, or of none") {
  CHECK(image("a b", {4, 6}) == "a buffer");
  CHECK(image("a 2+b+2", {4, 8}) == "a buffer");
  CHECK(image("a/6 b a%6", {12, 5}) == "a buffer");
  CHECK(image("a b", {4, 8}, std::nullopt, kLimits, Int(64)) == "a buffer");
  CHECK(image("a b", {40, 128}) == "Image1DBuffer a b/4 | b%4");
  CHECK(image("a b", {400, 64}) == "a buffer");
  const Expr n = ir::make_var("n");
  CHECK(!image_layout({Float(32), {n, 8}, Layout::row_major(2)}, std::nullopt, kLimits));
  CHECK(!image_layout({Float(32), {0, 8}, Layout::row_major(2)}, std::nullopt, kLimits));
  CHECK(!image_of(Layout::row_major(2)));
}
