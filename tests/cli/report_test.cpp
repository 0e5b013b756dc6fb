// The parts of the command line tool that need no command: figures in, text or JSON out.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "apps/tensordsl/console/print_json.h"
#include "apps/tensordsl/console/text_table.h"
#include "apps/tensordsl/console/time_text.h"
#include "apps/tensordsl/model/timeline.h"
#include "apps/tensordsl/report/bench_report.h"
#include "apps/tensordsl/report/output_summary.h"
#include "apps/tensordsl/report/speed_over_time.h"
#include "apps/tensordsl/tune/autoschedule_report.h"

namespace tensordsl::cli {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// Two launches of one kernel of 4 floats, and an empty one between them.
Program three_launches() {
  Program program;
  KernelSource kernel;
  kernel.entry = "double_kernel";
  kernel.launch.group_size = {64, 1, 1};
  program.kernels.push_back(kernel);
  Program::Tensor tensor;
  tensor.stored.type = Float(32);
  tensor.elements = "n";
  program.tensors = {tensor, tensor};
  for (const char* groups : {"(n + 63)/64", "0", "1"}) {
    Program::Launch launch;
    launch.tensors = {0, 1, 0, -1};
    launch.groups = {groups, "1", "1"};
    launch.label = "Mul";
    launch.flops = 8;
    program.launches.push_back(launch);
  }
  program.launches[2].label = "";
  program.launches[2].flops = 0;
  return program;
}

steady_clock::time_point at(int ms) { return steady_clock::time_point(milliseconds(ms)); }

}  // namespace

TEST_CASE("cli: a timeline has the steps of the host and the launches, on one axis") {
  const Timeline timeline{"tensordsl run m.onnx",
                          "a device",
                          {{"import", at(1000), at(1010)}, {"traced run", at(1020), at(1030)}},
                          {{5'000'000, 6'000'000}, {0, 0}, {6'500'000, 9'000'000}},
                          at(1030)};
  const json trace = json::parse(to_trace_events(timeline, three_launches(), {{"n", 100}}));
  CHECK(trace["displayTimeUnit"] == "ms");
  const json& events = trace["traceEvents"];
  REQUIRE(events.size() == 3 + 2 + 3);
  CHECK(events[0] == json::parse(R"({"name": "process_name", "ph": "M", "pid": 1, "tid": 1,
      "args": {"name": "tensordsl run m.onnx"}})"));
  CHECK(events[1]["args"]["name"] == "host");
  CHECK(events[2]["tid"] == 2);
  CHECK(events[2]["args"]["name"] == "a device");
  CHECK(events[3] == json::parse(R"({"name": "import", "cat": "host", "ph": "X", "pid": 1, "tid": 1,
      "ts": 0.0, "dur": 10000.0})"));
  CHECK(events[4]["ts"] == 20000.0);
  // The last launch ends when the host has seen it end, 30 ms after the beginning.
  CHECK(events[5] == json::parse(R"({"name": "Mul", "cat": "kernel", "ph": "X", "pid": 1, "tid": 2,
      "ts": 26000.0, "dur": 1000.0, "args": {"kernel": "double_kernel", "groups": [2, 1, 1],
      "group_size": [64, 1, 1], "tensor_bytes": 800, "flops": 8}})"));
  CHECK(events[6]["ts"] == 27000.0);
  CHECK(events[6]["dur"] == 0.0);
  CHECK(events[7]["name"] == "double_kernel");
  CHECK(events[7]["ts"] == 27500.0);
  CHECK(events[7]["dur"] == 2500.0);
  CHECK_FALSE(events[7]["args"].contains("flops"));
}

TEST_CASE("cli: times of launches that overlap are noticed") {
  CHECK(are_in_order({}));
  CHECK(are_in_order({{5, 6}, {0, 0}, {6, 9}}));
  CHECK_FALSE(are_in_order({{2, 3}, {2, 3}}));
  CHECK_FALSE(are_in_order({{3, 2}}));
}

