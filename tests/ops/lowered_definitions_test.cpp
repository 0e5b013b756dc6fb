// The definitions as kernels: lowered without a schedule of their own, run by the simulator.
#include <doctest/doctest.h>

#include "ir/nodes/function.h"
#include "lower/lower.h"
#include "ops/define_operator.h"
#include "ops/operator_cases.h"
#include "schedule/func_schedule.h"
#include "simulate/simulator.h"

using namespace tensordsl;

TEST_CASE("definitions: the kernels they lower to compute what ONNX Runtime does, inside their buffers") {
  for (const testing::OperatorCase& one : testing::operator_cases()) {
    CAPTURE(one.name);
    auto [inferred, outputs] =
        testing::define_operator(one.op, testing::infos_of(one.inputs), one.attributes);
    std::vector<Expr> extents;
    for (const std::int64_t extent : testing::func_shape(inferred.shape())) {
      extents.emplace_back(static_cast<int>(extent));
    }
    Func output = outputs.at(0);
    output.bound(extents);
    for (const ir::FunctionPtr& f : ir::reachable(output.shared())) {
      if (f->name == output.name() + "_padded") output.producer(f->name).compute_root();
    }
    const lower::LoweredPipeline kernels =
        lower::lower(output.shared(), {.observer = nullptr, .verify = true});
    const Buffer y = simulate(kernels, testing::by_name(one.inputs), {});
    REQUIRE(y.elements() == one.expected.elements());
    CHECK(relative_error(one, y) <= tolerance(one));
  }
}
