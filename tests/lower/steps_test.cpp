// Updates that go in steps: each reads what the whole step before wrote, as a recurrent network does.
#include <doctest/doctest.h>

#include "lower/pass_text.h"
#include "lower/passes/memory/drop_idle_stores.h"
#include "lower/passes/work_items/place_barriers.h"

namespace tensordsl::lower {
namespace {

constexpr int kElements = 6;
const Var n("n"), row("row"), j("j"), tile("tile"), lane("lane"), item("item"), round_("round");

/// Row t + 1 is `start` and a product of row t with a matrix, of numbers that stay small.
struct Walk {
  Param steps{"steps"};
  Input start{"start", Int(32), {2, steps + 1, kElements}};
  Input weights{"weights", Int(32), {kElements, kElements}};
  RDom r{{{0, steps}, {0, kElements}, {0, kElements}}, "r"};
  Func walk{"walk"}, out{"out"};

  Walk() {
    walk(n, row, j) = start(n, row, j);
    walk(n, r[0] + 1, r[1]) = (walk(n, r[0] + 1, r[1]) + weights(r[2], r[1]) * walk(n, r[0], r[2])) % 101;
    out(n, row, j) = walk(n, row, j);
    out.bound({2, steps + 1, kElements});
    walk.compute_root();
  }
  Stage update() { return walk.update(); }

