// Visitor of a struct's fields that describes them as JSON Schema.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tensordsl/size_expr.h"
#include "tensordsl/type.h"

namespace tensordsl {

/// Describes FieldWriter's JSON, over the definitions "size" and "type".
class FieldSchema {
 public:
  using Json = nlohmann::ordered_json;

  /// Returns the schema of an object with these fields.
  Json take(const char* about = "") {
    return described({{"type", "object"},
                      {"properties", std::move(properties_)},
                      {"required", std::move(required_)},
                      {"additionalProperties", false}},
                     about);
  }

  void text(const char* name, const std::string&, const char* about = "") {
    add(name, {{"type", "string"}}, about);
  }
  void texts(const char* name, const std::vector<std::string>&, const char* about = "") {
    add(name, list_of({{"type", "string"}}), about);
  }
  void flag(const char* name, bool, const char* about = "") { add(name, {{"type", "boolean"}}, about); }
  template <typename Integer>
  void number(const char* name, const Integer&, const char* about = "") {
    add(name, {{"type", "integer"}}, about);
  }
  template <typename Numbers>
  void numbers(const char* name, const Numbers&, const char* about = "") {
    add(name, list_of({{"type", "integer"}}), about);
  }
  void one_of(const char* name, int, std::span<const int> numbers) {
    add(name, {{"enum", std::vector<int>(numbers.begin(), numbers.end())}}, "");
  }
  template <typename Integer>
  void amount(const char* name, const Integer&, const char*, const char* about = "") {
    add(name, {{"type", "integer"}, {"minimum", 0}}, about);
  }
  template <typename Integer>
  void amounts(const char* name, const std::vector<Integer>&, const char*, const char* about = "") {
    add(name, list_of({{"type", "integer"}, {"minimum", 0}}), about);
  }
  template <typename Integer>
  void index(const char* name, const Integer&, const char* list, const char*, const char* about = "") {
    const std::string place = std::string("Index into ") + list + ".";
    add(name, {{"type", "integer"}, {"minimum", 0}}, *about ? place + " " + about : place);
  }
  void type(const char* name, Type) { add(name, reference("type"), ""); }
  template <typename Enum>
  void word(const char* name, Enum, std::span<const char* const> words, const char*) {
    add(name, {{"enum", std::vector<std::string>(words.begin(), words.end())}}, "");
  }
  void size(const char* name, const SizeExpr&, const char* about = "") {
    add(name, reference("size"), about);
  }
  void index_size(const char* name, const SizeExpr&, const char* about = "") {
    add(name, reference("size"), about);
  }
  void size_text(const char* name, const SizeExpr&) { add(name, {{"type", "string"}}, ""); }
  void extents(const char* name, const std::vector<SizeExpr>&, const char* about = "") {
    add(name, list_of(reference("size")), about);
  }
  void three_sizes(const char* name, std::span<const SizeExpr, 3>, const char* about = "") {
    add(name, list_of(reference("size")), about);
  }
  void three_size_texts(const char* name, std::span<const SizeExpr, 3>) {
    add(name, list_of({{"type", "string"}}), "");
  }
  template <typename ToText, typename FromText>
  void text_of(const char* name, ToText, FromText, const char* about = "") {
    add(name, {{"type", "string"}}, about);
  }
  template <typename ToJson, typename FromJson>
  void json(const char* name, ToJson, FromJson, const char* definition, const char* about = "") {
    add(name, list_of(reference(definition)), about);
  }
  template <typename T>
  bool part(const char* name, const T&, const char* about = "") {
    add(name, schema_of<T>(), about);
    return false;
  }
  template <typename T>
  void list(const char* name, const std::vector<T>&, const char* about = "") {
    add(name, list_of(schema_of<T>()), about);
  }
  template <typename T>
  void list_since(int, const char*, const char* name, const std::vector<T>& values, const char* about = "") {
    optional(true, [&] { list(name, values, about); });
  }
  template <typename F>
  void optional(bool, F visit) {
    is_required_ = false;
    visit();
    is_required_ = true;
  }
  template <typename F>
  void only_if(bool, F visit) {
    optional(true, visit);
  }
  template <typename F>
  void written_only(F visit) {
    visit();
  }

 protected:
  template <typename T>
  static Json schema_of() {
    T value{};
    FieldSchema schema;
    visit_fields(value, schema);
    return schema.take();
  }

  static Json reference(const std::string& definition) { return {{"$ref", "#/$defs/" + definition}}; }
  static Json list_of(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }

  static Json described(Json schema, const std::string& about) {
    if (about.empty()) return schema;
    Json result{{"description", about}};
    result.update(schema);
    return result;
  }

  void add(const char* name, Json schema, const std::string& about) {
    properties_[name] = described(std::move(schema), about);
    if (is_required_) required_.push_back(name);
  }

  Json properties_ = Json::object(), required_ = Json::array();
  bool is_required_ = true;
};

}  // namespace tensordsl
