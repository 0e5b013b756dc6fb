#include "ir/nodes/name_filter.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "ir/nodes/substitute.h"
#include "ir/text/parse.h"

namespace tensordsl::ir {

TEST_CASE("name filter: every name that a tree holds is found in it") {
  const Stmt s = parse_stmt("for i in [0, n) { let a.0 = i*x store out[a.0] = in[a.0]:f32 + exp(f:f32) }");
  for (const char* name : {"i", "n", "a.0", "x", "out", "in", "f"})
    CHECK(s->names.may_share(NameFilter(name)));
  CHECK(parse_expr("in[x + y]:f32")->names.may_share(NameFilter("y")));
}

TEST_CASE("name filter: of a thousand names that a small tree does not hold few seem to be in it") {
  const Expr e = parse_expr("in[x*4 + y]:f32 + in[x*4 + z]:f32");
  int found = 0;
  for (int i = 0; i < 1000; ++i) found += e->names.may_share(NameFilter(fmt::format("v.{}", i)));
  CHECK(found < 30);
}

TEST_CASE("name filter: a substitution leaves the very nodes that lack the name") {
  const Stmt s = parse_stmt("store out[x] = a[x]:f32 store out[y] = b[z]:f32");
  const Stmt other = substitute(s, "y", Expr(3));
  CHECK(other->body[0].get() == s->body[0].get());
  CHECK(other->body[1]->value().get() == s->body[1]->value().get());
  CHECK(other->body[1].get() != s->body[1].get());
}

}  // namespace tensordsl::ir
