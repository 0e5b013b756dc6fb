// Pipeline::auto_schedule: schedules of pipelines that users write.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>

#include "fuzz/run_case.h"
#include "lower/lower.h"
#include "runtime/host/interpreter.h"
#include "schedule/func_schedule.h"
#include "simulate/simulator.h"
#include "support/buffers.h"
#include "support/error_text.h"
#include "tensordsl/error.h"
#include "tensordsl/tensordsl.h"

using namespace tensordsl;

namespace {

const Var x("x"), y("y"), c("c");

const std::vector<const char*> kProfiles{"pocl_cpu_avx512", "nvidia_h100", "adreno640"};

HwProfile profile(const std::string& name) { return load_hw_profile(name); }

/// A blur of rows, then of columns.
Func blur(const Input& in) {
  Func rows("rows"), out("blurred");
  const Func edges = BoundaryConditions::repeat_edge(in, {20, 30});
  rows(y, x) = edges(y, x - 1) + edges(y, x) + edges(y, x + 1);
  out(y, x) = rows(y - 1, x) + rows(y, x) + rows(y + 1, x);
  out.bound({20, 30});
  return out;
}

Buffer image(std::int64_t rows, std::int64_t columns) {
  Buffer data(Float(32), {rows, columns});
  for (std::int64_t i = 0; i < data.elements(); ++i) data.set(i, static_cast<double>(i * 7 % 23) - 11);
  return data;
}

double largest_difference_of(const Buffer& a, const Buffer& b) {
  double worst = 0;
  REQUIRE(a.elements() == b.elements());
  for (std::int64_t i = 0; i < a.elements(); ++i) worst = std::max(worst, std::abs(a.get(i) - b.get(i)));
  return worst;
}

/// The largest error of the pipeline with its chosen schedule, against its definitions.
double worst_error(const Func& output, const std::map<std::string, Buffer>& inputs, const std::string& name) {
  const Pipeline pipeline(output);
  pipeline.auto_schedule(profile(name)).apply(output);
  return largest_difference_of(pipeline.simulate(inputs)[0], pipeline.interpret(inputs)[0]);
}

}  // namespace

TEST_CASE("auto_schedule: a stencil over a stencil is right on every kind of device") {
  for (const char* name : kProfiles) {
    const Input in("in", Float(32), {20, 30});
    CHECK_MESSAGE(worst_error(blur(in), {{"in", image(20, 30)}}, name) == 0, std::string(name));
  }
}

TEST_CASE("auto_schedule: Funcs that are called as strategies call their loops keep their names") {
  const Var item("item"), row("row"), lane("lane"), block("block"), part("part");
  const Input in("in", Float(32), {17, 70});
  const RDom step({{0, 70}}, "step");
  Func highest("highest"), total("total"), out("out");
  highest(row).maximize(in(row, step));
  total(row) += exp(in(row, step) - highest(row));
  out(row, lane) = exp(in(row, lane) - highest(row)) / total(row);
  out.bound({17, 70});
  for (const char* name : kProfiles) {
    Func anew_highest("highest"), anew_total("total"), anew("out");
    anew_highest(row).maximize(in(row, step));
    anew_total(row) += exp(in(row, step) - anew_highest(row));
    anew(row, lane) = exp(in(row, lane) - anew_highest(row)) / anew_total(row);
    anew.bound({17, 70});
    CHECK_MESSAGE(worst_error(anew, {{"in", image(17, 70)}}, name) < 1e-6, std::string(name));
  }
}

TEST_CASE("auto_schedule: outputs that are accumulated, tuples, and outputs without dimensions") {
  for (const char* name : kProfiles) {
    CAPTURE(std::string(name));
    const Input in("in", Float(32), {20, 30});
    const RDom r({{0, 20}, {0, 30}}, "r"), along({{1, 29}}, "along");
    Func product("product"), sum("sum"), scan("scan"), extremes("extremes");
    product(y, x) += in(y, r[1]) * in(x, r[1]);
    sum() += in(r[0], r[1]);
    scan(y, x) = in(y, x);
    scan(y, along) += scan(y, along - 1);
    extremes(x) = {in(0, x), in(0, x)};
    extremes(x) = {min(extremes(x)[0], in(r[0], x)), max(extremes(x)[1], in(r[0], x))};
    product.bound({20, 20});
    scan.bound({20, 30});
    extremes.bound({30});
    const std::vector<Func> outputs{product, sum, scan, extremes};
    const Pipeline pipeline(outputs);
    pipeline.auto_schedule(profile(name)).apply(outputs);
    const std::map<std::string, Buffer> inputs{{"in", image(20, 30)}};
    const auto found = pipeline.simulate(inputs), expected = pipeline.interpret(inputs);
    REQUIRE(found.size() == 5);
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(largest_difference_of(found[i], expected[i]) < 1e-3);
  }
}

TEST_CASE("auto_schedule: sizes that only a run knows may be any") {
  for (const char* name : kProfiles) {
    CAPTURE(std::string(name));
    const Param n("n");
    const Input a("a", Float(32), {n, n}), b("b", Float(32), {n, n});
    RDom k({{0, n}}, "k");
    Func product("product"), out("out");
    product(y, x) += a(y, k) * b(k, x);
    out(y, x) = max(product(y, x), 0.0f);
    out.bound({n, n});
    const Pipeline pipeline(out);
    pipeline.auto_schedule(profile(name)).apply(out);
    for (const int size : {1, 3, 17}) {
      CAPTURE(size);
      const std::map<std::string, Buffer> inputs{{"a", image(size, size)}, {"b", image(size, size)}};
      const auto found = pipeline.simulate(inputs, {{"n", size}}),
                 expected = pipeline.interpret(inputs, {{"n", size}});
      CHECK(largest_difference_of(found[0], expected[0]) < 1e-3);
    }
  }
}

