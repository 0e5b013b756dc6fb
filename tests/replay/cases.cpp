#include "replay/cases.h"

#include <fmt/format.h>

#include "fuzz/definition.h"
#include "fuzz/run_case.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl::replay {
namespace {

/// Extents made of Params, and names that C++ or the printed function uses otherwise.
Func define_parametric() {
  const Var x("x"), y("int");
  const Param n("n"), rows("Local");
  const Input a("a", Float(32), {n, rows});
  Func twice("twice"), out("output");
  twice(x, y) = a(x, y) * 2.0f;
  out(x, y) = twice(x, y) + 1.0f;
  return out;
}

void schedule_parametric(Func& out) {
  const Var x("x"), y("int"), outer("x.outer"), inner("x.inner");
  const Param n("n"), rows("Local");
  out.bound({min(n, 4096), select(rows > 7, (rows + 1) / 2 - 3, rows % 5)})
      .split(x, outer, inner, 8)
      .vectorize(y, 4)
      .gpu_blocks(outer);
  Stage variant = out.specialize(n % 4 == 0 && (n >= 64 || rows == 3));
  variant.gpu_threads(inner);
  out.producer("twice").compute_root();
}

/// A reduction whose schedule copies an input, splits it into parts, and copies the input of the parts.
Func define_reduction() {
  const Var x("x"), y("y");
  const Input a("a", Float(32), {64, 100}), b("b", Float(32), {100, 32});
  const RDom k({{0, 100}}, "k");
  Func c("c"), out("out");
  c(x, y) += a(x, k) * b(k, y);
  out(x, y) = max(c(x, y), 0.0f);
  return out;
}

void schedule_reduction(Func& out) {
  const Var x("x"), y("y"), k("k_0"), ko("ko"), ki("ki"), lane("lane"), part("part");
  Func c = out.producer("c"), a = out.producer("a");
  out.bound({64, 32}).gpu_tile(y, x, {8, 8});
  a.set_image(Image2D).layout("d0 | d1/4 | d1%4");
  out.producer("b").store_in(MemoryScope::Constant);
  Func parts = c.update().split_k(k, 4, part);
  Func lanes = parts.update().split(k, ko, ki, 5, Tail::Exact).rfactor(ki, lane);
  Func copy = a.in(lanes);
  c.compute_at(out, x);
  lanes.compute_at(parts.update(), x);
  lanes.update().reorder({ko, lane});
  copy.compute_at(lanes.update(), ko);
  parts.update().gpu_blocks(y, x, part);
}

}  // namespace

Func define_half_parts() {
  const Var x("x"), y("y");
  const Input a("a", Float(16), {8, 3, 64}), b("b", Float(16), {3, 64, 8});
  const RDom k({{0, 3}, {0, 64}}, "k");
  Func c("c"), out("out");
  c(y, x) += cast<float>(a(y, k[0], k[1])) * cast<float>(b(k[0], k[1], x));
  out(y, x) = max(c(y, x), 0.0f);
  return out;
}

void schedule_half_parts(Func& out) {
  const Var y("y"), x("x"), k("k_1"), ko("ko"), ki("ki"), outer("outer"), inner("inner");
  Func c = out.producer("c");
  out.bound({8, 8}).gpu_blocks(y).half_arithmetic();
  c.compute_at(out, y);
  Func parts = c.update().split(k, ko, ki, 32, Tail::Exact).rfactor_in_half({Var("k_0"), ko}, {outer, inner});
  parts.compute_at(c.update(), inner).vectorize(x, 4);
  parts.update().vectorize(x, 4);
}

std::vector<ReplayCase> replay_cases() {
  std::vector<ReplayCase> cases;
  Func parametric = define_parametric(), reduction = define_reduction(), halves = define_half_parts();
  schedule_parametric(parametric);
  schedule_reduction(reduction);
  schedule_half_parts(halves);
  cases.push_back({"parametric", {define_parametric()}, {parametric}});
  cases.push_back({"reduction", {define_reduction()}, {reduction}});
  cases.push_back({"half_parts", {define_half_parts()}, {halves}});
  constexpr std::uint64_t kSeeds = 200;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const fuzz::Result result = fuzz::run_case({seed, {}, std::nullopt});
    if (result.outcome != fuzz::Outcome::Accepted) continue;
    fuzz::Random random(seed);
    cases.push_back({fmt::format("case_{}", seed),
                     fuzz::draw_definition(random, fmt::format("c{}_", seed), {}).outputs,
                     result.definition.outputs});
  }
  return cases;
}

}  // namespace tensordsl::replay
