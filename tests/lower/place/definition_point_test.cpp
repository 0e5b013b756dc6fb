#include "lower/place/definition_point.h"

#include "ir/simplify/simplify.h"
#include "lower/pass_text.h"

namespace tensordsl::lower {
namespace {

const Var x("x");

/// The statements at one point of the last definition of `f`.
std::string stores_of(const Func& f) {
  const Producer p = producer_of(f);
  const int stage = static_cast<int>(p.definitions.size()) - 1;
  return text_of(DefinitionPoint(*p.function, stage, p.definitions.back()).stores({}));
}

/// A Func of two values.
struct Pair {
  Func f{"f"};
  Pair() { f(x) = {x, x * 2}; }
};

}  // namespace

TEST_CASE("definition point: a value is stored") {
  Func f("f");
  f(x) = x * 2;
  CHECK(stores_of(f) == "\nstore f[x] = x*2\n");
}

TEST_CASE("definition point: a value that the others do not read is stored at once") {
  Pair p;
  p.f(x) = {p.f(x)[0] + p.f(x)[1], p.f(x)[1] * 3};
  CHECK(stores_of(p.f) == "\nstore f[x].0 = f[x].0 + f[x].1\nstore f[x].1 = f[x].1*3\n");
}

TEST_CASE("definition point: values that read each other get names before one of them is stored") {
  Pair p;
  p.f(x) = {p.f(x)[1], p.f(x)[0]};
  CHECK(stores_of(p.f) ==
        "\nlet f.1.value.0 = f[x].1\nlet f.1.value.1 = f[x].0\nstore f[x].0 = f.1.value.0\nstore f[x].1 = "
        "f.1.value.1\n");
}

TEST_CASE("definition point: a component that keeps its value is not stored") {
  Pair p;
  p.f(x) = {p.f(x)[0] + 1, p.f(x)[1]};
  CHECK(stores_of(p.f) == "\nstore f[x].0 = f[x].0 + 1\n");
}

TEST_CASE("definition point: over a sub-group all work-items come to the meeting, and one stores") {
  Func f("f");
  const RDom r({{0, 8}}, "r");
  f(x) = 0;
  f(x) += r[0];
  const Producer p = producer_of(f);
  const ir::Stmt stmt = DefinitionPoint(*p.function, 1, p.definitions[1])
                            .reduction_over_lanes({}, ir::make_var("r_0") < 5, ir::make_var("lane") == 0);
  CHECK(text_of(stmt) == normalized(R"(alloc f.1.lanes: i32 [1] private {
      store f.1.lanes[0] = sub_group_reduce_add(select(r_0 < 5, r_0, 0))
      if (lane == 0) { store f[x] = f[x] + f.1.lanes[0] }
    })"));
}

}  // namespace tensordsl::lower
