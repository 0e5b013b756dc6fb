// `tensordsl autoschedule` and `compile --explain`.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "cli/small_model.h"

namespace tensordsl::testing {

using nlohmann::json;

TEST_CASE("cli: autoschedule writes a program that run takes, and says what it chose") {
  const SmallModel m;
  const auto done = m.run({"autoschedule", m.model(), "-o", m.path("tuned"), "--tries", "2"});
  CHECK(done.code == 0);
  CHECK(done.out.find("strategy") != std::string::npos);
  CHECK(done.out.find("times as fast as the first choice") != std::string::npos);
  CHECK(
      m.run({"run", m.path("tuned"), "--inputs", m.path("in.npz"), "--expect", m.path("expect.npz")}).code ==
      0);
}

TEST_CASE("cli: autoschedule --json has a kernel for each structure, and no times where nothing was timed") {
  const SmallModel m;
  const auto done = m.run({"autoschedule", m.model(), "-o", m.path("tuned"), "--profile", "adreno640",
                           "--device", "none", "--json"});
  REQUIRE(done.code == 0);
  const json report = json::parse(done.out);
  REQUIRE(report.at("kernels").size() == 1);
  CHECK(report["kernels"][0].at("us").is_null());
  CHECK(report["kernels"][0].at("predicted_us") > 0);
  CHECK(report.at("for") == "any device, by the profile adreno640");
}

TEST_CASE("cli: autoschedule refuses trials without a device, and a missing folder") {
  const SmallModel m;
  check_user_error(
      m.run({"autoschedule", m.model(), "-o", m.path("tuned"), "--profile", "adreno640", "--tries", "3"}),
      "--tries 3: there is no device to try on; give --device too, or leave it out, so that nothing is "
      "timed");
  check_user_error_like(m.run({"autoschedule", m.model()}), "--output is required");
}

TEST_CASE("cli: compile --explain tells of a kernel, and of the lack of one") {
  const SmallModel m;
  const auto done =
      m.run({"compile", m.model(), "--device", "none", "--profile", "nvidia_h100", "--explain", "Relu"});
  CHECK(done.code == 0);
  CHECK(done.out.find("// Mul+Add+Relu -> y\n") == 0);
  check_user_error(m.run({"compile", m.model(), "--explain", "absent"}),
                   "--explain absent: no kernel's name or operators contain that");
  check_user_error(m.run({"compile", m.model(), "--explain", "Relu", "--json"}),
                   "--json: --explain prints text; give one of the two");
}

}  // namespace tensordsl::testing
