// Kernels without one of the passes that only make them faster.
#include <doctest/doctest.h>

#include <algorithm>

#include "lower/pipeline.h"
#include "runtime/interpreter.h"
#include "schedule/schedule.h"
#include "simulate/simulator.h"
#include "tensordsl/error.h"
#include "tensordsl/layout.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

const Var x("x"), y("y"), c("c"), co("co"), ci("ci");

/// A padded convolution over an image whose channels another layout spreads: each pass has something to do in
/// it.
struct Padded {
  Input in{"in", Float(32), {8, 9, 9}};
  RDom r{{{-1, 3}, {-1, 3}}, "r"};
  Func out{"out"};
  Padded() {
    const Expr row = y + r[0], column = x + r[1];
    const Expr inside = row >= 0 && row < 9 && column >= 0 && column < 9;
    out(c, y, x) += select(inside, in(c, clamp(row, 0, 8), clamp(column, 0, 8)), 0.0f) * (r[0] + r[1] * 3) +
                    (x + y * 9) / 8 + (x + y) % 4;
    out.bound({8, 9, 9});
    in.layout("d0/4 | d1 | d2 | d0%4").set_image(Image2DArray);
    out.split(c, co, ci, 4).reorder({y, x, co, ci}).vectorize(ci).gpu_blocks(x, y);
    out.update()
        .split(c, co, ci, 4)
        .reorder({y, x, co, r[0], r[1], ci})
        .unroll(r[1])
        .vectorize(ci)
        .gpu_blocks(x, y);
  }
};

std::string text_without(const Func& f, const std::string& pass) {
  Pipeline pipeline(f);
  if (!pass.empty()) pipeline.disable_pass(pass);
  std::string text;
  for (const KernelSource& kernel : pipeline.compile().kernels) text += kernel.text;
  return text;
}

TEST_CASE("disable_pass: kernels without a pass are others, and compute the same") {
  Padded p;
  Buffer data(Float(32), {8, 9, 9});
  for (std::int64_t i = 0; i < data.elements(); ++i) data.set(i, static_cast<double>(i * 7 % 11 - 3));
  const Buffer expected = interpret(p.out.shared(), {8, 9, 9}, {{{"in", data}}, {}});
  const auto stored =
      pack({data.bytes().begin(), data.bytes().end()}, 4, p.in.contents().layout_or_default(), data.shape());
  Buffer texels(Float(32), {static_cast<std::int64_t>(stored.size()) / 4});
  std::copy(stored.begin(), stored.end(), texels.bytes().begin());
  const std::string text = text_without(p.out, "");
  for (const std::string& pass : lower::optional_passes()) {
    CAPTURE(pass);
    const bool is_idle =
        pass == "partition_loops" || pass == "eliminate_common_loads" ||
        pass == "align_accesses";  // the borders are the image's, and each texel is read once
    CHECK((text_without(p.out, pass) == text) == is_idle);
    lower::LowerOptions options;
    options.without = {pass};
    const Buffer found = simulate(lower::lower(p.out.shared(), options), {{"in", texels}}, {});
    for (std::int64_t i = 0; i < expected.elements(); ++i) CHECK(found.get(i) == expected.get(i));
  }
  CHECK(text.find("floor_div") == std::string::npos);
  CHECK(text.find(" >> 3") != std::string::npos);
  const std::string divisions = text_without(p.out, "reduce_strength");
  CHECK(divisions.find("floor_div_int(") != std::string::npos);
  CHECK(divisions.find(" >> ") == std::string::npos);
}

TEST_CASE("disable_pass: a pass that is needed, or none at all, is refused") {
  Padded p;
  CHECK_THROWS_WITH_AS(Pipeline(p.out).disable_pass("convert_addresses").compile(),
                       "no pass \"convert_addresses\" can be left out; of eliminate_boundary_tests, "
                       "partition_loops, eliminate_common_loads, align_accesses, hoist_addresses, "
                       "reduce_strength each can",
                       ScheduleError);
}

}  // namespace
}  // namespace tensordsl
