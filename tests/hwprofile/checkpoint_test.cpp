// What an interrupted run leaves behind.
#include "hwprofile/probes/checkpoint.h"

#include <doctest/doctest.h>

#include "device/environment.h"
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
  CHECK(checkpoint_from_json(checkpoint_to_json(kKey, results()), kKey) == results());
  CHECK(checkpoint_from_json(checkpoint_to_json(kKey, {}), kKey) == std::vector<ProbeResult>());
}

TEST_CASE("checkpoint: text that is not UTF-8 is written all the same") {
  CheckpointKey key = kKey;
  key.device = "caf\xe9";
  CHECK(checkpoint_to_json(key, results()).find("caf\xef\xbf\xbd") != std::string::npos);
}

TEST_CASE("checkpoint: of another device, driver, platform, length or choice of probes it is none") {
  const std::string text = checkpoint_to_json(kKey, results());
  const auto differs = [&](auto change) {
    CheckpointKey other = kKey;
    change(other);
    return !checkpoint_from_json(text, other).has_value();
  };
  CHECK(differs([](CheckpointKey& k) { k.device = "another"; }));
  CHECK(differs([](CheckpointKey& k) { k.driver = "1.1"; }));
  CHECK(differs([](CheckpointKey& k) { k.platform = "another"; }));
  CHECK(differs([](CheckpointKey& k) { k.seconds = 180; }));
  CHECK(differs([](CheckpointKey& k) { k.probes = {"launch"}; }));
}

TEST_CASE("checkpoint: a text that was cut off or changed is none, and nothing breaks") {
  const std::string text = checkpoint_to_json(kKey, results());
  for (std::size_t length = 0; length + 2 < text.size(); ++length)
    CHECK_FALSE(checkpoint_from_json(text.substr(0, length), kKey).has_value());
  CHECK_FALSE(checkpoint_from_json(replaced(text, "\"version\":2", "\"version\":1"), kKey).has_value());
  CHECK_FALSE(checkpoint_from_json(replaced(text, "[1.0,2.0,4.0]", "[1.0,2.0]"), kKey).has_value());
  CHECK_FALSE(checkpoint_from_json(replaced(text, "[1.0,2.0,4.0]", "[1.0,4.0,2.0]"), kKey).has_value());
  CHECK_FALSE(checkpoint_from_json(replaced(text, "[0.1,", "[-0.1,"), kKey).has_value());
  CHECK_FALSE(checkpoint_from_json(replaced(text, "[0.1,", "[null,"), kKey).has_value());
  CHECK_FALSE(checkpoint_from_json(replaced(text, "[0.1,", "[1e-200,"), kKey).has_value());
  CHECK_FALSE(checkpoint_from_json(replaced(text, "[0.1,", "[1e999,"), kKey).has_value());
  CHECK_FALSE(checkpoint_from_json(replaced(text, "[1.0,2.0,4.0]", "[-1.0,2.0,4.0]"), kKey).has_value());
  CHECK_FALSE(
      checkpoint_from_json(replaced(text, "\"all_units_ns\":0.5", "\"all_units_ns\":0"), kKey).has_value());
  CHECK_FALSE(checkpoint_from_json(replaced(text, "\"passes\"", "\"pass\""), kKey).has_value());
}

TEST_CASE("checkpoint: is written as a whole, and read from where it is") {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "profile.json.partial";
  CHECK(read_checkpoint(path, kKey).empty());
  write_checkpoint(path, kKey, {});
  write_checkpoint(path, kKey, results());
  CHECK(read_checkpoint(path, kKey) == results());
  CHECK(folder.files().size() == 1);
  CheckpointKey other = kKey;
  other.seconds = 180;
  const std::string message = path.string() +
                              " is not what an interrupted run of this device, driver, length and choice of "
                              "probes left; remove it, or write the profile "
                              "elsewhere";
  CHECK_THROWS_WITH_AS(read_checkpoint(path, other), message.c_str(), Error);
  CHECK(read_checkpoint(path, kKey) == results());
  const auto nowhere = folder.path() / "no" / "such.partial";
  CHECK_THROWS_WITH_AS(write_checkpoint(nowhere, kKey, {}), ("cannot write " + nowhere.string()).c_str(),
                       Error);
}

}  // namespace tensordsl::hwprofile
