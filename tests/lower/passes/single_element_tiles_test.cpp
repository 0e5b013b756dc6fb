// Tiles of one element in the registers of a sub-group.
#include <doctest/doctest.h>

#include "lower/check_simulation.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

const Var x("x"), xo("xo"), xi("xi"), ro("ro"), ri("ri");

Buffer numbers(const std::vector<std::int64_t>& shape) {
  Buffer data(Float(32), shape);
  for (std::int64_t i = 0; i < data.elements(); ++i) data.set(i, static_cast<double>(i * 7 % 11 - 3));
  return data;
}

}  // namespace

TEST_CASE(
    "store_in(SubGroup): of a tile of one element the update may run over more, with the steps vectorized") {
  // The tests that keep it to the element stay until the loop over ro is known to run once.
  const Tail tails[] = {Tail::Exact, Tail::Guard};
  for (const Tail tail : tails) {
    for (const int points : {8, 16}) {
      CAPTURE(points);
      const Input in("in", Float(32), {32});
      const RDom r({{0, points}}, "r");
      Func tile("tile"), out("out");
      tile(x) = in(x);
      tile(r) = tile(r) * 2.0f + in(r + 16);
      out(x) = tile(x);
      out.bound({1}).split(x, xo, xi, 16, Tail::Guard).gpu_blocks(xo).gpu_threads(xi);
      tile.compute_at(out, xo).store_in(SubGroup);
      tile.update().split(r[0], ro, ri, 4, tail).vectorize(ri);
      check_result(out, {{"in", numbers({32})}}, {1});
    }
  }
}

}  // namespace tensordsl