TEST_CASE("cli: speed over time is the median of each tenth, against the first") {
  std::vector<TimedRun> runs;
  // 100 runs of 10 ms, then 50 of 20 ms with one that was disturbed.
  double start = 0.005;
  for (int i = 0; i < 150; ++i) {
    const double ms = i < 100 ? 10 : 20;
    runs.push_back({start, i == 120 ? 19.0 : ms});
    start += ms * 1e-3;
  }
  const SpeedOverTime speed = speed_over_time(runs);
  REQUIRE(speed.parts.size() == 10);
  CHECK(speed.parts[0].from_s == 0);
  CHECK(speed.parts[0].to_s == doctest::Approx(0.2005));
  CHECK(speed.parts[0].runs == 20);
  CHECK(speed.parts[0].median_ms == 10);
  CHECK(speed.parts[0].speed == 1);
  CHECK(speed.parts[9].runs == 10);
  CHECK(speed.parts[9].median_ms == 20);
  CHECK(speed.speed_at_end() == 0.5);
  CHECK(speed.slowest_to_fastest == 2);
  CHECK(
      to_text(speed, 60).ends_with("  1.8     10    20.000  50.0 %\n"
                                   "the speed at the end is 50.0 % of the speed at the start;\n"
                                   "  the slowest part took 2.00 times as long as the fastest\n"));
}

TEST_CASE("cli: parts of the time in which no run began are left out") {
  const SpeedOverTime speed = speed_over_time({{0, 900}, {0.9, 100}});
  REQUIRE(speed.parts.size() == 2);
  CHECK(speed.parts[1].from_s == doctest::Approx(0.9));
  CHECK(speed.parts[1].speed == 9);
  CHECK(speed_over_time({}).parts.empty());
  CHECK(speed_over_time({{0, 0}}).parts[0].speed == 1);
}

TEST_CASE("cli: the largest elements are exact, the first of equal ones first, and no NaN") {
  Buffer numbers(UInt(64), {3});
  numbers.set_int(1, -1);  // the bits of the largest
  CHECK(summarize(numbers).largest[0].text() == "18446744073709551615");
  CHECK(summarize(numbers).largest[0].json() == std::numeric_limits<std::uint64_t>::max());
  CHECK(summarize(numbers).largest[1].index == 0);
  Buffer truths(Bool(), {2});
  truths.set_int(1, 1);
  CHECK(summarize(truths).largest[0].text() == "true");
  CHECK(summarize(truths).largest[1].json() == false);
  Buffer reals(Float(32), {2, 2});
  reals.set(3, std::nan(""));
  CHECK(summarize(reals).largest.empty());
  CHECK(summarize(reals).nan == 1);
  CHECK(summarize(reals.reshaped({1, 4})).largest.size() == 3);
}

TEST_CASE("cli: numbers that JSON does not have are texts") {
  CHECK(json_number(1.5) == 1.5);
  CHECK(json_number(std::nan("")) == "NaN");
  CHECK(json_number(std::numeric_limits<double>::infinity()) == "Infinity");
  CHECK(json_number(-std::numeric_limits<double>::infinity()) == "-Infinity");
}

TEST_CASE("cli: long names lose their middle where there is a terminal, and not within a character") {
  CHECK(shortened_in_middle("abcdefghij", 10) == "abcdefghij");
  CHECK(shortened_in_middle("abcdefghij", 8) == "abc...ij");
  CHECK(shortened_in_middle("abcdefghij", 2) == "..");
  CHECK(shortened_in_middle("\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", 8) == "\xc3\xa4...\xc3\xa4");
  const std::string name = "one_of_the_longer_names_of_kernels";
  CHECK(kernel_line(1, 2, name, std::nullopt) == "    1.000 ms      2.0 GFLOPS  " + name + "\n");
  CHECK(kernel_line(1, 2, name, 60) == "    1.000 ms      2.0 GFLOPS  one_of_the_lon...es_of_kernels\n");
  CHECK(kernel_line(1, 2, name, 40) == "    1.000 ms      2.0 GFLOPS\n    " + name + "\n");
}

