// The list of steps: what its observer sees, and which step gives a stage.
#include "ir/text/print.h"
#include "lower/lower.h"
#include "lower/pass_text.h"

namespace tensordsl::lower {
namespace {

const Var x("x");

/// out(x) = sum of two neighbors of f(x) = in(x)*3, which has a kernel of its own.
Func two_kernels() {
  const Input in("in", Int(32), {9});
  Func f("f"), out("out");
  const RDom r({{0, 2}}, "r");
  f(x) = in(x)*3;
  out(x) = 0;
  out(x) += f(x + r[0]);
  f.compute_root();
  out.bound({8});
  return out;
}

struct Seen {
  std::string step, name, text;
};

std::vector<Seen> seen_of(const Func& output) {
  std::vector<Seen> seen;
  LowerOptions options;
  options.verify = true;
  options.observer = [&](const StepResult& result) {
    seen.push_back({std::string(result.step.name), result.name, ir::print(result.stmt)});
  };
  lower(output.shared(), options);
  return seen;
}

std::string text_after(const std::vector<Seen>& seen, const std::string& step, const std::string& name) {
  for (const Seen& s : seen) {
    if (s.step == step && s.name == name) return s.text;
  }
  return "nothing";
}

}  // namespace

TEST_CASE(
    "lowering_steps: names are unique, and each stage is given by one step, in the order of the stages") {
  std::set<std::string> names;
  std::vector<Stage> given;
  for (const StepInfo& step : lowering_steps()) {
    CHECK_MESSAGE(names.insert(std::string(step.name)).second, step.name);
    if (step.gives) given.push_back(*step.gives);
  }
  CHECK(given ==
        std::vector<Stage>{Stage::Definitions, Stage::Nests, Stage::Loops, Stage::WorkItems, Stage::Kernels});
}

TEST_CASE("lowering_steps: a step that gives a stage cannot be left out") {
  for (const StepInfo& step : lowering_steps()) CHECK_FALSE((step.gives && step.is_optional));
}

TEST_CASE("observer: it sees each step once for each kernel or, before there are nests, for each Func") {
  const std::vector<Seen> seen = seen_of(two_kernels());
  std::map<std::string, std::vector<std::string>> names;
  for (const Seen& s : seen) names[s.step].push_back(s.name);
  bool has_nests = false;
  for (const StepInfo& step : lowering_steps()) {
    const std::string name(step.name);
    CAPTURE(name);
    has_nests = has_nests || name == "place_functions";
    const std::vector<std::string> funcs{"f", "out"}, kernels{"f", "out", "out_update0"};
    CHECK(names[name] == (has_nests ? kernels : funcs));
  }
}

TEST_CASE("observer: Funcs are the stores of their definitions, in loops over their reduction domains") {
  const std::vector<Seen> seen = seen_of(two_kernels());
  CHECK(text_after(seen, "number_unnamed", "f") == "store f[x] = in(x)*3\n");
  CHECK(text_after(seen, "inline_functions", "out") ==
        "store out[x] = 0\nfor r_0 in [0, 2) {\n  store out[x] = out[x] + f[x + r_0]\n}\n");
}

TEST_CASE("observer: kernels are shown from their loops to the lowered body") {
  const std::vector<Seen> seen = seen_of(two_kernels());
  CHECK(text_after(seen, "simplify_loops", "f") == "for f.x in [0, 9) {\n  store f[f.x] = in[f.x]*3\n}\n");
  CHECK(text_after(seen, "check_private_memory", "out") ==
        "for out.x in [0, 8) {\n  store out[out.x] = 0\n}\n");
}

}  // namespace tensordsl::lower
