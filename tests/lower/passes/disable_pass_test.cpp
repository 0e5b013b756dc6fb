// Kernels without one of the passes that only make them faster.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "lower/lower.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "simulate/simulator.h"
#include "tensordsl/error.h"
#include "tensordsl/layout.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

const Var x("x"), y("y"), c("c"), co("co"), ci("ci");

/// A kernel that a pass changes: how often `mark` is in its text with the pass and without it.
struct Example {
  Func out;
  std::vector<Input> inputs;
  std::vector<std::int64_t> shape;  // of the output
  std::string mark;
  int with = 0, without = 0;
};

/// Zeros around an image, which its sampler gives as well.
Example zeros_around_image() {
  Input in("in", Float(32), {8, 9, 9});
  in.layout("d0/4 | d1 | d2 | d0%4").set_image(Image2DArray);
  Func out("out");
  out(c, y, x) = select(1 <= x && x < 10, in(c, y, clamp(x - 1, 0, 8)), 0.0f);
  out.bound({8, 9, 11}).split(c, co, ci, 4).reorder({y, x, co, ci}).vectorize(ci).gpu_blocks(x, y);
  return {out, {in}, {8, 9, 11}, "if (", 0, 1};
}

/// A copy of an image whose extents the tiles divide.
Example texels_of_whole_tiles() {
  Input in("in", Float(32), {8, 9, 9});
  in.layout("d0/4 | d1 | d2 | d0%4").set_image(Image2DArray);
  Func out("out");
  out(c, y, x) = in(c, y, x) + 1.0f;
  out.bound({8, 9, 9}).split(c, co, ci, 4).reorder({y, x, co, ci}).vectorize(ci).gpu_blocks(x, y);
  return {out, {in}, {8, 9, 9}, "sampler", 0, 3};
}

/// A window that leaves the input on either side: a loop before it, one inside and one after it.
Example window_over_border() {
  const Input in("in", Float(32), {20});
  const RDom r({{-3, 7}}, "r");
  Func out("out");
  out(x) += select(0 <= x + r && x + r < 20, in(clamp(x + r, 0, 19)), 0.0f);
  out.bound({20});
  out.update().gpu_blocks(x);
  out.gpu_blocks(x);
  return {out, {in}, {20}, "for (", 3, 1};
}

/// Bytes that are multiplied four at a time.
Example products_of_bytes() {
  const Input a("a", Int(8), {8}), b("b", UInt(8), {4, 8});
  const RDom r({{0, 8}}, "r");
  const Var ro("ro"), ri("ri");
  Func sum("sum"), out("out");
  sum(x) += cast(Int(32), a(r)) * cast(Int(32), b(x, r));
  out(x) = sum(x);
  out.bound({4}).gpu_blocks(x);
  sum.compute_at(out, x);
  sum.update().split(r[0], ro, ri, 4, Tail::Exact).unroll(ri);
  return {out, {a, b}, {4}, "= dot_product_iu(", 1, 0};
}

/// A triangle: a loop over its box, or up to its edge.
Example triangle() {
  const Input in("in", Float(32), {8, 8});
  RDom r({{0, 8}}, "r");
  r.where(r[0] <= y);
  Func out("out");
  out(y) += in(y, r);
  out.bound({8}).gpu_blocks(y);
  out.update().gpu_blocks(y);
  return {out, {in}, {8}, "r_0 < block0 + 1", 1, 0};
}

/// A row that is inside the input or not, whatever the loop over its columns does.
Example test_of_a_row() {
  const Input in("in", Float(32), {8, 20});
  const RDom r({{0, 20}}, "r");
  Func out("out");
  out(y) += select(y < 8, in(clamp(y, 0, 7), r), 0.0f);
  out.bound({10}).gpu_blocks(y);
  out.update().gpu_blocks(y);
  return {out, {in}, {10}, " ? ", 0, 1};
}

/// A sum in memory, to which each iteration adds.
Example sum_in_memory() {
  const Input in("in", Float(32), {8, 20});
  const RDom r({{0, 20}}, "r");
  Func out("out");
  out(y) += in(y, r);
  out.bound({8}).gpu_blocks(y);
  out.update().gpu_blocks(y);
  return {out, {in}, {8}, "float out_acc", 1, 0};
}

/// Two statements that read the same element.
Example element_read_twice() {
  const Input in("in", Float(32), {20});
  Func out("out");
  out(y, x) = in(x) * (y + 2);
  out.bound({2, 20}).reorder({x, y}).unroll(y).gpu_blocks(x);
  return {out, {in}, {2, 20}, "in[", 1, 2};
}

/// Vectors that begin at multiples of their lanes.
Example whole_vectors() {
  const Input in("in", Float(32), {20});
  Func out("out");
  out(x) = in(x)*2.0f;
  out.bound({20}).split(x, co, ci, 4).vectorize(ci).gpu_blocks(co);
  return {out, {in}, {20}, "vload4", 0, 1};
}

/// A sum of the same terms in each address of a loop: one store, two loads. The initial value has another.
Example terms_of_addresses() {
  const Input in("in", Float(32), {12, 20});
  const RDom r({{0, 3}}, "r");
  Func out("out");
  out(y, x) += in(y + r, x);
  out.bound({10, 20});
  out.update().gpu_blocks(x, y);
  out.gpu_blocks(x, y);
  return {out, {in}, {10, 20}, "block1 * 20", 1 + 1, 1 + 3};
}

