#include "ops/operator_cases.h"
#include "support/source_dir.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace tensordsl::testing {

using nlohmann::json;

Buffer to_buffer(const json& tensor) {
  Buffer buffer(parse_type(tensor.at("type").get<std::string>()).value(),
                tensor.at("shape").get<std::vector<std::int64_t>>());
  std::int64_t i = 0;
  for (const json& value : tensor.at("values")) {
    if (value.is_null()) {
      buffer.set(i++, std::numeric_limits<double>::quiet_NaN());
    } else if (value.is_number_integer() && !buffer.type().is_float()) {
      buffer.set_int(i++, value.get<std::int64_t>());
    } else {
      buffer.set(i++, value.get<double>());
    }
  }
  if (i != buffer.elements()) throw std::runtime_error("a fixture has too few values");
  return buffer;
}

namespace {

ops::Attributes to_attributes(const json& object) {
  ops::Attributes attributes;
  for (const auto& [name, value] : object.items()) {
    if (value.is_string()) attributes.set(name, value.get<std::string>());
    if (value.is_number_integer()) attributes.set(name, value.get<std::int64_t>());
    if (value.is_number_float()) attributes.set(name, value.get<double>());
    if (!value.is_array()) continue;
    const bool has_fractions =
        std::ranges::any_of(value, [](const json& element) { return element.is_number_float(); });
    if (has_fractions) {
      attributes.set(name, value.get<std::vector<double>>());
    } else {
      attributes.set(name, value.get<std::vector<std::int64_t>>());
    }
  }
  return attributes;
}

}  // namespace

std::vector<OperatorCase> operator_cases() {
  std::ifstream file(source_dir() / "tests/ops/fixtures/operators.json");
  std::vector<OperatorCase> cases;
  for (const json& entry : json::parse(file)) {
    OperatorCase one{entry.at("name"), entry.at("op"), to_attributes(entry.at("attributes")), {}, {}};
    for (const json& input : entry.at("inputs")) one.inputs.push_back(to_buffer(input));
    one.expected = to_buffer(entry.at("expected"));
    cases.push_back(std::move(one));
  }
  return cases;
}

double relative_error(const OperatorCase& one, const Buffer& found) {
  double difference = 0, magnitude = std::numeric_limits<double>::min();
  for (std::int64_t i = 0; i < one.expected.elements(); ++i) {
    if (std::isnan(found.get(i)) && std::isnan(one.expected.get(i))) continue;
    const double error = std::abs(found.get(i) - one.expected.get(i));
    if (std::isnan(error)) return error;
    difference = std::max(difference, error);
    magnitude = std::max(magnitude, std::abs(one.expected.get(i)));
  }
  return difference / magnitude;
}

double tolerance(const OperatorCase& one) {
  const Type type = one.expected.type();
  return !type.is_float() ? 0 : type.bits == 16 ? 1e-3 : type.bits == 64 ? 1e-13 : 1e-5;
}

}  // namespace tensordsl::testing
