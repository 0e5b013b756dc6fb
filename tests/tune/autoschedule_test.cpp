// Schedules of a whole model: by the model of a device, and by trials.
#include <doctest/doctest.h>

#include <filesystem>

#include "support/buffers.h"
#include "support/convolutions.h"
#include "support/load_model.h"
#include "support/temporary.h"
#include "tensordsl/autoschedule.h"

using namespace tensordsl;
using testing::load_model;
using testing::OnnxModel;
using testing::SmallConvolution;

namespace {

/// A convolution twice, a pool and a product: odd sizes.
Model small_model() {
  OnnxModel model;
  const SmallConvolution first{.inputs = 3, .outputs = 16, .rows = 17, .columns = 13};
  model.input("x", first.input_shape());
  first.append(model, "x", "c", "w");
  model.node("Relu", {"c"}, {"r"}).node("GlobalAveragePool", {"r"}, {"g"}).node("Flatten", {"g"}, {"f"});
  model.floats("m", {16, 10}, std::vector<float>(160, 0.125F)).node("MatMul", {"f", "m"}, {"y"}).output("y");
  return load_model(model);
}

Buffer input() {
  return testing::filled(Float(32), {1, 3, 17, 13},
                         [](std::int64_t i) { return (i * 37 % 101) / 64.0 - 0.75; });
}

void check_result(const Model& model, std::shared_ptr<const Program> program, Device& device) {
  const std::map<std::string, Buffer> inputs{{"x", input()}};
  Runner runner(std::move(program), device);
  runner.write_all(inputs);
  runner.run();
  const Buffer expected = model.interpret(inputs).at("y");
  CHECK(testing::largest_difference(runner.read(), expected) < 1e-4 * testing::largest_magnitude(expected));
}

}  // namespace

TEST_CASE("autoschedule: without trials, for every bundled profile, results are right") {
  const auto device = Device::open();
  const Model model = small_model();
  for (const std::string profile : {"adreno640", "mali_g76", "nvidia_h100", "pocl_cpu_avx512"}) {
    CAPTURE(profile);
    CompileTarget target;
    target.device = device->info();
    target.profile = load_hw_profile(profile);
    AutoscheduleReport report;
    check_result(model, std::make_shared<const Program>(model.autoschedule(target, {}, &report)), *device);
    CHECK(!report.kernels.empty());
    for (const AutoscheduledKernel& kernel : report.kernels) {
      CAPTURE(kernel.kernel);
      CAPTURE(kernel.point);
      CHECK(kernel.predicted_us > 0);
      CHECK(kernel.predicted_us <= 1.16 * kernel.first_predicted_us);
      CHECK(!kernel.us);
    }
  }
}

TEST_CASE("autoschedule: without trials the choice is the same each time, on any number of threads") {
  const Model model = small_model();
  CompileTarget target;
  target.profile = load_hw_profile("nvidia_h100");
  const std::string once = to_json(model.autoschedule(target));
  target.threads = 1;
  CHECK(to_json(model.autoschedule(target)) == once);
}

TEST_CASE("autoschedule: trials take the fastest of what is right") {
  const auto device = Device::open();
  const Model model = small_model();
  CompileTarget target;
  target.device = device->info();
  AutoscheduleOptions options;
  options.trials_of_kernel = 2;
  options.device = device.get();
  std::int64_t told = 0;
  options.progress = [&](const TuningProgress& progress) {
    CHECK(progress.trials >= told);
    told = progress.trials;
  };
  AutoscheduleReport report;
  check_result(model, std::make_shared<const Program>(model.autoschedule(target, options, &report)), *device);
  CHECK(report.trials >= static_cast<std::int64_t>(report.kernels.size()));
  CHECK(told == report.trials);
  for (const AutoscheduledKernel& kernel : report.kernels) {
    CAPTURE(kernel.kernel);
    CHECK(kernel.failures.empty());
    REQUIRE((kernel.us && kernel.first_us));
    CHECK(*kernel.us <= *kernel.first_us);
    CHECK((kernel.timed >= 1 && kernel.timed <= 2));
  }
}

