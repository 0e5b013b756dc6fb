// How indices depend on the point that is computed.
#include "classify/access_map.h"

#include <doctest/doctest.h>

#include "tensordsl/func.h"

using namespace tensordsl;
using namespace tensordsl::classify;

namespace {

const Var h("h"), w("w");

std::string text(const Expr& expr) {
  std::string all;
  for (const Access& access : accesses_of(expr)) all += (all.empty() ? "" : "; ") + to_string(access);
  return all;
}

}  // namespace

TEST_CASE("accesses: sums of multiples are affine, quotients and remainders are not") {
  const Input x("x", Float(32), {100, 100});
  CHECK(text(x(h * 2 + w - 1, 3)) == "x(h*2 + w - 1, 3) affine");
  CHECK(text(x(h / 4, w)) == "x(h/4, w) quasi-affine");
  CHECK(text(x((h * 3 + w) % 5, w)) == "x((h*3 + w)%5, w) quasi-affine");
  CHECK(text(x(h * w, w)) == "x(h*w, w) quasi-affine");
}

TEST_CASE("accesses: an index that is read depends on data, and what it reads comes first") {
  const Input x("x", Float(32), {100}), index("index", Int(32), {10});
  CHECK(text(x(index(h) + 1)) == "index(h) affine; x(index(h) + 1) data-dependent");
}

TEST_CASE("accesses: a clamp between constants is taken off, a bound of another index is not") {
  const Input x("x", Float(32), {100});
  CHECK(text(x(clamp(h - 1, 0, 99))) == "x(clamp(h - 1)) affine");
  CHECK(text(x(max(h, 0))) == "x(clamp(h)) affine");
  CHECK(text(x(min(h, w))) == "x(min(h, w)) quasi-affine");
}

TEST_CASE("accesses: equal reads count once, and coefficients are known by axis") {
  const Input x("x", Float(32), {100});
  const auto accesses = accesses_of(x(h * 2 + 1) * x(h * 2 + 1) + x(w));
  REQUIRE(accesses.size() == 2);
  CHECK(accesses[0].indices[0].coefficient_of("h") == 2);
  CHECK(accesses[0].indices[0].coefficient_of("w") == 0);
  CHECK_FALSE(accesses[0].indices[0].is_axis("h"));
  CHECK(accesses[1].indices[0].is_axis("w"));
}
