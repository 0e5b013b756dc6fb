#include "tensordsl/stored_tensor.h"

#include <doctest/doctest.h>

#include "ir/text/print.h"
#include "tensordsl/error.h"
#include "tensordsl/var.h"

namespace tensordsl {

TEST_CASE("stored tensor: its elements count what the layout pads") {
  const std::vector<std::string> dims{"c", "h", "w"};
  const Param n("n");
  const StoredTensor plain{Float(32), {6, 5, 7}, Layout::row_major(3)};
  const StoredTensor blocked{Float(16), {6, 5, 7}, Layout::parse("c/4 | h w | c%4", dims), Image2D};
  const StoredTensor open{UInt(8), {4, n, 7}, Layout::row_major(3)};
  const StoredTensor point{Int(32), {}, Layout::row_major(0)};
  CHECK(ir::print(plain.elements()) == "210");
  CHECK(ir::print(blocked.elements()) == "280");
  CHECK(ir::print(open.elements()) == "n*28");
  CHECK(ir::print(point.elements()) == "1");
}

TEST_CASE("stored tensor: its shape and bytes are numbers where no Param is in them") {
  const Param n("n");
  const StoredTensor blocked{Float(16), {6, Expr(2) + 3, 7}, Layout::parse("c/4 h w c%4", {"c", "h", "w"})};
  CHECK(blocked.shape() == std::vector<std::int64_t>{6, 5, 7});
  CHECK(blocked.bytes() == 8 * 5 * 7 * 2);
  const StoredTensor open{UInt(8), {4, n, 7}, Layout::row_major(3)};
  CHECK_THROWS_WITH_AS(open.bytes(), "u8 [4, n, 7]: the extent n depends on a Param", ShapeError);
}

TEST_CASE("stored tensor: it prints as what it is, and equals what prints the same") {
  const std::vector<std::string> dims{"c", "h", "w"};
  const Param n("n");
  const StoredTensor plain{Float(32), {6, n + 1, 7}, Layout::row_major(3)};
  StoredTensor blocked = plain;
  blocked.layout = Layout::parse("c/4 | h w | c%4", dims);
  blocked.image = Image2D;
  CHECK(to_string(plain) == "f32 [6, n + 1, 7]");
  CHECK(to_string(blocked) == "f32 [6, n + 1, 7], layout \"d0/4 | d1 d2 | d0%4\", Image2D");
  CHECK(to_string(StoredTensor{Int(32), {}, Layout::row_major(0)}) == "i32 []");
  CHECK(plain == StoredTensor{Float(32), {6, n + 1, 7}, Layout::row_major(3)});
  CHECK(!(plain == blocked));
  CHECK(!(plain == StoredTensor{Float(16), {6, n + 1, 7}, Layout::row_major(3)}));
  CHECK(!(plain == StoredTensor{Float(32), {6, n + 2, 7}, Layout::row_major(3)}));
}

}  // namespace tensordsl
