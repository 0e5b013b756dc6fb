#include "graph/rewrite/drop_repeated_abs.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "support/after_pass.h"
#include "support/graph_values.h"
#include "support/load_model.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using testing::OnnxModel;

namespace {

/// The absolute value of f(|x|).
OnnxModel abs_of(const std::string& f) {
  OnnxModel model;
  model.input("x", {2, 3}).node("Abs", {"x"}, {"a"}).node(f, {"a"}, {"b"}).node("Abs", {"b"}, {"y"});
  return model.output("y");
}

/// Counts the tensors that are computed.
std::ptrdiff_t computed(const OnnxModel& model) {
  const DefinitionGraph graph = testing::after_pass(model, [](const DefinitionGraph& definitions) {
    return testing::after<graph::drop_repeated_abs>(definitions);
  });
  return std::ranges::count_if(graph.tensors, [](const auto& tensor) { return !tensor.func.is_input(); });
}

}  // namespace

TEST_CASE("drop_repeated_abs: the absolute value of an absolute value is that value") {
  CHECK(computed(abs_of("Abs")) == 1);
}

TEST_CASE("drop_repeated_abs: the absolute value of something else stays") {
  CHECK(computed(abs_of("Neg")) == 3);
}

TEST_CASE("drop_repeated_abs: inspection shows what it did") {
  const Inspection inspection = testing::load_model(abs_of("Abs")).inspect();
  const auto pass = std::ranges::find(inspection.passes, "drop_repeated_abs", &Inspection::Pass::name);
  REQUIRE(pass != inspection.passes.end());
  REQUIRE(pass->notes.size() == 2);
  CHECK(pass->notes[0] == "%b is the absolute value that it is of");
  CHECK(pass->notes[1] == "%y is the absolute value that it is of");
  CHECK(inspection.operators.back().output == "y");
  CHECK(inspection.operators.back().fate == Inspection::Fate::Same);
}
