#include "ir/nodes/work_counter.h"

#include <doctest/doctest.h>

#include <thread>

#include "ir/nodes/stmt.h"
#include "ir/text/parse.h"

namespace tensordsl::ir {
namespace {

std::int64_t visits(const Expr& expr) {
  const WorkCounter counter;
  visit(expr, [](const Expr&) { return true; });
  return counter.nodes();
}

}  // namespace

TEST_CASE("work counter: a visit comes to every node, and a rewrite builds what changes") {
  const Expr e = parse_expr("(x + 1)*(y + 2)");
  CHECK(visits(e) == 7);
  const WorkCounter counter;
  rewrite(e, [](const Expr& part) { return as_int(part) ? Expr(3) : part; });
  CHECK(counter.nodes() == 7 + 5);  // two constants, two sums and their product are new
}

TEST_CASE("work counter: what an inner one counts is counted by the one around it, in this thread alone") {
  const Expr e = parse_expr("x + y");
  const WorkCounter outer;
  CHECK(visits(e) == 3);
  CHECK(outer.nodes() == 3);
  std::thread([&] { visit(e, [](const Expr&) { return true; }); }).join();
  CHECK(outer.nodes() == 3);
}

}  // namespace tensordsl::ir