/// A division and a remainder by powers of two, of numbers that may be negative.
Example divisions() {
  Func out("out");
  out(x) = (x - 5) / 8 * 100 + (x - 5) % 4;
  out.bound({40}).gpu_blocks(x);
  return {out, {}, {40}, " >> 3", 1, 0};
}

/// A component of a tuple that an update does not change: its start and one read of it.
Example component_that_stays() {
  const Input in("in", Float(32), {20});
  Func pairs("pairs"), out("out");
  pairs(x) = {in(x), in(x)*2.0f};
  pairs(x) = {pairs(x)[0] + pairs(x)[1], select(x < 0, 0.0f, pairs(x)[1])};  // x is 0 or more
  out(x) = pairs(x)[0] + pairs(x)[1];
  out.bound({20});
  for (Stage stage : {Stage(pairs), pairs.update(), Stage(out)}) stage.gpu_blocks(x);
  pairs.compute_root();
  return {out, {in}, {20}, "pairs_1[block0]", 1 + 1 + 1, 1 + 2 + 1};
}

const std::map<std::string, std::function<Example()>> kExamples{
    {"eliminate_boundary_tests", zeros_around_image},
    {"use_dot_products", products_of_bytes},
    {"partition_loops", window_over_border},
    {"drop_idle_stores", component_that_stays},
    {"unswitch_loops", test_of_a_row},
    {"trim_loops", triangle},
    {"promote_to_scalars", sum_in_memory},
    {"coalesce_loads", element_read_twice},
    {"align_accesses", whole_vectors},
    {"hoist_addresses", terms_of_addresses},
    {"reduce_strength", divisions},
    {"mark_inside_reads", texels_of_whole_tiles},
};

int occurrences(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::string text_without(const Func& f, const std::set<std::string>& passes) {
  Pipeline pipeline(f);
  for (const std::string& pass : passes) pipeline.disable_pass(pass);
  std::string text;
  for (const KernelSource& kernel : pipeline.compile().kernels) text += kernel.text;
  return text;
}

Buffer numbers(const Input& input) {
  std::vector<std::int64_t> shape;
  for (const Expr& extent : input.shape()) shape.push_back(*ir::as_int(extent));
  Buffer data(input.type(), shape);
  for (std::int64_t i = 0; i < data.elements(); ++i) data.set(i, static_cast<double>(i * 7 % 11 - 3));
  return data;
}

/// Reorders the data to the input's layout.
Buffer in_memory_order(const Buffer& data, const Input& input) {
  const auto bytes = pack({data.bytes().begin(), data.bytes().end()}, data.type().bytes(),
                          input.contents().layout_or_default(), data.shape());
  Buffer stored(data.type(), {static_cast<std::int64_t>(bytes.size()) / data.type().bytes()});
  std::ranges::copy(bytes, stored.bytes().begin());
  return stored;
}

void check_result(const Example& example, const std::set<std::string>& disabled) {
  runtime::InterpretArguments arguments;
  std::map<std::string, Buffer> stored;
  for (const Input& input : example.inputs) {
    arguments.inputs[input.name()] = numbers(input);
    stored[input.name()] = in_memory_order(numbers(input), input);
  }
  lower::LowerOptions options;
  options.without = disabled;
  const Buffer expected = runtime::interpret(example.out.shared(), example.shape, arguments);
  const Buffer found = simulate(lower::lower(example.out.shared(), options), stored, {});
  REQUIRE(found.elements() == expected.elements());
  for (std::int64_t i = 0; i < expected.elements(); ++i) CHECK(found.get(i) == expected.get(i));
}

TEST_CASE("disable_pass: each pass changes a kernel, which is another one without it and computes the same") {
  for (const std::string& pass : lower::optional_passes()) {
    CAPTURE(pass);
    REQUIRE(kExamples.contains(pass));
    const Example example = kExamples.at(pass)();
    CHECK(occurrences(text_without(example.out, {}), example.mark) == example.with);
    CHECK(occurrences(text_without(example.out, {pass}), example.mark) == example.without);
    check_result(example, {});
    check_result(example, {pass});
  }
}

TEST_CASE("disable_pass: one pass is left out, the others are not") {
  for (const auto& [pass, make] : kExamples) {
    const Example example = make();
    std::set<std::string> others;
    for (const auto& [other, unused] : kExamples) {
      if (other != pass) others.insert(other);
    }
    CAPTURE(pass);
    CHECK(occurrences(text_without(example.out, others), example.mark) == example.with);
    check_result(example, others);
    others.insert(pass);
    check_result(example, others);
  }
}

TEST_CASE("disable_pass: a pass that is needed, or none at all, is refused") {
  const std::string others =
      "passes that can be disabled are eliminate_boundary_tests, use_dot_products, unswitch_loops, "
      "trim_loops, promote_to_scalars, partition_loops, drop_idle_stores, coalesce_loads, align_accesses, "
      "hoist_addresses, reduce_strength, mark_inside_reads";
  const auto error_without = [](const std::string& pass) {
    try {
      Pipeline(divisions().out).disable_pass(pass).compile();
    } catch (const ScheduleError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  for (const std::string pass : {"place_functions", "flatten_storage", "check_private_memory"})
    CHECK(error_without(pass) == "disable_pass(\"" + pass + "\"): this pass is required; " + others);
  CHECK(error_without("unroll") == "disable_pass(\"unroll\"): unknown pass; " + others);
}

}  // namespace
}  // namespace tensordsl
