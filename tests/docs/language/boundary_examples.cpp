// The values of a tensor outside its shape.
#include "docs/language/examples.h"
#include "docs/language/names.h"
#include "docs/results.h"

namespace tensordsl::docs {
namespace {

/// `f` from one row above and one column left of the image to one row below and two columns right of it.
std::string around(const Func& f) {
  Func window("window");
  window(y, x) = f(y - 1, x - 2);
  window.bound({4, 7});
  return results_of(window);
}

std::string zero() {
  // [zero]
  Func f = BoundaryConditions::zero(image, {2, 3});
  // [end]
  return around(f);
}

std::string constant() {
  // [constant]
  Func f = BoundaryConditions::constant(image, 9, {2, 3}, "framed");
  // [end]
  return around(f);
}

std::string repeat_edge() {
  // [repeat_edge]
  Func f = BoundaryConditions::repeat_edge(image, image.shape());
  // [end]
  return around(f);
}

std::string one_dimension() {
  // [one_dimension]
  Func wide = BoundaryConditions::zero(image, {Expr(), 3});  // y is not extended
  Func f("f");
  f(y, x) = wide(y, x - 1);
  f.bound({2, 5});
  // [end]
  return results_of(f);
}

std::string mirror() {
  // [mirror]
  Func mirrored("mirrored"), wrapped("wrapped");
  const Expr place = (x - 2) % 6;  // 0 to 5, whatever x is
  mirrored(y, x) = image(y, clamp(min(place, 5 - place), 0, 2));
  wrapped(y, x) = image(y, (x - 2) % 3);
  mirrored.bound({2, 7});
  wrapped.bound({2, 7});
  // [end]
  return results_of({mirrored, wrapped});
}

std::string guarded() {
  // [guarded]
  Func f("f");
  f(x) = select(x > 0, row(x - 1), 0.0f) + select(x < 7, row(x + 1), 0.0f);
  f.bound({8});
  // [end]
  return results_of(f);
}

}  // namespace

std::vector<DocumentExample> boundary_examples() {
  return {{"zero", zero},
          {"constant", constant},
          {"repeat_edge", repeat_edge},
          {"one_dimension", one_dimension},
          {"mirror", mirror},
          {"guarded", guarded}};
}

}  // namespace tensordsl::docs
