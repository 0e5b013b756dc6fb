// The part of JSON Schema that the project's schemas use.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace tensordsl {

/// Describes the part of `value` that does not match `schema`, with its position; empty if all does. `$ref`
/// is looked up in `root`. Throws std::runtime_error on an unsupported keyword.
inline std::string schema_mismatch(const nlohmann::ordered_json& root, const nlohmann::ordered_json& schema,
                                   const nlohmann::ordered_json& value, const std::string& place) {
  const auto is = [&](const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "integer") return value.is_number_integer();
    if (type == "boolean") return value.is_boolean();
    throw std::runtime_error("unknown type " + type);
  };
  std::string found;
  const auto note = [&](const std::string& what) {
    if (found.empty()) found = what;
  };
  for (const auto& [keyword, rule] : schema.items()) {
    if (keyword == "$ref") {
      note(schema_mismatch(root,
                           root.at(nlohmann::ordered_json::json_pointer(rule.get<std::string>().substr(1))),
                           value, place));
    } else if (keyword == "type") {
      if (!is(rule)) note(fmt::format("{}: {} is no {}", place, value.dump(), rule.get<std::string>()));
    } else if (keyword == "minimum") {
      if (value.is_number() && value < rule)
        note(fmt::format("{}: {} is less than {}", place, value.dump(), rule.dump()));
    } else if (keyword == "const") {
      if (value != rule) note(fmt::format("{}: {} is not {}", place, value.dump(), rule.dump()));
    } else if (keyword == "enum") {
      if (std::find(rule.begin(), rule.end(), value) == rule.end())
        note(fmt::format("{}: {} is none of {}", place, value.dump(), rule.dump()));
    } else if (keyword == "anyOf") {
      const bool fits = std::any_of(rule.begin(), rule.end(), [&](const auto& one) {
        return schema_mismatch(root, one, value, place).empty();
      });
      if (!fits) note(fmt::format("{}: {} fits nothing", place, value.dump()));
    } else if (keyword == "required") {
      for (const auto& name : rule) {
        if (value.is_object() && !value.contains(name.get<std::string>()))
          note(fmt::format("{}: {} is missing", place, name.get<std::string>()));
      }
    } else if (keyword == "properties") {
      for (const auto& [name, of] : rule.items()) {
        if (value.is_object() && value.contains(name))
          note(schema_mismatch(root, of, value[name], fmt::format("{}/{}", place, name)));
      }
    } else if (keyword == "additionalProperties") {
      for (const auto& [name, of] : value.items()) {
        if (value.is_object() && !schema["properties"].contains(name))
          note(fmt::format("{}: {} is unknown", place, name));
      }
    } else if (keyword == "items") {
      for (std::size_t i = 0; value.is_array() && i < value.size(); ++i)
        note(schema_mismatch(root, rule, value[i], fmt::format("{}/{}", place, i)));
    } else if (keyword != "$schema" && keyword != "$defs" && keyword != "title" && keyword != "description") {
      throw std::runtime_error("unknown keyword " + keyword);
    }
  }
  return found;
}

}  // namespace tensordsl
