#include "fuzz/settings.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "support/error_text.h"

using namespace tensordsl;
using namespace tensordsl::fuzz;

namespace {

Settings settings_of(const std::map<std::string, std::string>& environment) {
  return read_settings([&](const char* name) {
    const auto it = environment.find(name);
    return it == environment.end() ? nullptr : it->second.c_str();
  });
}

}  // namespace

TEST_CASE("fuzz settings: without variables the usual cases are run") {
  const Settings s = settings_of({});
  CHECK(s.are_usual_cases());
  CHECK_FALSE(s.seed);
  CHECK_FALSE(s.prints_refusals);
}

TEST_CASE("fuzz settings: each variable has its place") {
  const Settings s = settings_of({{"TENSORDSL_FUZZ_CASES", "10"},
                                  {"TENSORDSL_FUZZ_FIRST", "2000000"},
                                  {"TENSORDSL_FUZZ_EXTENT", "29"},
                                  {"TENSORDSL_FUZZ_DEVICE_CASES", "1000"},
                                  {"TENSORDSL_FUZZ_HOST_CASES", "20000"},
                                  {"TENSORDSL_FUZZ_BATCH", "1"},
                                  {"TENSORDSL_FUZZ_REFUSALS", "1"}});
  CHECK(s.cases == 10);
  CHECK(s.first == 2000000);
  CHECK_FALSE(s.seed);
  CHECK(s.extent == 29);
  CHECK(s.device_cases == 1000);
  CHECK(s.host_cases == 20000);
  CHECK(s.kernels_of_program == 1);
  CHECK(s.prints_refusals);
  CHECK_FALSE(s.are_usual_cases());
  CHECK_FALSE(settings_of({{"TENSORDSL_FUZZ_FIRST", "1"}}).are_usual_cases());
}

TEST_CASE("fuzz settings: a seed is the only case, on the devices too") {
  const Settings s = settings_of({{"TENSORDSL_FUZZ_SEED", "4711"}, {"TENSORDSL_FUZZ_DEVICE_CASES", "1000"}});
  CHECK(s.seed == 4711);
  CHECK(s.first == 4711);
  CHECK(s.cases == 1);
  CHECK(s.device_cases == 1);
  CHECK(s.host_cases == 1);
  CHECK_FALSE(s.are_usual_cases());
}

TEST_CASE("fuzz settings: a bad value is refused with the values that it can have") {
  const auto refusal = [](const std::string& name, const std::string& value) {
    return error_of([&] { settings_of({{name, value}}); });
  };
  CHECK(refusal("TENSORDSL_FUZZ_EXTENT", "0") ==
        "TENSORDSL_FUZZ_EXTENT=\"0\": give it a whole number from 1 to 64");
  CHECK(refusal("TENSORDSL_FUZZ_EXTENT", "large") ==
        "TENSORDSL_FUZZ_EXTENT=\"large\": give it a whole number from 1 to 64");
  CHECK(refusal("TENSORDSL_FUZZ_FIRST", "-1") ==
        "TENSORDSL_FUZZ_FIRST=\"-1\": give it a whole number from 0 to 67108863");
  CHECK(refusal("TENSORDSL_FUZZ_FIRST", "3e5") ==
        "TENSORDSL_FUZZ_FIRST=\"3e5\": give it a whole number from 0 to 67108863");
  CHECK(refusal("TENSORDSL_FUZZ_BATCH", "") ==
        "TENSORDSL_FUZZ_BATCH=\"\": give it a whole number from 1 to 67108863");
  CHECK(refusal("TENSORDSL_FUZZ_CASES", "99999999999") ==
        "TENSORDSL_FUZZ_CASES=\"99999999999\": give it a whole number from 0 to 67108863");
}