TEST_CASE("auto_schedule: a small stencil is one kernel, and the schedule prints as C++") {
  const Input in("in", Float(32), {20, 30});
  const Func out = blur(in);
  const Schedule schedule = Pipeline(out).auto_schedule(profile("nvidia_h100"));
  CHECK(Pipeline(out).schedule().to_json().find("gpu") == std::string::npos);  // it is not given yet
  const std::string text = schedule.to_cpp("schedule_blur");
  CHECK(text.starts_with("void schedule_blur(const tensordsl::Func& output) {"));
  CHECK(text.find(".bound({20, 30})") != std::string::npos);
  const Func anew = blur(in);
  Schedule::from_json(schedule.to_json()).apply(anew);
  CHECK(Pipeline(anew).compile().launches.size() == 1);
}

TEST_CASE("auto_schedule: a pipeline that has a schedule is refused, and so are shapes that do not fit") {
  const Input in("in", Float(32), {20, 30});
  Func out = blur(in);
  CHECK(error_of([&] {
          Pipeline(out).auto_schedule(profile("adreno640"), nullptr, {{"blurred", {3}}});
        }) == "auto_schedule: the output \"blurred\" has 2 dimensions, but its shape has 1");
  CHECK(error_of([&] {
          Pipeline(out).auto_schedule(profile("adreno640"), nullptr, {{"other", {3}}});
        }) == "auto_schedule: a shape is given for \"other\", which is not an output");
  CHECK(error_of([&] {
          Pipeline(out).auto_schedule(profile("adreno640"), nullptr, {{"blurred", {3, -1}}});
        }) == "auto_schedule: the output \"blurred\" cannot have -1 elements in a dimension");
  out.gpu_blocks(y);
  CHECK(error_of([&] { Pipeline(out).auto_schedule(profile("adreno640")); }) ==
        "auto_schedule: found the directive blurred.gpu_blocks(y); call auto_schedule before any directive "
        "except bound() and those of Inputs");
}

TEST_CASE("auto_schedule: random pipelines compute what their definitions say") {
  const char* wanted = std::getenv("TENSORDSL_FUZZ_CASES");
  const std::uint64_t cases = wanted ? std::strtoull(wanted, nullptr, 10) : 60;
  const char* begin = std::getenv("TENSORDSL_FUZZ_FIRST");
  const std::uint64_t first = begin ? std::strtoull(begin, nullptr, 10) : 1;
  int scheduled = 0;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const std::string name = kProfiles[seed % kProfiles.size()];
    CAPTURE(seed);
    CAPTURE(name);
    fuzz::Random random(seed);
    const fuzz::Definition d = fuzz::draw_definition(random, "f_", {.drawn_extent = 9});
    if (d.ill_formed) continue;
    OutputShapes shapes;
    for (std::size_t i = 0; i < d.outputs.size(); ++i) {
      if (seed % 2 == 0) shapes.emplace(d.outputs[i].name(), d.shapes[i]);
    }
    Pipeline(d.outputs).auto_schedule(profile(name), nullptr, shapes).apply(d.outputs);
    const lower::LoweredPipeline lowered = lower::lower(d.definitions());
    std::map<std::string, Buffer> stored;
    for (const Input& i : d.inputs) stored.emplace(i.name(), fuzz::in_memory_order(d.data.at(i.name()), i));
    const auto found = simulate_all(lowered, stored, d.params);
    const auto expected = runtime::interpret(d.definitions(), d.shapes, {d.data, d.params});
    CHECK(fuzz::difference(d, found, expected, d.tolerances) == "");
    ++scheduled;
  }
  CHECK(scheduled > static_cast<int>(cases) / 2);
}

TEST_CASE("auto_schedule: a table of a long function has a kernel of its own, if it is read often") {
  const Input in("in", UInt(8), {2048, 4096});
  Func curve("curve"), out("out");
  curve(c) = cast(UInt(8), 255.0f * pow(cast(Float(32), c) / 255.0f, 0.45f) + 0.5f);
  out(y, x) = curve(cast(Int(32), in(y, x)));
  const auto has_kernel = [&](const std::vector<std::int64_t>& shape) {
    const Schedule schedule =
        Pipeline(out).auto_schedule(profile("pocl_cpu_avx512"), nullptr, {{"out", shape}});
    return schedule.to_cpp("f").find("compute_root()") != std::string::npos;
  };
  CHECK(has_kernel({2048, 4096}));
  CHECK_FALSE(has_kernel({1, 64}));
}

TEST_CASE("auto_schedule: a slice of another Func is never stored, and neither is a copy that is shifted") {
  for (const char* name : kProfiles) {
    CAPTURE(std::string(name));
    const Input in("in", Float(32), {3, 40, 60});
    Func shifted("shifted"), slice("slice"), out("out");
    shifted(c, y, x) = in(c, y + 1, x + 2);
    slice(y, x) = shifted(1, y, x);
    out(y, x) = slice(y, x) * slice(y, x) + slice(y, x);
    out.bound({32, 48});
    const std::string text = Pipeline(out).auto_schedule(profile(name)).to_cpp("f");
    CHECK(text.find("shifted") == std::string::npos);
    CHECK(text.find("slice") == std::string::npos);
  }
}
