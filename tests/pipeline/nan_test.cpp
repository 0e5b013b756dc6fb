// Maxima and minima over NaNs: what the interpreter says, whatever the schedule, on every driver.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

constexpr int kColumns = 32;

/// Rows of numbers; row i has a NaN at column i - 1, and the first one has none.
Buffer rows_with_nans(int rows) {
  Buffer x(Float(32), {rows, kColumns});
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < kColumns; ++j) {
      const bool is_nan = j == i - 1;
      x.set(i * kColumns + j, is_nan ? std::nan("") : (j * 37 + i) % 29 - 14);
    }
  }
  return x;
}

void check_same(const Buffer& found, const Buffer& expected) {
  for (std::int64_t i = 0; i < expected.elements(); ++i) {
    CAPTURE(i);
    if (std::isnan(expected.get(i))) {
      CHECK(std::isnan(found.get(i)));
    } else {
      CHECK(found.get(i) == expected.get(i));
    }
  }
}

}  // namespace

TEST_CASE("NaN: a maximum and a minimum pass it on under every schedule") {
  constexpr int kRows = kColumns + 1;
  const Buffer values = rows_with_nans(kRows);
  const auto device = Device::open();
  const Var x("x"), u("u");
  using Directives = std::function<void(Func&, const RDom&)>;
  const std::vector<Directives> schedules{
      [](Func&, const RDom&) {},
      [&](Func& f, const RDom&) { f.update().vectorize(x, 4); },
      [&](Func& f, const RDom& r) {
        const Var out("out"), in("in");
        f.update().split(r[0], out, in, 4);
        Func parts = f.update().rfactor(in, u);
        parts.update().vectorize(u);
      },
      [&](Func& f, const RDom& r) { f.update().unroll(r[0], 4); },
      [&](Func& f, const RDom& r) { f.update().gpu_blocks(x).gpu_lanes(r[0]); },
  };
  for (const bool is_max : {true, false}) {
    for (std::size_t i = 0; i < schedules.size(); ++i) {
      CAPTURE(is_max);
      CAPTURE(i);
      const Input in("in", Float(32), {kRows, kColumns});
      const RDom r({{0, kColumns}}, "r");
      Func f("f");
      is_max ? f(x).maximize(in(x, r[0])) : f(x).minimize(in(x, r[0]));
      f.bound({kRows});
      schedules[i](f, r);
      const Pipeline pipeline(f);
      const Buffer expected = pipeline.interpret({{"in", values}})[0];
      for (int row = 0; row < kRows; ++row) CHECK(std::isnan(expected.get(row)) == (row > 0));
      check_same(pipeline.simulate({{"in", values}})[0], expected);
      const bool needs_lanes = i + 1 == schedules.size();
      if (!needs_lanes || device->info().has_sub_groups)
        check_same(pipeline.realize({{"in", values}}, *device), expected);
    }
  }
}

TEST_CASE(
    "NaN: the place of an extremum is that of the first one, and an update that is written out skips it") {
  constexpr int kRows = kColumns + 1;
  const Buffer values = rows_with_nans(kRows);
  const Var x("x");
  const Input in("in", Float(32), {kRows, kColumns});
  const RDom r({{0, kColumns}}, "r");
  Func places("places"), numbers("numbers");
  places(x) = argmax(r, in(x, r))[0];
  numbers(x) = -std::numeric_limits<float>::infinity();
  numbers(x) = max(numbers(x), in(x, r));
  places.bound({kRows});
  numbers.bound({kRows});
  const auto device = Device::open();
  const Buffer found = Pipeline(places).realize({{"in", values}}, *device);
  const Buffer largest = Pipeline(numbers).realize({{"in", values}}, *device);
  for (int row = 0; row < kRows; ++row) {
    CAPTURE(row);
    if (row > 0) CHECK(found.get_int(row) == row - 1);
    CHECK(std::isfinite(largest.get(row)));
  }
}

}  // namespace tensordsl
