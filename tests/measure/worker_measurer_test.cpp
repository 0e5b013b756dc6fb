// Tests that a program that crashes the driver costs one candidate, and no more.
#include "measure/worker_measurer.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "measure/some_programs.h"
#include "support/temporary.h"
#include "tensordsl/error.h"

namespace tensordsl::measure {
namespace {

WorkerOptions worker(const std::string& how, const std::string& file = "") {
  return {{ODD_WORKER, how, file},
          std::chrono::milliseconds(how == "hangs" || how == "silent" ? 300 : 60'000)};
}

Request request(const std::vector<std::string>& names) {
  Request request;
  for (const std::string& name : names)
    request.programs.push_back(name.empty() ? nullptr : named_program(name));
  return request;
}

std::string error_of(const std::string& how) {
  try {
    WorkerMeasurer measurer(worker(how));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string does_not_start(const std::string& how, const std::string& why) {
  return std::string("the measuring worker \"") + ODD_WORKER + " " + how + " \" failed to start: " + why;
}

}  // namespace

TEST_CASE("worker: what it measures is what is told, and its device") {
  WorkerMeasurer measurer(worker("right"));
  CHECK(measurer.device() == records::DeviceKey{"a device", "1.0", "0.1.0"});
  for (int call = 0; call < 2; ++call) {
    const std::vector<Measured> measured = measurer.measure(request({"a", "", "c"}));
    REQUIRE(measured.size() == 3);
    CHECK(measured[0].us == 10);
    CHECK(measured[1] == Measured{});
    CHECK(measured[2].us == 12);
  }
  CHECK(measurer.measure(request({})).empty());
}

TEST_CASE("worker: one that ends while it builds several is asked for one after the other, and found") {
  WorkerMeasurer measurer(worker("dies"));
  const std::vector<Measured> measured = measurer.measure(request({"a", "b", "bad", "d"}));
  CHECK(measured[0].us == 10);
  CHECK(measured[1].us == 11);
  CHECK(measured[2].failure ==
        "the worker exited: it was ended by signal 9 (Killed): assertion failed: the driver is what it is, "
        "while building this kernel");
  CHECK(measured[3].us == 13);
  CHECK(measurer.measure(request({"a"}))[0].us == 10);
}

TEST_CASE("worker: one that is killed once from outside costs nothing") {
  const std::filesystem::path file = testing::temporary("died_once");
  std::filesystem::remove(file);
  WorkerMeasurer measurer(worker("dies-once", file));
  const std::vector<Measured> measured = measurer.measure(request({"a", "bad"}));
  CHECK(measured[0].us == 10);
  CHECK(measured[1].us == 11);
  std::filesystem::remove(file);
}

TEST_CASE("worker: one that hangs is ended, and the others are measured") {
  WorkerMeasurer measurer(worker("hangs"));
  const std::vector<Measured> measured = measurer.measure(request({"a", "bad", "c"}));
  CHECK(measured[0].us == 10);
  CHECK(measured[1].failure ==
        "no output from the worker for 0.3 s, while running this kernel for the first time");
  CHECK(measured[2].us == 12);
}

TEST_CASE("worker: failures are told before the others are measured") {
  WorkerMeasurer measurer(worker("hangs"));
  std::vector<std::string> told;
  MeasureHooks hooks;
  hooks.failed = [&](std::size_t program, const Measured& failure) {
    told.push_back(std::to_string(program) + ": " + failure.failure);
  };
  const std::vector<Measured> measured = measurer.measure(request({"a", "bad", "c"}), hooks);
  REQUIRE(told.size() == 1);
  CHECK(told[0] == "1: " + measured[1].failure);
}

TEST_CASE("worker: one that nobody waits for any more is ended, however long it may be silent") {
  WorkerMeasurer measurer({{ODD_WORKER, "hangs"}, std::chrono::hours(24)});
  int asked = 0;
  MeasureHooks hooks;
  hooks.should_stop = [&] { return ++asked > 3; };
  const std::vector<Measured> measured = measurer.measure(request({"a", "bad", "c"}), hooks);
  for (const Measured& one : measured) CHECK(one == Measured{});
  CHECK(measurer.measure(request({"a"}))[0].us == 10);
}

TEST_CASE("worker: after a device failed, the rest is measured by another worker") {
  WorkerMeasurer measurer(worker("loses"));
  const std::vector<Measured> measured = measurer.measure(request({"a", "bad", "c"}));
  CHECK(measured[0].us == 10);
  CHECK(measured[1].failure == "CL_OUT_OF_RESOURCES");
  CHECK(measured[2].us == 12);
}

TEST_CASE("worker: a wrong result is told as one") {
  WorkerMeasurer measurer(worker("wrong"));
  const std::vector<Measured> measured = measurer.measure(request({"a", "bad"}));
  CHECK(measured[0].us == 10);
  CHECK(measured[1].is_wrong);
  CHECK(measured[1].failure == "element 0 of output 0 is 1, but should be 2");
}

TEST_CASE("worker: answers that are none end in failures, not in waiting") {
  for (const char* how : {"garbage", "short"}) {
    CAPTURE(how);
    WorkerMeasurer measurer(worker(how));
    const std::vector<Measured> measured = measurer.measure(request({"a", "b"}));
    for (const Measured& one : measured) {
      CHECK(!one.us);
      CHECK(one.failure.find(how == std::string("short") ? "the worker's answer is for other programs"
                                                         : "the worker sent an invalid message") == 0);
    }
  }
}

TEST_CASE("worker: one that does not start says why") {
  CHECK(error_of("silent") ==
        does_not_start("silent", "no output for 0.3 s; run the command by hand to see why"));
  CHECK(error_of("exits") == does_not_start("exits", "it exited with code 3"));
  CHECK(error_of("refuses") == does_not_start("refuses", "there is no device \"gpu\""));
  CHECK(error_of("babbles").find(does_not_start("babbles", "its first line is not a valid message: ")) == 0);
  CHECK(error_of("newer") ==
        does_not_start("newer", "it uses version 99 of the protocol, but this library needs version 1"));
  CHECK_THROWS_WITH_AS(WorkerMeasurer({{"/no/such/program"}, std::chrono::seconds(1)}),
                       "cannot start /no/such/program: No such file or directory", Error);
}

}  // namespace tensordsl::measure
