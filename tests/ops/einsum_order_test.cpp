// Tests the order in which an Einsum of several operands is contracted.
#include <doctest/doctest.h>

#include "ops/einsum_order.h"

using namespace tensordsl;
using namespace tensordsl::ops;

namespace {

const Size n = Size::symbol("n"), m = Size::symbol("m");

/// "0,1: ab,bc->ac; 3,2: .."
std::string steps(const std::string& equation, const std::vector<Shape>& shapes) {
  std::string text;
  for (const EinsumStep& step : einsum_steps(EinsumEquation(equation, shapes))) {
    if (!text.empty()) text += "; ";
    for (std::size_t i = 0; i < step.operands.size(); ++i)
      text += (i == 0 ? "" : ",") + std::to_string(step.operands[i]);
    text += ": " + step.equation;
  }
  return text;
}

}  // namespace

TEST_CASE("Einsum: of products that share a label, that whose result takes least memory comes first") {
  CHECK(steps("ij,jk,kl->il", {{2, 9}, {9, 9}, {9, 9}}) == "0,1: ab,bc->ac; 3,2: ac,cd->ad");
  CHECK(steps("ij,jk,kl->il", {{9, 2}, {2, 9}, {9, 9}}) == "1,2: bc,cd->bd; 0,3: ab,bd->ad");
  CHECK(steps("ij,jk,kl->il", {{9, 9}, {9, 9}, {9, 2}}) == "0,1: ab,bc->ac; 3,2: ac,cd->ad");
  CHECK(steps("i,j,ij->", {{3}, {4}, {3, 4}}) == "1,2: b,ab->a; 0,3: a,a->");
}

TEST_CASE("Einsum: labels of both operands stand first in their product") {
  CHECK(steps("bhqd,bhkd,bhkv->bhqv", {{2, 3, 5, 4}, {2, 3, 7, 4}, {2, 3, 7, 6}}) ==
        "1,2: acdb,acdf->acbf; 0,3: aceb,acbf->acef");
}

TEST_CASE("Einsum: what one operand alone is summed over is summed first, also of two") {
  CHECK(steps("ij,kj->i", {{3, 5}, {4, 5}}) == "1: cb->b; 0,2: ab,b->a");
  CHECK(steps("iik,kl->i", {{3, 3, 5}, {5, 4}}) == "1: bc->b; 0,2: aab,b->a");
}

TEST_CASE("Einsum: products of one and two operands stay as they are") {
  CHECK(steps("ij,jk->ik", {{3, 4}, {4, 5}}).empty());
  CHECK(steps("iij->", {{3, 3, 4}}).empty());
}

TEST_CASE("Einsum: an open extent counts as the largest that is known") {
  CHECK(steps("ij,jk,kl->il", {{n, 4}, {4, n}, {n, 8}}) == "1,2: bc,cd->bd; 0,3: ab,bd->ad");
  CHECK(steps("ij,jk,kl->il", {{n, m}, {m, n}, {n, m}}) == "0,1: ab,bc->ac; 3,2: ac,cd->ad");
}

TEST_CASE("Einsum: operands that share no label are multiplied last") {
  CHECK(steps("a,b,ac->abc", {{2}, {3}, {2, 5}}) == "0,2: a,ac->ac; 3,1: ac,b->abc");
}
