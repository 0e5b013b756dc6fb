// Profiles as JSON: both ways, the schema, the bundled ones, and refusals.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

#include "hwprofile/bundled_profiles.h"
#include "hwprofile/profile_fields.h"
#include "hwprofile/profile_schema.h"
#include "support/source_dir.h"
#include "tensordsl/error.h"

namespace tensordsl::hwprofile {
namespace {

/// Every field drawn, some unknown.
class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  void text(const char*, std::string& value) { value = "a \"device\"\n" + std::to_string(random_() % 100); }
  void texts(const char*, std::vector<std::string>& values) { values.assign(random_() % 3, "a source"); }
  void numbers(const char*, std::vector<int>& values) { values.assign(random_() % 3, 32); }
  void steps(const char*, std::vector<OccupancyStep>& steps) {
    const int count = static_cast<int>(random_() % 4);
    for (int i = 1; i <= count; ++i) steps.push_back({16 * i, 1024 / i});
  }
  void field(const char*, const char*, std::optional<Measurement>& figure) {
    const double value = 1e-3 * static_cast<double>(1 + random_());
    if (random_() % 3) figure = Measurement{value, value / 2, value * 2, random_() % 2 == 0};
  }
  void field(const char*, const char*, std::optional<BoolMeasurement>& finding) {
    if (random_() % 3) finding = BoolMeasurement{random_() % 2 == 0, random_() % 2 == 0};
  }
  template <typename F>
  void group(const char*, F visit) {
    visit();
  }
  void levels(const char*, std::vector<CacheLevel>& levels) {
    levels.resize(random_() % 4);
    for (CacheLevel& level : levels) visit_fields_of_level(level, *this);
  }

 private:
  std::mt19937 random_;
};

std::string with(const std::string& field) { return "{\"version\": 1, " + field + "}"; }

}  // namespace

TEST_CASE("profile: what is written reads back") {
  for (unsigned seed = 0; seed < 200; ++seed) {
    HwProfile profile;
    Draw draw(seed);
    visit_fields(profile, draw);
    CHECK(hw_profile_from_json(to_json(profile)) == profile);
  }
}

TEST_CASE("profile: what is not known is null, and may be left out") {
  CHECK(to_json(HwProfile()).find("\"warp_size\": null") != std::string::npos);
  CHECK(hw_profile_from_json("{\"version\": 1}") == HwProfile());
  CHECK(hw_profile_from_json(to_json(HwProfile())) == HwProfile());
}

TEST_CASE("profile: what is none is refused with its place") {
  const auto check = [](const std::string& text, const char* message) {
    CAPTURE(text);
    CHECK_THROWS_WITH_AS(hw_profile_from_json(text), message, ParseError);
  };
  CHECK_THROWS_AS(hw_profile_from_json(""), ParseError);
  CHECK_THROWS_AS(hw_profile_from_json("{\"version\": 1,"), ParseError);
  check(std::string(65, '['), "profile: lists and objects are nested more than 64 levels deep");
  check("[]", "profile: expected an object, found array");
  check("{}", "profile: \"version\" is missing");
  check("{\"version\": \"1\"}", "profile: version: expected a positive integer, found \"1\"");
  check("{\"version\": 2}",
        "profile: version: unsupported version 2; this library reads versions up to 1; use a newer library");
  check(with("\"warp\": null"), "profile: warp: unknown field");
  check(with("\"registers\": {\"per_thread\": null}"), "profile: registers.per_thread: unknown field");
  check(with("\"registers\": null"), "profile: registers: expected an object, found null");
  check(with("\"warp_size\": 32"), "profile: warp_size: expected an object, found number");
  check(with("\"warp_size\": {\"value\": 32}"), "profile: warp_size: \"low\" is missing");
  check(with("\"warp_size\": {\"value\": 0, \"low\": 0, \"high\": 0, \"confident\": true}"),
        "profile: warp_size: a figure must not be 0; write null for an unknown figure");
  check(with("\"warp_size\": {\"value\": -1, \"low\": 0, \"high\": 0, \"confident\": true}"),
        "profile: warp_size.value: expected a non-negative number, found -1");
  check(with("\"warp_size\": {\"value\": 32, \"low\": 33, \"high\": 64, \"confident\": true}"),
        "profile: warp_size: the value 32 is not between 33 and 64");
  check(with("\"warp_size\": {\"value\": 32, \"low\": 32, \"high\": 32, \"confident\": 1}"),
        "profile: warp_size.confident: expected true or false, found number");
  check(with("\"warp_size\": {\"value\": 32, \"low\": 32, \"high\": 32, \"confident\": true, \"unit\": 1}"),
        "profile: warp_size.unit: unknown field");
  check(with("\"autobroadcast_pays\": {\"value\": 1, \"confident\": true}"),
        "profile: autobroadcast_pays.value: expected true or false, found number");
  check(with("\"buffer_caches\": {}"), "profile: buffer_caches: expected a list, found object");
  check(with("\"buffer_caches\": [{\"size\": null}]"), "profile: buffer_caches[0].size: unknown field");
  check(with("\"sub_group_sizes\": [0]"),
        "profile: sub_group_sizes: expected integers from 1 to 1024, found 0");
  const auto occupancy = [](const std::string& list) {
    return with("\"registers\": {\"occupancy\": " + list + "}");
  };
  check(occupancy("{}"), "profile: registers.occupancy: expected a list, found object");
  check(occupancy("[{\"registers\": 32}]"), "profile: registers.occupancy[0]: \"items\" is missing");
  check(occupancy("[{\"registers\": 0, \"items\": 8}]"),
        "profile: registers.occupancy[0].registers: expected an integer from 1 to 65536, found 0");
  check(occupancy("[{\"registers\": 32, \"items\": 8}, {\"registers\": 64, \"items\": 8}]"),
        "profile: registers.occupancy[1]: registers must be more, and items fewer, than in the step before");
  check(with("\"device\": 1"), "profile: device: expected a string, found number");
}

TEST_CASE("profile: the bundled ones read, name their sources, and are written as they are kept") {
  std::vector<std::string> names;
  for (const BundledProfile& bundled : bundled_profiles()) {
    names.emplace_back(bundled.name);
    const HwProfile profile = hw_profile_from_json(bundled.json);
    CHECK_FALSE(profile.sources.empty());
    CHECK_FALSE(profile.device.empty());
    CHECK(hw_profile_from_json(to_json(profile)) == profile);
  }
  CHECK(names == std::vector<std::string>{"adreno630", "adreno640", "mali_g76", "mali_t860", "nvidia_h100",
                                          "pocl_cpu_avx512"});
}

TEST_CASE("profile: schema.json is that of the fields") {
  const std::string path = (source_dir() / "hwprofile/schema.json").string();
  if (std::getenv("TENSORDSL_UPDATE_DOCS")) std::ofstream(path) << profile_schema();
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  CHECK(text.str() == profile_schema());
}

}  // namespace tensordsl::hwprofile
