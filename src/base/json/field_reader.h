// Visitor of a struct's fields that reads them from JSON.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "base/json_integer.h"
#include "tensordsl/error.h"
#include "tensordsl/size_expr.h"
#include "tensordsl/type.h"

namespace tensordsl {

/// Reads FieldWriter's JSON. Throws ParseError, and nlohmann's exceptions, for fields that are missing or of
/// another type.
class FieldReader {
 public:
  /// Reads an object that messages call `what`; `version` decides which lists there may be. `root` must
  /// outlive it.
  FieldReader(const char* what, int version, const nlohmann::ordered_json& root)
      : what_(what), version_(version), root_(root), here_(root) {}

  void text(const char* name, std::string& value, const char* = "") {
    if (const auto* j = member(name)) j->get_to(value);
  }
  void texts(const char* name, std::vector<std::string>& values, const char* = "") {
    if (const auto* j = member(name)) j->get_to(values);
  }
  void flag(const char* name, bool& value, const char* = "") {
    if (const auto* j = member(name)) j->get_to(value);
  }
  template <typename Integer>
  void number(const char* name, Integer& value, const char* = "") {
    if (const auto* j = member(name)) value = integer_of<Integer>(*j);
  }
  void numbers(const char* name, std::vector<int>& values, const char* = "") {
    if (const auto* j = member(name))
      for (const auto& value : *j) values.push_back(integer_of<int>(value));
  }
  void numbers(const char* name, std::array<int, 3>& values, const char* = "") {
    if (const auto* j = member(name)) {
      if (j->size() != values.size()) fail("a work-group needs three sizes");
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = integer_of<int>((*j)[i]);
    }
  }
  void one_of(const char* name, int& value, std::span<const int>) { number(name, value); }
  template <typename Integer>
  void amount(const char* name, Integer& value, const char* what, const char* = "") {
    if (const auto* j = member(name)) value = static_cast<Integer>(amount_of(*j, what));
  }
  template <typename Integer>
  void amounts(const char* name, std::vector<Integer>& values, const char* what, const char* = "") {
    if (const auto* j = member(name))
      for (const auto& value : *j) values.push_back(static_cast<Integer>(amount_of(value, what)));
  }
  template <typename Integer>
  void index(const char* name, Integer& value, const char* list, const char* item, const char* = "") {
    const auto* j = member(name);
    if (!j) return;
    const auto number = integer_of<std::int64_t>(*j);
    const std::size_t count = root_.at(list).size();
    if (number < 0 || number >= static_cast<std::int64_t>(count))
      fail(fmt::format("{} {} is out of range; there are {}", item, number, count));
    value = static_cast<Integer>(number);
  }
  void type(const char* name, Type& value) {
    const auto* j = member(name);
    if (!j) return;
    const auto known = parse_type(j->get<std::string>());
    if (!known) fail("unknown type " + word_of(*j));
    value = *known;
  }
  template <typename Enum>
  void word(const char* name, Enum& value, std::span<const char* const> words, const char* what) {
    if (const auto* j = member(name)) value = static_cast<Enum>(place_of(*j, words, what));
  }
  void size(const char* name, SizeExpr& value, const char* = "") {
    if (const auto* j = member(name)) value = size_of(*j);
  }
  void index_size(const char* name, SizeExpr& value, const char* = "") {
    if (const auto* j = member(name)) value = index_size_of(*j);
  }
  void size_text(const char* name, SizeExpr& value) {
    if (const auto* j = member(name)) value = SizeExpr::parse(j->get<std::string>());
  }
  void extents(const char* name, std::vector<SizeExpr>& values, const char* = "") {
    const auto* j = member(name);
    if (!j) return;
    for (const auto& extent : *j) {
      values.push_back(index_size_of(extent));
      if (values.back().type() != Int(32)) fail("an extent must be of type i32: " + word_of(extent));
    }
  }
  void three_sizes(const char* name, std::span<SizeExpr, 3> values, const char* = "") {
    for_three(name, values, [&](const auto& j) { return size_of(j); });
  }
  void three_size_texts(const char* name, std::span<SizeExpr, 3> values) {
    for_three(name, values, [](const auto& j) { return SizeExpr::parse(j.template get<std::string>()); });
  }
  template <typename ToText, typename FromText>
  void text_of(const char* name, ToText, FromText from_text, const char* = "") {
    if (const auto* j = member(name)) from_text(j->get<std::string>());
  }
  template <typename ToJson, typename FromJson>
  void json(const char* name, ToJson, FromJson from_json, const char*, const char* = "") {
    if (const auto* j = member(name)) from_json(*j);
  }
  template <typename T>
  bool part(const char* name, T& value, const char* = "") {
    const auto* j = member(name);
    if (j) read(*j, value);
    return j != nullptr;
  }
  template <typename T>
  void list(const char* name, std::vector<T>& values, const char* = "") {
    const auto* j = member(name);
    if (!j) return;
    // The vector is allocated at once: a growing one is more code for each type.
    values = std::vector<T>(j->size());
    auto value = values.begin();
    for (const auto& item : *j) read(item, *value++);
  }
  template <typename T>
  void list_since(int version, const char* what, const char* name, std::vector<T>& values, const char* = "") {
    if (version_ < version && here_.contains(name)) fail(fmt::format("version {} has no {}", version_, what));
    optional(true, [&] { list(name, values); });
  }
  template <typename F>
  void optional(bool, F visit) {
    is_optional_ = true;
    visit();
    is_optional_ = false;
  }
  template <typename F>
  void only_if(bool holds, F visit) {
    if (holds) visit();
  }
  template <typename F>
  void written_only(F) {}

