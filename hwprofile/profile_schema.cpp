#include "hwprofile/profile_schema.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/json_text.h"
#include "hwprofile/profile_fields.h"

namespace tensordsl::hwprofile {
namespace {

using json = nlohmann::ordered_json;

json object_of(json properties) {
  return {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
}

json or_null(const char* definition) { return {{"anyOf", {{{"$ref", definition}}, {{"type", "null"}}}}}; }

class SchemaWriter {
 public:
  json take() { return std::move(here_); }

  void text(const char* name, const std::string&) { here_[name] = {{"type", "string"}}; }
  void texts(const char* name, const std::vector<std::string>&) {
    here_[name] = {{"type", "array"}, {"items", {{"type", "string"}}}};
  }
  void numbers(const char* name, const std::vector<int>&) {
    here_[name] = {{"type", "array"}, {"items", {{"type", "integer"}, {"minimum", 1}, {"maximum", 1024}}}};
  }
  void steps(const char* name, const std::vector<OccupancyStep>&) {
    const json count{{"type", "integer"}, {"minimum", 1}, {"maximum", 65536}};
    json step = object_of({{"registers", count}, {"items", count}});
    step["required"] = {"registers", "items"};
    here_[name] = {{"type", "array"}, {"items", std::move(step)}};
  }
  void field(const char* name, const char* unit, const std::optional<Measurement>&) {
    here_[name] = or_null("#/$defs/figure");
    if (*unit) here_[name]["description"] = unit;
  }
  void field(const char* name, const char*, const std::optional<BoolMeasurement>&) {
    here_[name] = or_null("#/$defs/finding");
  }
  template <typename F>
  void group(const char* name, F visit) {
    json outer = std::exchange(here_, json::object());
    visit();
    outer[name] = object_of(std::move(here_));
    here_ = std::move(outer);
  }
  void levels(const char* name, const std::vector<CacheLevel>&) {
    SchemaWriter level;
    const CacheLevel any;
    visit_fields_of_level(any, level);
    here_[name] = {{"type", "array"}, {"items", object_of(level.take())}};
  }

 private:
  json here_ = json::object();
};

}  // namespace

std::string profile_schema() {
  SchemaWriter writer;
  const HwProfile any;
  visit_fields(any, writer);
  json properties{{"version", {{"const", 1}}}};
  properties.update(writer.take());
  json schema = object_of(std::move(properties));
  schema["required"] = {"version"};
  const json positive{{"type", "number"}, {"exclusiveMinimum", 0}}, bound{{"type", "number"}, {"minimum", 0}},
      yes_or_no{{"type", "boolean"}};
  json figure = object_of({{"value", positive}, {"low", bound}, {"high", bound}, {"confident", yes_or_no}});
  figure["required"] = {"value", "low", "high", "confident"};
  json finding = object_of({{"value", yes_or_no}, {"confident", yes_or_no}});
  finding["required"] = {"value", "confident"};
  json result{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
              {"title", "tensordsl hardware profile"},
              {"description", "Measured properties of a device. An unknown figure is null."}};
  result.update(schema);
  result["$defs"] = {{"figure", figure}, {"finding", finding}};
  return dump_json(result, 2) + "\n";
}

}  // namespace tensordsl::hwprofile
