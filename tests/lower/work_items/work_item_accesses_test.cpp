// may_meet against all pairs of work-items.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <random>

#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "lower/analyze/work_item_accesses.h"
#include "lower/pass_text.h"

namespace tensordsl::lower {
namespace {

constexpr int kItems0 = 4, kItems1 = 2, kSteps = 3;

/// An index over the work-items x (of 4) and y (of 2) and a loop k of 3.
std::string drawn_index(std::mt19937& random) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const std::string sum = fmt::format("x*{} + y*{} + k*{} + {}", below(4), below(9), below(3), below(3));
  switch (below(4)) {
    case 0:
      return fmt::format("({})/{}", sum, below(4) + 1);
    case 1:
      return fmt::format("({})%{}", sum, below(4) + 1);
    default:
      return sum;
  }
}

struct Drawn {
  std::string text;           // of the statement
  std::vector<Expr> indices;  // over x, y and k
  bool spreads_x, spreads_y;
};

Drawn drawn_store(std::mt19937& random) {
  Drawn drawn;
  drawn.spreads_x = random() % 4 != 0;
  drawn.spreads_y = random() % 2 != 0;
  std::vector<std::string> indices{drawn_index(random), drawn_index(random)};
  // The remainder and the quotient of one sum determine all of it.
  if (random() % 3 == 0) indices = {"(y*4 + x)/3", "(y*4 + x)%3"};
  for (const std::string& i : indices) drawn.indices.push_back(ir::parse_expr(i));
  drawn.text = fmt::format("store t[{}, {}] = 1", indices[0], indices[1]);
  const auto around = [&](const char* name, int extent, const char* kind) {
    drawn.text = fmt::format("for {} in [0, {}) {} {{ {} }}", name, extent, kind, drawn.text);
  };
  around("k", kSteps, "");
  around("x", kItems0, drawn.spreads_x ? "thread0" : "");
  around("y", kItems1, drawn.spreads_y ? "thread1" : "");
  return drawn;
}

using Element = std::array<std::int64_t, 2>;

/// The elements that each work-item stores to; the first one of a dimension does what no loop spreads.
std::map<int, std::vector<Element>> elements(const Drawn& drawn) {
  std::map<int, std::vector<Element>> result;
  for (int y = 0; y < kItems1; ++y) {
    for (int x = 0; x < kItems0; ++x) {
      const int item = (drawn.spreads_y ? y * kItems0 : 0) + (drawn.spreads_x ? x : 0);
      for (int k = 0; k < kSteps; ++k) {
        Element element;
        for (std::size_t d = 0; d < 2; ++d) {
          element[d] = *ir::as_int(ir::simplify(ir::substitute(
              drawn.indices[d], ir::Substitution{{"x", Expr(x)}, {"y", Expr(y)}, {"k", Expr(k)}})));
        }
        result[item].push_back(element);
      }
    }
  }
  return result;
}

bool two_items_meet(const Drawn& a, const Drawn& b) {
  for (const auto& [item, touched] : elements(a)) {
    for (const auto& [other, also] : elements(b)) {
      if (item == other) continue;
      for (const Element& e : touched) {
        if (std::find(also.begin(), also.end(), e) != also.end()) return true;
      }
    }
  }
  return false;
}

}  // namespace

TEST_CASE("work-item accesses: what is said not to meet does not, whatever the indices") {
  std::mt19937 random(7);
  int apart = 0, proven = 0;
  for (int i = 0; i < 3000; ++i) {
    const Drawn a = drawn_store(random), b = drawn_store(random);
    // The last statement gives the group its size.
    const std::string text = fmt::format(
        "alloc t: i32 [40, 40] local {{ {} {} for x in [0, {}) thread0 {{ for y in [0, {}) thread1 {{ store "
        "out[x, y] = 0 }} }} }}",
        a.text, b.text, kItems0, kItems1);
    CAPTURE(text);
    const ir::Stmt nest = ir::parse_stmt(text);
    const WorkItemScope scope = WorkItemScope(nest).inside(*nest);
    const auto first = scope.accesses(nest->body[0]->body[0]),
               second = scope.accesses(nest->body[0]->body[1]);
    REQUIRE(first.size() == 1);
    REQUIRE(second.size() == 1);
    const bool is_said = may_meet(first[0], second[0]);
    const bool meet = two_items_meet(a, b);
    apart += !meet;
    proven += !is_said;
    CHECK((is_said || !meet));
  }
  // The analysis may miss some disjoint pairs, but not all.
  CHECK(apart > 500);
  CHECK(proven > 200);
}

TEST_CASE("work-item accesses: of a loop that all work-items run alike, both are in one iteration") {
  const auto meet = [](const char* text) {
    const ir::Stmt nest = ir::parse_stmt(text);
    const ir::Stmt& loop = nest->body[0];
    const WorkItemScope around = WorkItemScope(nest).inside(*nest);
    const WorkItemAccess here = around.inside(*loop).accesses(loop->body[0]).at(0);
    const WorkItemAccess any = in_any_iteration(here, *loop);
    return std::pair(may_meet(here, here), may_meet(any, any));
  };
  CHECK(
      meet(
          "alloc t: i32 [12] local { for k in [0, 4) { for x in [0, 8) thread0 { store t[k + x] = 0 } } }") ==
      std::pair(false, true));
  CHECK(meet("alloc t: i32 [32] local { for k in [0, 4) { for x in [0, 8) thread0 { store t[x*4 + k] = 0 } } "
             "}") == std::pair(false, false));
}

TEST_CASE("work-item accesses: where a loop's ends are a work-item's own, so is its variable") {
  const ir::Stmt nest = ir::parse_stmt(
      "alloc t: i32 [32] local { for x in [0, 8) thread0 { for k in [x, x + 4) { store t[k] = 0 } } }");
  const ir::Stmt& x = nest->body[0];
  const WorkItemScope scope = WorkItemScope(nest).inside(*nest).inside(*x).inside(*x->body[0]);
  const WorkItemAccess access = scope.accesses(x->body[0]->body[0]).at(0);
  CHECK(may_meet(access, access));
}

}  // namespace tensordsl::lower
