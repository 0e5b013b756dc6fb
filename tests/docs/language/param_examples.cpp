// Params and extents that are known at the launch.
#include "docs/language/examples.h"
#include "docs/language/names.h"
#include "docs/results.h"

namespace tensordsl::docs {
namespace {

std::string param() {
  const auto data = counting(Float(32), {8});
  // [param]
  const Param gain("gain", Float(32)), shift("shift");
  Func f("f");
  f(x) = row(clamp(x + shift, 0, 7)) * gain;
  f.bound({4});
  const Buffer result = Pipeline(f).realize({{"row", data}}, *Device::open(), {{"gain", 0.5f}, {"shift", 2}});
  // [end]
  return results_of(f, {.params = {{"gain", 0.5f}, {"shift", 2}}});
}

std::string symbolic_shape() {
  // [symbolic_shape]
  const Param n("n");
  const Input any("any", Float(32), {n});
  const RDom r({{0, n}}, "r");
  Func reversed("reversed"), total("total");
  reversed(x) = any(n - 1 - x);
  total() += any(r);
  reversed.bound({n});
  // [end]
  return "With n = 3\n" + results_of({reversed, total}, {.params = {{"n", 3}}}) + "With n = 5\n" +
         results_of({reversed, total}, {.params = {{"n", 5}}});
}

}  // namespace

std::vector<DocumentExample> param_examples() {
  return {{"param", param}, {"symbolic_shape", symbolic_shape}};
}

}  // namespace tensordsl::docs
