// Records as text: written text is read again, and anything else is refused with a reason.
#include "records/record_json.h"

#include <doctest/doctest.h>

#include <random>

#include "records/some_records.h"
#include "tensordsl/error.h"

namespace tensordsl::records {
namespace {

std::string error_of(const std::string& json) {
  try {
    records_from_json(json);
  } catch (const ParseError& error) {
    return error.what();
  }
  return "";
}

std::vector<TuningRecord> some_records() {
  TuningRecord other = timed("f32[4]", "lanes=4", 2.5);
  other.device = {"Intel \"OpenCL\"", "2023\n", "0.1.0"};
  return {timed("f32[3]", "lanes=16 pixels=7", 12.25), failed("f32[3]", "lanes=1", "does not build: \xff\n"),
          other};
}

}  // namespace

TEST_CASE("records as JSON: they come back as they were, but for features") {
  std::vector<TuningRecord> records = some_records();
  records[1].failure = "does not build";
  const std::vector<TuningRecord> again = records_from_json(to_json(records));
  for (TuningRecord& record : records) record.features.clear();
  CHECK(again == records);
  CHECK(records_from_json(to_json({})).empty());
}

TEST_CASE("records as JSON: bytes of a driver that are no text do not stop the export") {
  CHECK(records_from_json(to_json(some_records())).size() == 3);
}

TEST_CASE("records as JSON: a line is a record, so that they can be compared by line") {
  const std::string json = to_json({timed("f32[3]", "lanes=16", 12.5)});
  CHECK(json.find("\n    {\"device\":0,\"operators\":\"Conv+Relu\",") != std::string::npos);
}

TEST_CASE("records as JSON: those for a kind of device say which, and have no label") {
  const std::string json = to_json({timed("f32[3]", "lanes=16", 12.5)}, {"NVIDIA H100"});
  CHECK(json.find("\"for\": [\"NVIDIA H100\"]") != std::string::npos);
  CHECK(json.find("operators") == std::string::npos);
  const std::vector<TuningRecord> again = records_from_json(json);
  REQUIRE(again.size() == 1);
  CHECK(again[0].operators.empty());
  CHECK(again[0].us == 12.5);
}

TEST_CASE("records as JSON: what is wrong is told, and where") {
  const std::string right = to_json({timed("f32[3]", "lanes=16", 12.5)});
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string json = right;
    json.replace(json.find(from), from.size(), to);
    return error_of(json);
  };
  CHECK(with("\"version\": 2", "\"version\": 3") ==
        "unsupported version 3 of tuning records; this build supports version 2");
  CHECK(with("\"version\": 2", "\"version\": 1") ==
        "unsupported version 1 of tuning records; this build supports version 2; version 1 names kernels "
        "differently, so tune them again");
  CHECK(with("\"us\":12.5", "\"us\":-1") ==
        "record 0 is not a valid tuning record: the time us is -1; it must be positive");
  CHECK(with("\"us\":12.5", "\"ms\":1") == "record 0 is not a valid tuning record: key 'failure' not found");
  CHECK(with("\"device\":0", "\"device\":7") ==
        "record 0 is not a valid tuning record: device 7 is out of range; there are 1");
  CHECK(with("\"device\":0", "\"device\":-1") ==
        "record 0 is not a valid tuning record: device -1 is out of range; there are 1");
  CHECK(with("\"device\":0", "\"device\":0.5") ==
        "record 0 is not a valid tuning record: device 0.5 is out of range; there are 1");
  CHECK(with("\"version\": 2", "\"version\": 4294967297").find("unsupported version 4294967297 of") !=
        std::string::npos);
  CHECK(with("\"sizes\":[", "\"sizes\":[-3,") ==
        "record 0 is not a valid tuning record: invalid size -3; sizes must be non-negative integers");
  CHECK(with("\"sizes\":[", "\"sizes\":[1e30,").find("invalid size") != std::string::npos);
  CHECK(with("\"structure\":\"", "\"structure\":\"xyz").find("64 hexadecimal digits") != std::string::npos);
  CHECK(error_of("") != "");
  CHECK(with("\"us\":12.5", "\"us\":12.5,\"failure\":\"\"") ==
        "record 0 is not a valid tuning record: a record must have either a time or a failure, not both");
  CHECK(error_of(std::string(65, '[')) ==
        "not tuning records: lists and objects are nested more than 64 levels deep");
  CHECK(error_of("[]") == "not tuning records: expected an object");
  CHECK(error_of(R"({"version": 2, "devices": [], "records": null})") ==
        "not tuning records: \"records\" must be a list");
  CHECK(error_of(R"({"version": 2, "devices": []})") == "not tuning records: key 'records' not found");
}

TEST_CASE("records as JSON: no change of a byte does more than give an error") {
  const std::string right = to_json(some_records());
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    std::string json = right;
    json[random() % json.size()] = static_cast<char>(random() % 256);
    if (random() % 4 == 0) json.resize(random() % json.size());
    error_of(json);
  }
}

}  // namespace tensordsl::records
