// Visitor of a struct's fields that writes them as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tensordsl/size_expr.h"
#include "tensordsl/type.h"

namespace tensordsl {

/// Returns a number if it is one, so that a reader without expressions can do without them.
inline nlohmann::ordered_json size_json(const SizeExpr& size) {
  if (size.type() == Int(32) && size.constant()) return *size.constant();
  return to_string(size);
}

inline nlohmann::ordered_json sizes_json(std::span<const SizeExpr> sizes) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const SizeExpr& size : sizes) list.push_back(size_json(size));
  return list;
}

/// Writes structs as JSON. Each struct has one visit_fields(), which calls a method of the visitor for each
/// field: name, value, and the schema's description. FieldReader and FieldSchema have the same methods.
class FieldWriter {
 public:
  nlohmann::ordered_json take() { return std::move(here_); }

  void text(const char* name, const std::string& value, const char* = "") { here_[name] = value; }
  void texts(const char* name, const std::vector<std::string>& values, const char* = "") {
    here_[name] = values;
  }
  void flag(const char* name, bool value, const char* = "") { here_[name] = value; }
  template <typename Integer>
  void number(const char* name, const Integer& value, const char* = "") {
    here_[name] = value;
  }
  template <typename Numbers>
  void numbers(const char* name, const Numbers& values, const char* = "") {
    here_[name] = values;
  }
  /// Visits a number that is one of a few.
  void one_of(const char* name, int value, std::span<const int>) { here_[name] = value; }
  /// Visits a number that is not negative; messages call it `what`.
  template <typename Integer>
  void amount(const char* name, const Integer& value, const char* /*what*/, const char* = "") {
    here_[name] = value;
  }
  template <typename Integer>
  void amounts(const char* name, const std::vector<Integer>& values, const char* /*what*/, const char* = "") {
    here_[name] = values;
  }
  /// Visits an index into the list of the outermost object that has this name; `item` is the name of one
  /// element.
  template <typename Integer>
  void index(const char* name, const Integer& value, const char* /*list*/, const char* /*item*/,
             const char* = "") {
    here_[name] = value;
  }
  void type(const char* name, Type value) { here_[name] = to_string(value); }
  template <typename Enum>
  void word(const char* name, Enum value, std::span<const char* const> words, const char* /*what*/) {
    here_[name] = words[static_cast<std::size_t>(value)];
  }
  void size(const char* name, const SizeExpr& value, const char* = "") { here_[name] = size_json(value); }
  /// Visits a size that kernels compute with: a number in it is an i32.
  void index_size(const char* name, const SizeExpr& value, const char* = "") { size(name, value); }
  /// Visits a size that is written as text, even if it is a number.
  void size_text(const char* name, const SizeExpr& value) { here_[name] = to_string(value); }
  /// Sizes that are i32.
  void extents(const char* name, const std::vector<SizeExpr>& values, const char* = "") {
    here_[name] = sizes_json(values);
  }
  void three_sizes(const char* name, std::span<const SizeExpr, 3> values, const char* = "") {
    here_[name] = sizes_json(values);
  }
  void three_size_texts(const char* name, std::span<const SizeExpr, 3> values) {
    here_[name] = nlohmann::ordered_json::array();
    for (const SizeExpr& value : values) here_[name].push_back(to_string(value));
  }
  /// Visits text that denotes another value.
  template <typename ToText, typename FromText>
  void text_of(const char* name, ToText to_text, FromText, const char* = "") {
    here_[name] = to_text();
  }
  /// JSON that another module writes, reads and describes.
  template <typename ToJson, typename FromJson>
  void json(const char* name, ToJson to_json, FromJson, const char* /*definition*/, const char* = "") {
    here_[name] = to_json();
  }
  /// Begins an object; returns true if it exists.
  template <typename T>
  bool part(const char* name, const T& value, const char* = "") {
    here_[name] = written(value);
    return true;
  }
  template <typename T>
  void list(const char* name, const std::vector<T>& values, const char* = "") {
    here_[name] = nlohmann::ordered_json::array();
    for (const T& value : values) here_[name].push_back(written(value));
  }
  /// Visits a list that is present only if it has elements, and since a version; messages call its elements
  /// `what`.
  template <typename T>
  void list_since(int /*version*/, const char* /*what*/, const char* name, const std::vector<T>& values,
                  const char* = "") {
    if (!values.empty()) list(name, values);
  }
  /// Fields that may be absent; these are written if `is_there`.
  template <typename F>
  void optional(bool is_there, F visit) {
    if (is_there) visit();
  }
  /// Writes fields that exist if, and only if, the condition on the fields before them holds.
  template <typename F>
  void only_if(bool holds, F visit) {
    if (holds) visit();
  }
  /// Fields for other readers, which are not read.
  template <typename F>
  void written_only(F visit) {
    visit();
  }

 protected:
  template <typename T>
  static nlohmann::ordered_json written(const T& value) {
    FieldWriter writer;
    visit_fields(value, writer);
    return writer.take();
  }

  nlohmann::ordered_json here_ = nlohmann::ordered_json::object();
};

}  // namespace tensordsl