  [[noreturn]] void fail(const std::string& finding) const {
    throw ParseError(fmt::format("{}: {}", what_, finding));
  }

 protected:
  const nlohmann::ordered_json& here() const { return here_; }

 private:
  FieldReader(const FieldReader& outer, const nlohmann::ordered_json& here)
      : what_(outer.what_), version_(outer.version_), root_(outer.root_), here_(here) {}

  /// Returns the member, or null if it is absent and optional. Throws on an absent member that is required.
  const nlohmann::ordered_json* member(const char* name) const {
    if (is_optional_ && !here_.contains(name)) return nullptr;
    return &here_.at(name);
  }

  template <typename T>
  void read(const nlohmann::ordered_json& j, T& value) const {
    FieldReader inner(*this, j);
    visit_fields(value, inner);
  }

  std::size_t place_of(const nlohmann::ordered_json& j, std::span<const char* const> words,
                       const char* what) const {
    const auto text = j.get<std::string>();
    const auto found = std::ranges::find_if(words, [&](const char* word) { return text == word; });
    if (found == words.end()) fail(fmt::format("unknown {} {}", what, word_of(j)));
    return static_cast<std::size_t>(found - words.begin());
  }

  std::int64_t amount_of(const nlohmann::ordered_json& j, const char* what) const {
    const auto value = integer_of<std::int64_t>(j);
    if (value < 0) fail(fmt::format("{} is negative: {}", what, value));
    return value;
  }

  static SizeExpr size_of(const nlohmann::ordered_json& j) {
    if (j.is_number_integer()) return integer_of<std::int64_t>(j);
    return SizeExpr::parse(j.get<std::string>());
  }
  static SizeExpr index_size_of(const nlohmann::ordered_json& j) {
    return j.is_number_integer() ? SizeExpr(integer_of<int>(j)) : size_of(j);
  }

  template <typename Read>
  void for_three(const char* name, std::span<SizeExpr, 3> values, Read read) const {
    const auto* j = member(name);
    if (!j) return;
    if (j->size() != 3) fail("a launch needs three group counts");
    for (std::size_t d = 0; d < 3; ++d) values[d] = read((*j)[d]);
  }

  const char* what_;
  int version_;
  const nlohmann::ordered_json& root_;
  const nlohmann::ordered_json& here_;
  bool is_optional_ = false;
};

}  // namespace tensordsl