TEST_CASE("autoschedule: a limit of all trials is kept, and the kernels that take longest come first") {
  const auto device = Device::open();
  const Model model = small_model();
  CompileTarget target;
  target.device = device->info();
  AutoscheduleOptions options;
  options.trials = 5;
  options.device = device.get();
  AutoscheduleReport report;
  check_result(model, std::make_shared<const Program>(model.autoschedule(target, options, &report)), *device);
  CHECK(report.trials <= 5);
  CHECK(report.trials > 0);
  options.should_stop = [] { return true; };
  AutoscheduleReport stopped;
  model.autoschedule(target, options, &stopped);
  CHECK(stopped.was_stopped);
  CHECK(stopped.trials == 0);
}

TEST_CASE("autoschedule: kernels that are not timed as the trials are stopped have predictions") {
  const auto device = Device::open();
  CompileTarget target;
  target.device = device->info();
  AutoscheduleOptions options;
  options.trials_of_kernel = 2;
  options.device = device.get();
  bool is_over = false;
  options.progress = [&](const TuningProgress&) { is_over = true; };
  options.should_stop = [&] { return is_over; };
  AutoscheduleReport report;
  small_model().autoschedule(target, options, &report);
  CHECK(report.was_stopped);
  REQUIRE(report.kernels.size() > 1);
  int timed = 0;
  for (const AutoscheduledKernel& kernel : report.kernels) {
    CAPTURE(kernel.kernel);
    timed += kernel.us ? 1 : 0;
    CHECK(kernel.predicted_us > 0);
    CHECK(kernel.first_predicted_us > 0);
    CHECK(!kernel.strategy.empty());
  }
  CHECK(timed == 1);
}

TEST_CASE("autoschedule: what a database tells is not measured again, and compile takes it") {
  const auto device = Device::open();
  const std::filesystem::path file = testing::temporary("autoschedule_test.db");
  for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(file.string() + end);
  const Model model = small_model();
  CompileTarget target;
  target.device = device->info();
  AutoscheduleOptions options;
  options.trials_of_kernel = 3;
  options.device = device.get();
  options.database = file;
  AutoscheduleReport first, second;
  model.autoschedule(target, options, &first);
  model.autoschedule(target, options, &second);
  for (std::size_t k = 0; k < first.kernels.size(); ++k)
    CHECK(second.kernels[k].known == first.kernels[k].timed);
  target.database = file;
  check_result(model, std::make_shared<const Program>(model.compile(target)), *device);
  target.database = file.string() + ".none";
  CHECK_THROWS_WITH_AS(model.compile(target), ("the database " + target.database + " does not exist").c_str(),
                       Error);
  for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(file.string() + end);
}

TEST_CASE("explain: a criterion that no schedule of a kernel meets does not count") {
  OnnxModel model;
  // Rows of 169 numbers: no configuration reads 16 of them at a time.
  model.input("x", {1, 37, 13, 13}).node("GlobalAveragePool", {"x"}, {"y"}).output("y");
  CompileTarget target;
  target.profile = load_hw_profile("pocl_cpu_avx512");
  const std::string text = load_model(model).explain(target, "GlobalAveragePool");
  CHECK(text.find("row_reduction: ") != std::string::npos);
  CHECK(text.find("lowered: 12 of 12 kept") != std::string::npos);
  CHECK(text.find(" 2. ") != std::string::npos);
}

TEST_CASE(
    "explain: the spaces, the best configurations with what bounds them, and a refusal of another name") {
  const Model model = small_model();
  CompileTarget target;
  target.profile = load_hw_profile("nvidia_h100");
  const std::string text = model.explain(target, "Conv");
  CHECK(text.find("// Conv+Relu -> r\n") == 0);
  CHECK(text.find("tiled_reduction: ") != std::string::npos);
  CHECK(text.find(" 1. ") != std::string::npos);
  CHECK(text.find("instructions ") != std::string::npos);
  CHECK_THROWS_WITH_AS(
      model.explain(target, "no such kernel"),
      doctest::Contains("explain: no kernel, node or tensor has \"no such kernel\" in its name; "
                        "the kernels are conv_relu_kernel, "),
      Error);
}