TEST_CASE("cli: short times have three significant digits") {
  CHECK(microseconds_text(1234.56) == "1234.6");
  CHECK(microseconds_text(10) == "10.0");
  CHECK(microseconds_text(3.274) == "3.27");
  CHECK(microseconds_text(0.5126) == "0.513");
  CHECK(microseconds_text(0) == "0.0");
  CHECK(milliseconds_text(12.3456) == "12.346");
  CHECK(milliseconds_text(0.01234) == "0.0123");
  CHECK(milliseconds_text(0.003274) == "0.00327");
  CHECK(milliseconds_text(0) == "0.000");
  CHECK(kernel_line(0.003274, 0, "k", std::nullopt) == "  0.00327 ms        - GFLOPS  k\n");
}

TEST_CASE("cli: a speed above the measured peak is no share of it, and a note says why") {
  CHECK(peak_lines(50, 200) ==
        std::vector<std::string>{"50.0 GFLOPS, 25.0 % of the measured multiply-add peak of 200.0"});
  CHECK(peak_lines(236, 200) ==
        std::vector<std::string>{
            "236.0 GFLOPS, above the measured multiply-add peak of 200.0",
            "note: the peak was measured while the machine was busy, or kernels do less than the operations "
            "that are counted, as with Winograd, or faster ones than f32 multiply-adds"});
}

TEST_CASE("cli: autoschedule's table says which times are predicted, and sums the timed ones") {
  AutoscheduledKernel conv;
  conv.kernel = "conv_kernel";
  conv.launches = 2;
  conv.strategy = "tiled_reduction";
  conv.first = "rows";
  conv.us = 20;
  conv.first_us = 30;
  conv.predicted_us = 15;
  conv.first_predicted_us = 25;
  conv.flops = 400'000;
  conv.floor_us = 10;
  AutoscheduledKernel pool = conv;
  pool.kernel = "pool_kernel";
  pool.strategy = "rows";
  pool.us = pool.first_us = std::nullopt;
  pool.predicted_us = 2.5;
  AutoscheduleReport report;
  report.kernels = {conv, pool};
  CHECK(
      to_text(report) ==
      "  kernel       launches  strategy         us    source     GFLOPS  roofline  time     gain\n"
      "  conv_kernel  2         tiled_reduction  20.0  timed      20.0    50 %      100.0 %  1.50\n"
      "  pool_kernel  2         rows             2.50  predicted  160.0   400 %\n"
      "1 of 2 kernels timed: 0.0400 ms, 1.50 times as fast as the first choice\n"
      "a kernel is timed alone, also in the database and the page; `tensordsl bench` times it among the "
      "others of a run\n"
      "a share of the roofline above 100 % says that the profile's figures are too low for the device: they "
      "are guesses, or were measured while the machine was busy\n");
  report.kernels = {pool};
  CHECK(
      to_text(report) ==
      "  kernel       launches  strategy  us    source     GFLOPS  roofline  time     gain\n"
      "  pool_kernel  2         rows      2.50  predicted  160.0   400 %     100.0 %  10.00\n"
      "1 kernel predicted: 0.00500 ms, 10.00 times as fast as the first choice\n"
      "a share of the roofline above 100 % says that the profile's figures are too low for the device: they "
      "are guesses, or were measured while the machine was busy\n");
}

TEST_CASE("cli: a labeled line goes on below its text") {
  CHECK(labeled("time", "one two three", std::nullopt) == "time     one two three\n");
  CHECK(labeled("time", "one two three", 17) == "time     one two\n         three\n");
  CHECK(labeled("time", "one two three", 5) == "time     one\n         two\n         three\n");
}

}  // namespace tensordsl::cli
