#include "records/record_json.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json_problem.h"
#include "base/json_text.h"
#include "tensordsl/error.h"

namespace tensordsl::records {
namespace {

using nlohmann::ordered_json;

constexpr int kExportVersion = 2;
constexpr std::size_t kStructureDigits = 64;

ordered_json device_json(const DeviceKey& device) {
  return {{"device", device.device}, {"driver", device.driver}, {"library", device.library}};
}

/// `device`: the index in the list of devices. `has_label`: true to write the operators.
ordered_json record_json(const TuningRecord& record, std::size_t device, bool has_label) {
  ordered_json json{{"device", device}};
  if (has_label) json["operators"] = record.operators;
  json.update({{"structure", record.kernel.structure},
               {"family", record.kernel.family},
               {"sizes", record.kernel.sizes},
               {"strategy", record.strategy},
               {"point", record.point}});
  if (record.us) {
    json["us"] = *record.us;
  } else {
    json["failure"] = record.failure;
  }
  return json;
}

/// Writes JSON; texts of drivers may be in any encoding.
std::string text_of(const ordered_json& json) { return dump_json(json, -1, InvalidUtf8::Replace); }

bool is_hash(const std::string& text) {
  return text.size() == kStructureDigits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

TuningRecord record_of_json(const ordered_json& json, const std::vector<DeviceKey>& devices) {
  TuningRecord record;
  const ordered_json& device = json.at("device");
  if (!device.is_number_unsigned() || device >= devices.size())
    throw ParseError(fmt::format("device {} is out of range; there are {}", text_of(device), devices.size()));
  record.device = devices[device.get<std::size_t>()];
  record.operators = json.value("operators", std::string());
  record.kernel.structure = json.at("structure").get<std::string>();
  record.kernel.family = json.at("family").get<std::string>();
  if (!is_hash(record.kernel.structure) || !is_hash(record.kernel.family))
    throw ParseError("structure and family must be 64 hexadecimal digits each");
  for (const ordered_json& size : json.at("sizes")) {
    if (!size.is_number_unsigned() || size > INT64_MAX)
      throw ParseError(fmt::format("invalid size {}; sizes must be non-negative integers", text_of(size)));
    record.kernel.sizes.push_back(size.get<std::int64_t>());
  }
  record.strategy = json.at("strategy").get<std::string>();
  record.point = json.at("point").get<std::string>();
  if (json.contains("us") && json.contains("failure"))
    throw ParseError("a record must have either a time or a failure, not both");
  if (json.contains("us")) {
    record.us = json.at("us").get<double>();
    if (!(*record.us > 0) || !std::isfinite(*record.us))
      throw ParseError(fmt::format("the time us is {}; it must be positive", *record.us));
  } else {
    record.failure = json.at("failure").get<std::string>();
  }
  return record;
}

/// Parses JSON. Throws ParseError if lists and objects are too deep, and the exceptions of nlohmann's parser.
ordered_json records_json_of(std::string_view text) {
  try {
    return parse_json(text);
  } catch (const ParseError& error) {
    throw ParseError(fmt::format("not tuning records: {}", error.what()));
  }
}

}  // namespace

std::string to_json(const std::vector<TuningRecord>& records, const std::vector<std::string>& device_parts) {
  std::vector<DeviceKey> devices;
  std::string lines;
  for (const TuningRecord& record : records) {
    const auto known = std::ranges::find(devices, record.device);
    const auto place = static_cast<std::size_t>(known - devices.begin());
    if (known == devices.end()) devices.push_back(record.device);
    lines += fmt::format("{}\n    {}", lines.empty() ? "" : ",",
                         text_of(record_json(record, place, device_parts.empty())));
  }
  std::string device_lines;
  for (const DeviceKey& device : devices)
    device_lines += fmt::format("{}\n    {}", device_lines.empty() ? "" : ",", text_of(device_json(device)));
  const std::string parts =
      device_parts.empty() ? "" : fmt::format("\n  \"for\": {},", text_of(ordered_json(device_parts)));
  return fmt::format("{{\n  \"version\": {},{}\n  \"devices\": [{}\n  ],\n  \"records\": [{}\n  ]\n}}\n",
                     kExportVersion, parts, device_lines, lines);
}

std::vector<TuningRecord> records_from_json(std::string_view text) {
  std::size_t place = 0;
  bool is_in_records = false;
  try {
    const ordered_json json = records_json_of(text);
    if (!json.is_object()) throw ParseError("not tuning records: expected an object");
    if (const ordered_json& version = json.at("version"); version != kExportVersion) {
      throw ParseError(fmt::format(
          "unsupported version {} of tuning records; this build supports version {}{}", text_of(version),
          kExportVersion, version == 1 ? "; version 1 names kernels differently, so tune them again" : ""));
    }
    std::vector<DeviceKey> devices;
    for (const ordered_json& device : json.at("devices")) {
      devices.push_back({device.at("device").get<std::string>(), device.at("driver").get<std::string>(),
                         device.at("library").get<std::string>()});
    }
    std::vector<TuningRecord> records;
    const ordered_json& list = json.at("records");
    if (!list.is_array()) throw ParseError("not tuning records: \"records\" must be a list");
    is_in_records = true;
    for (const ordered_json& record : list) {
      records.push_back(record_of_json(record, devices));
      ++place;
    }
    return records;
  } catch (const nlohmann::json::exception& error) {
    const std::string where =
        is_in_records ? fmt::format("record {} is not a valid tuning record", place) : "not tuning records";
    throw ParseError(fmt::format("{}: {}", where, json_problem(error.what())));
  } catch (const ParseError& error) {
    if (!is_in_records) throw;
    throw ParseError(fmt::format("record {} is not a valid tuning record: {}", place, error.what()));
  }
}

}  // namespace tensordsl::records
