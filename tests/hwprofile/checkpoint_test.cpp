// Tests the checkpoint of an interrupted run.
#include "hwprofile/profiling/checkpoint.h"

#include <doctest/doctest.h>

#include "device/environment.h"
#include "support/error_text.h"
#include "tensordsl/error.h"

namespace tensordsl::hwprofile {
namespace {

const CheckpointKey kKey{"a \"device\"", "1.0", "a platform", 30, {"launch", "warp"}};

std::vector<ProbeResult> results() {
  const Curve curve{"a curve", "x", "s", {{1, 2, 4}, {{0.1, 1e-9, 3}, {0.25, 1.0 / 3, 1e9}}}};
  return {{"launch",
           {{{curve, {"another", "x", "y", {{1}, {{5}}}}}, {{1.0 / 3, 0.5}, {0.25, 0.75}}, ""},
            {{}, {}, "it failed\n\"here\""}}},
          {"warp", {}}};
}

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  const auto at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), by);
}

}  // namespace

TEST_CASE("checkpoint: what is written reads back, to the last digit") {
  const Checkpoint all = parse_checkpoint(checkpoint_text(kKey, results()), kKey);
  CHECK(all.results == std::vector<ProbeResult>{results()[0]});  // a probe without passes has no line
  CHECK(all.damage == "");
  CHECK(parse_checkpoint(checkpoint_text(kKey, {}), kKey).results.empty());
}

TEST_CASE("checkpoint: text that is not UTF-8 is written all the same, and is the same run's") {
  CheckpointKey key = kKey;
  key.device = "caf\xe9";
  const std::string text = checkpoint_text(key, results());
  CHECK(text.find("caf\xef\xbf\xbd") != std::string::npos);
  CHECK(parse_checkpoint(text, key).results.size() == 1);
}

TEST_CASE(
    "checkpoint: of another device, driver, platform, length or choice of probes it is refused, by what "
    "differs") {
  const std::string text = checkpoint_text(kKey, results());
  const auto error = [&](auto change) {
    CheckpointKey other = kKey;
    change(other);
    return error_of([&] { parse_checkpoint(text, other); });
  };
  const auto expected = [](const std::string& what) {
    return "belongs to another run: its " + what + "; remove it, or write the profile elsewhere";
  };
  CHECK(error([](CheckpointKey& k) { k.device = "another"; }) ==
        expected("device is \"a \\\"device\\\"\", this run's \"another\""));
  CHECK(error([](CheckpointKey& k) { k.driver = "1.1"; }) ==
        expected("driver is \"1.0\", this run's \"1.1\""));
  CHECK(error([](CheckpointKey& k) { k.platform = "another"; }) ==
        expected("platform is \"a platform\", this run's \"another\""));
  CHECK(error([](CheckpointKey& k) { k.seconds = 180; }) == expected("seconds is 30.0, this run's 180.0"));
  CHECK(error([](CheckpointKey& k) { k.probes = {"launch"}; }) ==
        expected("probes are [\"launch\",\"warp\"], this run's [\"launch\"]"));
}

TEST_CASE("checkpoint: of a text that was cut off what stands before is kept, and it says so") {
  const std::string text = checkpoint_text(kKey, results());
  const std::size_t first = text.find('\n') + 1, second = text.find('\n', first) + 1;
  for (std::size_t length = 0; length < text.size() - 1; ++length) {
    const Checkpoint cut = parse_checkpoint(text.substr(0, length), kKey);
    CAPTURE(length);
    const std::size_t passes = cut.results.empty() ? 0 : cut.results[0].passes.size();
    CHECK(passes == (length >= second - 1 ? 1 : 0));
    const bool is_between =
        length == first || length == first - 1 || length == second || length == second - 1;
    CHECK(cut.damage.empty() == is_between);
  }
  CHECK(parse_checkpoint("", kKey).damage == "it is empty");
  CHECK(parse_checkpoint(text.substr(0, 20), kKey).damage == "its line 1 is cut off");
  CHECK(parse_checkpoint(text.substr(0, second + 5), kKey).damage == "its line 3 is cut off");
}

TEST_CASE("checkpoint: a line that was changed is damaged, and nothing breaks") {
  const std::string text = checkpoint_text(kKey, results());
  const auto damage = [&](const std::string& old, const std::string& by) {
    return parse_checkpoint(replaced(text, old, by), kKey).damage;
  };
  const std::string second = "its line 2 is damaged";
  CHECK(damage("[1.0,2.0,4.0]", "[1.0,2.0]") == second);
  CHECK(damage("[1.0,2.0,4.0]", "[1.0,4.0,2.0]") == second);
  CHECK(damage("[0.1,", "[-0.1,") == second);
  CHECK(damage("[0.1,", "[null,") == second);
  CHECK(damage("[0.1,", "[1e-200,") == second);
  CHECK(damage("[0.1,", "[1e999,") == second);
  CHECK(damage("[1.0,2.0,4.0]", "[-1.0,2.0,4.0]") == second);
  CHECK(damage("\"all_units_ns\":0.5", "\"all_units_ns\":0") == second);
  CHECK(damage("\"pass\":0", "\"pass\":1") == second);
  CHECK(damage("\"pass\":1", "\"pass\":7") == "its line 3 is damaged");
  CHECK(damage("\"curves\"", "\"curve\"") == second);
}

TEST_CASE("checkpoint: what is none, or of another version, is refused") {
  const auto error = [](const std::string& text) { return error_of([&] { parse_checkpoint(text, kKey); }); };
  CHECK(error("notes of somebody") ==
        "is not the file of an interrupted run; remove it, or write the profile elsewhere");
  CHECK(error("{\"version\":1}\n") ==
        "is not a checkpoint of this version of tensordsl; remove it, or write the profile elsewhere");
  CHECK(error("{\"tensordsl profile\":2,\"key\":5}\n") ==
        "is not a checkpoint of this version of tensordsl; remove it, or write the profile elsewhere");
  CHECK(error(replaced(checkpoint_text(kKey, {}), "profile\":2", "profile\":3")) ==
        "is not a checkpoint of this version of tensordsl; remove it, or write the profile elsewhere");
}

TEST_CASE("checkpoint: is written as a whole, and read from where it is") {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "profile.json.partial";
  CHECK(read_checkpoint(path, kKey).results.empty());
  write_checkpoint(path, kKey, {});
  write_checkpoint(path, kKey, results());
  CHECK(read_checkpoint(path, kKey).results.size() == 1);
  CHECK(folder.files().size() == 1);
  CheckpointKey other = kKey;
  other.seconds = 180;
  const std::string message = path.string() +
                              " belongs to another run: its seconds is 30.0, this run's 180.0; "
                              "remove it, or write the profile elsewhere";
  CHECK_THROWS_WITH_AS(read_checkpoint(path, other), message.c_str(), Error);
  CHECK(read_checkpoint(path, kKey).results.size() == 1);
  const auto nowhere = folder.path() / "no" / "such.partial";
  CHECK_THROWS_WITH_AS(write_checkpoint(nowhere, kKey, {}), ("cannot write " + nowhere.string()).c_str(),
                       Error);
}

}  // namespace tensordsl::hwprofile
