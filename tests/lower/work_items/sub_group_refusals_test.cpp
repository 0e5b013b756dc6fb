// Tiles in the registers of a sub-group that are refused.
#include <doctest/doctest.h>

#include "tensordsl/error.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

const Var x("x"), y("y"), k("k"), xo("xo"), xi("xi"), ko("ko"), ki("ki"), to("to"), ti("ti");

TEST_CASE("store_in(SubGroup): what cannot be handed over is refused") {
  const Input ids("ids", Int(32), {64});
  Func table("table"), lookup("lookup");
  table(k) = cast(Float(32), ids(k));
  lookup(x) = select(x + 1 < 64, table(clamp(ids(x + 1), 0, 15)), 0.0f);
  lookup.bound({64}).split(x, xo, xi, 16, Tail::Exact).gpu_blocks(xo).gpu_threads(xi);
  table.compute_at(lookup, xo).store_in(SubGroup).gpu_threads(k);
  CHECK_THROWS_WITH_AS(Pipeline(lookup).compile(),
                       "table.store_in(SubGroup): a consumer reads table[min(max(ids[block0*16 + thread0 + "
                       "1], 0), 15)] under a condition, at an index from memory that would be read before "
                       "the condition is tested; use store_in(Local)",
                       ScheduleError);

  const Input plane("plane", Float(32), {16, 32});
  Func forgotten("forgotten"), neighbor("neighbor");
  forgotten(y, x) = plane(y, x);
  neighbor(y, x) = forgotten(y, x + 1);
  neighbor.bound({4, 16}).split(x, xo, xi, 16, Tail::Exact).gpu_blocks(xo, y).gpu_threads(xi);
  forgotten.compute_at(neighbor, xo).store_in(SubGroup);
  CHECK_THROWS_WITH_AS(Pipeline(neighbor).compile(),
                       "forgotten.store_in(SubGroup): work-item i of the sub-group must compute the elements "
                       "i, i + 16, ... of one dimension, but the loops compute others; split a dimension of "
                       "forgotten by 16, not with Tail::ShiftInwards, and give the inner loop to gpu_threads",
                       ScheduleError);

  Func serial("serial"), serial_out("serial_out");
  const Input in("in", Float(32), {50}), wide("wide", Float(32), {16, 160});
  serial(x) = in(x);
  serial_out(x) = serial(x) + serial(x + 1);
  serial_out.bound({48}).split(x, xo, xi, 16, Tail::Exact).gpu_blocks(xo).gpu_threads(xi);
  serial.compute_at(serial_out, xo).store_in(SubGroup);
  CHECK_THROWS_WITH_AS(Pipeline(serial_out).compile(),
                       "serial.store_in(SubGroup): work-item i of the sub-group must compute the elements i, "
                       "i + 16, ... of one dimension, but the loops compute others; split a dimension of "
                       "serial by 16, not with Tail::ShiftInwards, and give the inner loop to gpu_threads",
                       ScheduleError);

  Func transposed("transposed"), tile("tile");
  tile(y, x) = wide(y, x);
  transposed(x) = tile(x, 3);
  transposed.bound({16}).split(x, xo, xi, 16, Tail::Exact).gpu_blocks(xo).gpu_threads(xi);
  tile.compute_at(transposed, xo).store_in(SubGroup).gpu_threads(y);
  CHECK_NOTHROW(Pipeline(transposed).compile());  // a column is spread as well as a row
  Func both("both"), square("square");
  square(y, x) = wide(y, x);
  both(x) = square(x, x + 2) + square(x, 0);
  both.bound({16}).split(x, xo, xi, 16, Tail::Exact).gpu_blocks(xo).gpu_threads(xi);
  square.compute_at(both, xo).store_in(SubGroup).split(x, to, ti, 16).gpu_threads(ti);
  CHECK_THROWS_WITH_AS(Pipeline(both).compile(),
                       "square.store_in(SubGroup): a consumer reads dimension 0 at thread0, which differs "
                       "between work-items; elements are spread along dimension 1 only; use store_in(Local)",
                       ScheduleError);

  const Input long_in("long_in", Float(32), {160});
  Func row("row"), jump("jump");
  row(x) = long_in(x);
  jump(x) = row(x * 9);
  jump.bound({16}).split(x, xo, xi, 16, Tail::Exact).gpu_blocks(xo).gpu_threads(xi);
  row.compute_at(jump, xo).store_in(SubGroup).split(x, to, ti, 16).gpu_threads(ti);
  CHECK_THROWS_WITH_AS(Pipeline(jump).compile(),
                       "row.store_in(SubGroup): a consumer reads dimension 0 at thread0*9, which may be in "
                       "any of 9 registers of a work-item; the limit is 4; use store_in(Local)",
                       ScheduleError);

  Func vectors("vectors"), held("held");
  held(x) = long_in(x);
  vectors(x) = held(x) + held(x + 1);
  const Var xt("xt"), xv("xv");
  vectors.bound({64})
      .split(x, xo, xi, 64, Tail::Exact)
      .split(xi, xt, xv, 4, Tail::Exact)
      .gpu_blocks(xo)
      .gpu_threads(xt)
      .vectorize(xv);
  held.compute_at(vectors, xo).store_in(SubGroup).split(x, to, ti, 16).gpu_threads(ti);
  CHECK_THROWS_WITH_AS(Pipeline(vectors).compile(),
                       "held.store_in(SubGroup): it is read at held[thread0*4 + vectors.xv] in the "
                       "vectorized loop \"vectors.xv\", but work-items exchange scalars before such a loop; "
                       "unroll the loop, or vectorize one that neither computes nor selects the element",
                       ScheduleError);

  Func columns("columns"), rows("rows");
  rows(y, x) = wide(y, x);
  columns(y, x) = rows(y, x + 1);
  columns.bound({4, 16})
      .split(x, xo, xi, 16, Tail::Exact)
      .reorder({xo, y, xi})
      .gpu_blocks(xo)
      .gpu_threads(xi, y);
  rows.compute_at(columns, xo).store_in(SubGroup).split(x, to, ti, 16).gpu_threads(ti, y);
  CHECK_THROWS_WITH_AS(Pipeline(columns).compile(),
                       "rows.store_in(SubGroup): it is spread over the work-items of dimension 0, but its "
                       "gpu_threads loops use another dimension; give gpu_threads one loop",
                       ScheduleError);

  const RDom r({{0, 16}}, "r");
  Func guarded("guarded"), shared("shared");
  shared(k) = in(k);
  guarded(x) += shared(r) * in(x);
  guarded.bound({40});
  guarded.update().split(x, xo, xi, 16, Tail::Guard).gpu_blocks(xo).gpu_threads(xi);
  shared.compute_at(guarded.update(), xo).store_in(SubGroup).gpu_threads(k);
  CHECK_THROWS_WITH_AS(
      Pipeline(guarded).compile(),
      "guarded: all work-items of a sub-group must take part to exchange values, but the test block0*16 + "
      "thread0 < 40 excludes some of them; make the factors of the gpu_threads loops divide the extents, or "
      "use Tail::ShiftInwards, and give store_in(SubGroup) all work-items of dimension 0",
      ScheduleError);
}

}  // namespace
}  // namespace tensordsl
