// One definition, with its producer inlined, at the root and inside the consumer: what reads inside its
// Inputs is accepted in each of these ways, and computes the same.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "fuzz/random.h"
#include "lower/lower.h"
#include "pipeline/describe.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "simulate/simulator.h"
#include "tensordsl/error.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

using fuzz::Random;

constexpr int kExtent = 6, kInput = 12;
const Var x("x"), y("y"), u("u"), v("v");

Buffer numbers() {
  Buffer data(Int(32), {kInput});
  for (int i = 0; i < kInput; ++i) data.set_int(i, i * 7 % 23 - 4);
  return data;
}

/// A sum of two, with what indices are made of around it.
Expr draw_index(Random& random, const Expr& a, const Expr& b, const Input& in) {
  Expr e = a * random.between(-2, 2) + b * random.between(-2, 2) + random.between(-4, 6);
  if (random.chance(15)) e = e / random.between(2, 3);
  if (random.chance(10)) e = e % random.between(2, 5);
  if (random.chance(10)) e = clamp(e, random.between(-3, 2), random.between(3, 9));
  if (random.chance(10)) e = select(a < random.between(0, 5), e, b + random.between(-2, 2));
  if (random.chance(10)) e = clamp(in(clamp(e, 0, kInput - 1)), -1, 5) + random.between(0, 8);
  return e;
}

Expr within(const Expr& e, int low, int high) { return Expr(low) <= e && e < high; }

Expr draw_condition(Random& random, const Expr& a, const Expr& b) {
  switch (random.between(0, 5)) {
    case 0:
      return a + b < random.between(1, 8);
    case 1:
      return a * 2 <= b + random.between(0, 4);
    case 2:
      return a != random.pick({0, kExtent - 1});
    case 3:
      return a < random.between(0, 3) || b == random.between(0, 5);
    case 4:
      return (a + random.between(0, 2)) / 2 < b;
    default:
      return a == b + random.between(-1, 1);
  }
}

enum class Placement { Inlined, Root, Inside };

/// Draws a pipeline, always the same for the same seed. `is_guarded`: every read is guarded by a test of its
/// index.
Func draw(std::uint64_t seed, const Input& in, bool is_guarded, Placement placement) {
  Random random(seed);
  Func f("f"), o("o");
  const Expr first = draw_index(random, u, v, in), second = draw_index(random, u, v, in);
  Expr value = in(first);
  if (random.chance(40)) value = value + select(within(second, 0, kInput), in(second), 3);
  f(u, v) = value;
  const Expr i = draw_index(random, x, y, in), j = draw_index(random, x, y, in);
  Func index("index");
  index(u, v) = first;
  Expr inside = is_guarded ? within(index(i, j), 0, kInput) : draw_condition(random, x, y);
  while (random.chance(40)) inside = inside && draw_condition(random, x, y);
  o(x, y) = select(inside, f(i, j), 7) + x;
  o.bound({kExtent, kExtent});
  if (placement == Placement::Root) f.compute_root();
  if (placement == Placement::Inside) f.compute_at(o, random.pick({x, y}));
  return o;
}

std::string error_of(const Func& output, const std::map<std::string, Buffer>& inputs,
                     const Buffer& expected) {
  try {
    lower::LowerOptions options;
    options.verify = true;
    const lower::LoweredPipeline lowered = lower::lower(output.shared(), options);
    if (!lowered.requirements.empty()) return "asks for something at the launch";
    const Buffer found = simulate(lowered, inputs, {});
    for (std::int64_t i = 0; i < expected.elements(); ++i) {
      if (found.get_int(i) != expected.get_int(i)) return fmt::format("element {} differs", i);
    }
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("placement: what reads inside its Inputs is accepted wherever its producer is computed") {
  const std::map<std::string, Buffer> inputs{{"in", numbers()}};
  const Input in("in", Int(32), {kInput});
  int valid = 0, unseen = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const bool is_guarded = seed % 2 == 0;
    const auto drawn = [&](Placement placement) { return draw(seed, in, is_guarded, placement); };
    Buffer expected;
    try {
      expected = runtime::interpret(drawn(Placement::Inlined).shared(), {kExtent, kExtent}, {inputs, {}});
    } catch (const DefinitionError&) {
      CHECK_FALSE(is_guarded);
      continue;
    }
    ++valid;
    CAPTURE(seed);
    CAPTURE(describe_definitions({drawn(Placement::Inlined).shared()}));
    const std::string inlined = error_of(drawn(Placement::Inlined), inputs, expected);
    // Some reads are inside only by the values of the data, which cannot be proven.
    if (is_guarded) CHECK(inlined == "");
    unseen += !inlined.empty();
    if (!inlined.empty()) continue;
    CHECK(error_of(drawn(Placement::Root), inputs, expected) == "");
    CHECK(error_of(drawn(Placement::Inside), inputs, expected) == "");
  }
  CHECK(valid > 250);
  CHECK(unseen * 20 < valid);
}

}  // namespace tensordsl
