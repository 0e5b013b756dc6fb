// Tests that the pipelines compared with Halide compute their definitions, with the schedules that are chosen
// for them.
#include <doctest/doctest.h>

#include "apps/bench/halide/halide_pipelines.h"
#include "support/buffers.h"
#include "support/tier.h"

namespace tensordsl::benchmarks {
namespace {

Buffer computed_by(Device& device, const bench::HalidePipeline& pipeline, const Schedule& schedule) {
  const Pipeline all({pipeline.output});
  schedule.apply({pipeline.output});
  const auto runner = all.prepare(device, pipeline.params);
  runner->write_all(pipeline.inputs);
  runner->run();
  return runner->read_all().front();
}

void check_agree(const bench::HalidePipeline& pipeline, const Buffer& result, const Buffer& expected) {
  REQUIRE(result.shape() == expected.shape());
  std::int64_t different = 0;
  for (std::int64_t i = 0; i < result.elements(); ++i) {
    // Integers may lie on the other side of a half.
    const double tolerance = result.type().is_float() ? 1e-4 : pipeline.name == "local_laplacian" ? 1 : 0;
    different += std::abs(result.get(i) - expected.get(i)) <= tolerance ? 0 : 1;
  }
  // The local Laplacian jumps from one level to the next: an index may be rounded otherwise.
  CHECK(different <= (pipeline.name == "local_laplacian" ? result.elements() / 100 : 0));
}

/// Returns true if the pipeline has so many stages that choosing its schedule takes half a minute.
bool is_large(const bench::HalidePipeline& pipeline) { return pipeline.name == "local_laplacian"; }

}  // namespace

TEST_CASE(
    "Halide's unsharp mask: on a GPU what the planes of the output share is computed once, in one kernel") {
  const auto device = Device::open();
  const bench::HalidePipeline unsharp = bench::halide_pipelines(32)[1];
  REQUIRE(unsharp.name == "unsharp");
  const Pipeline all({unsharp.output});
  const Buffer expected = all.interpret(unsharp.inputs).front();
  const Schedule schedule = all.auto_schedule(load_hw_profile("nvidia_h100"), &device->info());
  CHECK(schedule.to_cpp("f").find(".unroll(c)") != std::string::npos);
  schedule.apply({unsharp.output});
  const auto runner = all.prepare(*device);
  CHECK(runner->program().launches.size() == 1);
  runner->write_all(unsharp.inputs);
  runner->run();
  CHECK(testing::largest_difference(runner->read_all().front(), expected) < 1e-4);
}

TEST_CASE("Halide's pipelines: chosen schedules compute what the definitions say") {
  const auto device = Device::open();
  constexpr int kSmall = 64;
  for (const bench::HalidePipeline& pipeline : bench::halide_pipelines(kSmall)) {
    // The other test has the camera's pipeline in both tiers.
    const bool is_chosen_long = is_large(pipeline) || pipeline.name == "camera_pipe";
    if (testing::is_left_to_full(is_chosen_long)) continue;
    CAPTURE(pipeline.name);
    const Buffer expected = Pipeline({pipeline.output}).interpret(pipeline.inputs, pipeline.params).front();
    const Schedule schedule = Pipeline({pipeline.output}).auto_schedule(device->info());
    check_agree(pipeline, computed_by(*device, pipeline, schedule), expected);
  }
}

// The interpreter would take minutes.
TEST_CASE("Halide's pipelines: at a size of use, the device computes what the host's processor does") {
  const auto device = Device::open(), host = Device::open("host");
  constexpr int kUsed = 8;
  const auto pipelines = bench::halide_pipelines(kUsed), references = bench::halide_pipelines(kUsed);
  for (std::size_t i = 0; i < pipelines.size(); ++i) {
    if (testing::is_left_to_full(is_large(pipelines[i]))) continue;
    CAPTURE(pipelines[i].name);
    const Schedule schedule = Pipeline({pipelines[i].output}).auto_schedule(device->info());
    check_agree(pipelines[i], computed_by(*device, pipelines[i], schedule),
                computed_by(*host, references[i], schedule));
  }
}

}  // namespace tensordsl::benchmarks
