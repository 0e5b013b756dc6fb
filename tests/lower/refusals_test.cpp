// Schedules that are refused, each with the text that gives the finding and the remedy.
#include <doctest/doctest.h>

#include "tensordsl/error.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

const Var x("x"), y("y"), u("u"), v("v"), vo("vo"), vi("vi"), xo("xo"), xi("xi");

TEST_CASE("refused: a reduction cannot be factored once the update is specialized, nor in a specialization") {
  const Param n("n", Int(32));
  const Input a("a", Float(32), {4, n});
  const RDom r({{0, n}}, "r");
  Func f("f");
  f(x) += a(x, r);
  Stage variant = f.update().specialize(n == 8);
  CHECK_THROWS_WITH_AS(f.update().rfactor(r[0], u),
                       "f.update(0).rfactor(r_0, u): the update already has specializations; call this "
                       "directive before specialize()",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(variant.rfactor(r[0], u),
                       "f.update(0).specialization(0).rfactor(r_0, u): cannot be called on a specialization, "
                       "which shares the definition of the update; call it on the update",
                       ScheduleError);
  CHECK_THROWS_WITH_AS(variant.split_k(r[0], 4, u),
                       "f.update(0).specialization(0).split_k(r_0, 4, u): cannot be called on a "
                       "specialization, which shares the definition of the update; call it on the update",
                       ScheduleError);
}

TEST_CASE("refused: sub-groups add up scalars") {
  const Input a("a", Float(32), {4, 8});
  const RDom r({{0, 8}}, "r");
  Func f("f");
  f(x) += a(x, r);
  f.update().vectorize(x, 4, Tail::Exact);
  CHECK_THROWS_WITH_AS(f.update().gpu_lanes(r[0]),
                       "f.update(0).gpu_lanes(r_0): loop \"x.v\" is vectorized, but sub-groups reduce "
                       "scalars; unroll it instead",
                       ScheduleError);
}

TEST_CASE("refused: the loops of a specialization are no place to compute in") {
  const Param n("n", Int(32));
  const Input a("a", Float(32), {n});
  Func f("f"), g("g");
  f(x) = a(x) + 1.0f;
  g(x) = f(x) * 2.0f;
  CHECK_THROWS_WITH_AS(f.compute_at(g.specialize(n == 8), x),
                       "f.compute_at(g.specialization(0), x): the consumer cannot be a specialization, "
                       "because placement applies to all of g; name g",
                       ScheduleError);
}

TEST_CASE("refused: a specialization that may read more than is computed for all") {
  const Param n("n", Int(32));
  const Input a("a", Float(32), {n});
  Func f("f"), g("g");
  g(y) = a(clamp(y, 0, n - 1)) + 1.0f;
  f(y, x) = g(y) + cast(Float(32), x);
  g.compute_root();
  f.specialize(n == 8).split(y, vo, vi, 4);
  f.fuse(y, x, v);
  CHECK_THROWS_WITH_AS(Pipeline(f).compile(),
                       "f.specialization(0): it may read [0, f_extent_0) of dimension 0 of g, but only [0, "
                       "max(min(f_extent_0 - 1, max((f_extent_0*f_extent_1 - 1)/f_extent_1, 0)), 0) + 1) is "
                       "computed for f; use Tail::Guard in it, or give g a bound()",
                       ScheduleError);
}

TEST_CASE("refused: work-items that have storage of their own cannot spread its computation") {
  const Input in("in", Float(32), {36});
  Func tile("tile"), out("out");
  tile(x) = in(x);
  out(x) = tile(x) + tile(x + 1);
  out.bound({32}).split(x, xo, xi, 8, Tail::Exact).gpu_blocks(xo).gpu_threads(xi);
  tile.compute_at(out, xo).store_in(Private).gpu_threads(x);
  CHECK_THROWS_WITH_AS(Pipeline(out).compile(),
                       "tile: it is computed inside a gpu_threads loop, where each work-item has its own "
                       "storage, but its own gpu_threads loop spreads it over work-items; compute it in a "
                       "loop further out, or leave its loops serial",
                       ScheduleError);
}

}  // namespace
}  // namespace tensordsl