  void check_result() {
    for (const int count : {0, 1, 2, 5}) {
      CAPTURE(count);
      std::map<std::string, Buffer> inputs{{"start", Buffer(Int(32), {2, count + 1, kElements})},
                                           {"weights", Buffer(Int(32), {kElements, kElements})}};
      for (auto& [name, data] : inputs)
        for (std::int64_t i = 0; i < data.elements(); ++i) data.set_int(i, (i * 7 + 3) % 11);
      const Buffer expected = Pipeline(out).interpret(inputs, {{"steps", count}})[0];
      const Buffer found = Pipeline(out).simulate(inputs, {{"steps", count}})[0];
      for (std::int64_t i = 0; i < expected.elements(); ++i) CHECK(found.get(i) == expected.get(i));
    }
  }
  int barriers() {
    const std::string text = Pipeline(out).emit("ir");
    int count = 0;
    for (std::size_t at = 0; (at = text.find("barrier global", at)) != std::string::npos; ++at) ++count;
    return count;
  }
};

std::string with_barriers(std::string_view stmt) {
  return text_of(place_barriers(ir::parse_stmt(stmt), {}, {"f"}));
}

}  // namespace

TEST_CASE("steps: work-items share the elements of a step, and meet behind it") {
  Walk one;
  one.update().gpu_threads(one.r[1]).gpu_blocks(n);
  CHECK(one.barriers() == 1);
  one.check_result();
  Walk rounds;
  rounds.update().split(rounds.r[1], round_, item, 4, Tail::Guard);
  rounds.update().reorder({n, rounds.r[0], round_, item, rounds.r[2]}).gpu_threads(item).gpu_blocks(n);
  rounds.check_result();
  Walk sequences;
  sequences.update().reorder({sequences.r[0], n, sequences.r[1], sequences.r[2]});
  sequences.update().gpu_threads(sequences.r[1], n);
  CHECK(sequences.barriers() == 1);
  sequences.check_result();
}

TEST_CASE("steps: vectors take the elements of a step, and loops of sums may be outside of them") {
  Walk walk;
  walk.update().split(walk.r[1], tile, lane, 4, Tail::Guard);
  walk.update().reorder({n, walk.r[0], tile, walk.r[2], lane}).vectorize(lane);
  CHECK(walk.barriers() == 0);
  walk.check_result();
}

TEST_CASE("steps: one work-item needs no barrier, and sequences of its own neither") {
  Walk walk;
  CHECK(walk.barriers() == 0);
  walk.check_result();
  Walk apart;
  apart.update().gpu_threads(n);
  CHECK(apart.barriers() == 0);
  apart.check_result();
}

TEST_CASE("steps: loops whose order counts keep it") {
  const auto error = [](const std::function<void(Walk&, Stage)>& directive) {
    return error_of<ScheduleError>([&] {
      Walk walk;
      directive(walk, walk.update());
    });
  };
  CHECK(error([](Walk& w, Stage s) { s.gpu_blocks(w.r[1]); }) ==
        "walk.update(0).gpu_blocks(r_1): each iteration of \"r_0\" reads elements that other iterations "
        "wrote, and work-groups cannot wait for each other; spread loop \"r_1\" over the work-items of a "
        "group with gpu_threads");
  CHECK(error([](Walk& w, Stage s) {
          s.reorder({w.r[1], w.r[0]});
        }) ==
        "walk.update(0).reorder({r_1, r_0}): loop \"r_1\" must stay inside the loops over \"r_0\", whose "
        "iterations read elements that other iterations wrote");
  CHECK(error([](Walk& w, Stage s) {
          s.reorder({w.r[2], w.r[0]});
        }) ==
        "walk.update(0).reorder({r_2, r_0}): the update is not a sum, product, minimum or maximum, so its "
        "reduction loops must stay in the order r_0, r_2");
  CHECK(error([](Walk& w, Stage s) { s.gpu_threads(w.r[0]); }) ==
        "walk.update(0).gpu_threads(r_0): loop \"r_0\" is a reduction whose iterations write the same "
        "element, so it cannot be spread over work-items; use a pure variable");
  // The update reads elements that the same step writes as well.
  CHECK(error_of<ScheduleError>([] {
          const RDom r({{0, 4}, {0, 4}}, "r");
          Func f("f");
          f(row, j) = row + j;
          f(r[0] + 1, r[1]) = f(r[0] + 1, 3 - r[1]);
          f.update().gpu_threads(r[1]);
        }) ==
        "f.update(0).gpu_threads(r_1): loop \"r_1\" is a reduction whose iterations write the same element, "
        "so it cannot be spread over work-items; use a pure variable");
}

TEST_CASE(
    "place_barriers: in global memory, where a step reads what other work-items wrote in the one before") {
  CHECK(with_barriers("for t in [0, m) { for j in [0, 8) thread0 { store f[t + 1, j] = f[t, 7 - j] } }") ==
        normalized("for t in [0, m) { for j in [0, 8) thread0 { store f[t + 1, j] = f[t, 7 - j] } barrier "
                   "global }"));
  const std::string own = "for t in [0, m) { for j in [0, 8) thread0 { store f[t + 1, j] = f[t, j] } }";
  CHECK(with_barriers(own) == normalized(own));
  const std::string other = "for t in [0, m) { for j in [0, 8) thread0 { store g[t + 1, j] = g[t, 7 - j] } }";
  CHECK(with_barriers(other) == normalized(other));
}

TEST_CASE("drop_idle_stores: what a place has held since it was read is not stored") {
  const auto dropped = [](std::string_view stmt) { return text_of(drop_idle_stores(ir::parse_stmt(stmt))); };
  CHECK(dropped("{ store a[0] = 1 store h[3] = h[3]:i32 }") == normalized("store a[0] = 1"));
  CHECK(dropped("let v = h[i]:i32 { store a[i] = v + 1 store h[i] = v }") ==
        normalized("let v = h[i]:i32 { store a[i] = v + 1 }"));
  const std::string moved = "let v = h[i]:i32 { store a[i] = v + 1 store h[i + 1] = v }";
  CHECK(dropped(moved) == normalized(moved));
  const std::string changed = "let v = h[i]:i32 { store h[i] = 1 store h[i] = v }";
  CHECK(dropped(changed) == normalized(changed));
  const std::string looped = "let v = h[i]:i32 { for k in [0, 2) { store h[k] = 1 } store h[i] = v }";
  CHECK(dropped(looped) == normalized(looped));
}

}  // namespace tensordsl::lower
