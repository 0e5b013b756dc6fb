// Tests which of two ways to compute a part of a model is chosen, by times of their kernels.
#include "tune/graph_choices.h"

#include <doctest/doctest.h>

#include <map>

#include "model/options_of_target.h"
#include "records/kernel_key.h"
#include "support/convolutions.h"
#include "support/definitions.h"
#include "tensordsl/hw_profile.h"
#include "tune/record/tuned_schedules.h"

namespace tensordsl::tune {
namespace {

/// A convolution that is faster as a Winograd convolution, and one of 1x1 that is only computed directly.
definitions::DefinitionGraph two_convolutions() {
  testing::OnnxModel model;
  const testing::SmallConvolution wide{.inputs = 64, .outputs = 64, .rows = 56, .columns = 56};
  const testing::SmallConvolution narrow{
      .inputs = 64, .outputs = 16, .rows = 56, .columns = 56, .kernel = {1, 1}, .pads = {0, 0, 0, 0}};
  model.input("x", wide.input_shape());
  wide.append(model, "x", "c", "w");
  narrow.append(model, "c", "y", "v");
  model.output("y");
  return testing::definitions_of(model);
}

class Subject {
 public:
  Subject() : profile_(load_hw_profile("pocl_cpu_avx512")) {
    CompileTarget target;
    target.profile = profile_;
    target.tuned_schedules = false;
    options_ = options_of(target);
  }

  ModelVariant whole() const { return ModelVariant(two_convolutions(), options_, profile_); }
  ModelVariant with(const std::function<bool(const std::string&)>& better_apart) const {
    graph::CompileOptions options = options_;
    options.better_apart = better_apart;
    return ModelVariant(two_convolutions(), options, profile_);
  }

 private:
  HwProfile profile_;
  graph::CompileOptions options_;
};

bool is_winograd(const definitions::FusedGroup& group) {
  return std::holds_alternative<definitions::WinogradForm>(group.form);
}

std::size_t winograds(const ModelVariant& variant) {
  return static_cast<std::size_t>(std::ranges::count_if(variant.compiled().groups, is_winograd));
}

}  // namespace

TEST_CASE("graph choices: what can be apart is, and its parts are found") {
  const Subject subject;
  const ModelVariant whole = subject.whole(), apart = subject.with([](const std::string&) { return true; });
  REQUIRE(winograds(whole) == 1);
  CHECK(winograds(apart) == 0);
  CHECK(has_alternatives(whole));
  CHECK(!has_alternatives(apart));
  for (const double apart_us : {50.0, 99.0, 200.0}) {
    CAPTURE(apart_us);
    std::map<std::string, double> us;
    for (const ModelKernel& kernel : apart.kernels()) us[kernel.task.key.structure] = apart_us;
    for (const ModelKernel& kernel : whole.kernels()) us[kernel.task.key.structure] = 100;
    // A kernel that both variants have has one time.
    const auto choices = graph_choices(whole, apart, 5, [&](const std::string& key) {
      const auto known = us.find(key);
      return known == us.end() ? std::nullopt : std::optional(known->second);
    });
    REQUIRE(choices.size() == 1);
    CHECK(choices[0].whole_us == 100);
    CHECK(choices[0].apart_us == apart_us);
    // A difference of 1 % is within the noise of two measurements of one kernel.
    CHECK(choices[0].is_apart() == (apart_us < 98));
    const ModelVariant chosen = subject.with(
        [&](const std::string& key) { return key == choices[0].key.structure && choices[0].is_apart(); });
    CHECK(winograds(chosen) == (choices[0].is_apart() ? 0 : 1));
  }
}

TEST_CASE("graph choices: a node that is one kernel in any case is no choice") {
  testing::OnnxModel model;
  model.input("x", {4, 48}).floats("s", {48}, std::vector<float>(48, 1.5F));
  model.node("LayerNormalization", {"x", "s"}, {"y"}).output("y");
  const definitions::DefinitionGraph graph = testing::definitions_of(model);
  const HwProfile profile = load_hw_profile("pocl_cpu_avx512");
  graph::CompileOptions options;
  const ModelVariant whole(graph, options, profile);
  options.better_apart = [](const std::string&) { return true; };
  const ModelVariant apart(graph, options, profile);
  CHECK(graph_choices(whole, apart, 5, [](const std::string&) { return std::optional(7.0); }).empty());
}

TEST_CASE("graph choices: of what was not timed nothing is said") {
  const Subject subject;
  const ModelVariant whole = subject.whole(), apart = subject.with([](const std::string&) { return true; });
  CHECK(graph_choices(whole, apart, 5, [](const std::string&) { return std::nullopt; }).empty());
}

TEST_CASE("graph choices: compiling takes what a record says, unless the whole is known to be faster") {
  const Subject subject;
  const ModelVariant whole = subject.whole();
  const records::KernelKey& key = [&]() -> const records::KernelKey& {
    for (const ModelKernel& kernel : whole.kernels()) {
      if (is_winograd(whole.compiled().groups[kernel.task.places.front()])) return kernel.task.key;
    }
    FAIL("there is no Winograd convolution");
    return whole.kernels().front().task.key;
  }();
  records::TuningRecord apart;
  apart.kernel = key;
  apart.strategy = records::kApart;
  apart.us = 50;
  records::TuningRecord slow = apart, fast = apart;
  slow.strategy = fast.strategy = "winograd";
  slow.us = 60;
  fast.us = 40;
  const auto is_better_apart = [&](const std::vector<records::TuningRecord>& records) {
    return TunedSchedules(records, load_hw_profile("pocl_cpu_avx512"), std::nullopt)
        .is_better_apart(key.structure);
  };
  CHECK(is_better_apart({apart}));
  CHECK(is_better_apart({slow, apart}));
  CHECK(!is_better_apart({fast, apart}));
  CHECK(!is_better_apart({slow}));
  CHECK(!is_better_apart({}));
  const TunedSchedules tuned({apart, slow}, load_hw_profile("pocl_cpu_avx512"), std::nullopt);
  CHECK(winograds(subject.with([&](const std::string& k) { return tuned.is_better_apart(k); })) == 0);
}

}  // namespace tensordsl::tune
