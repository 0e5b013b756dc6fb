// The attributes of a node: named constants of a few types.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ops/size.h"
#include "tensordsl/buffer.h"

namespace tensordsl::ops {

class Attributes {
 public:
  using Value = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>,
                             std::vector<double>, Sizes, std::vector<std::string>, Buffer>;

  bool has(std::string_view name) const { return values_.find(name) != values_.end(); }
  void set(const std::string& name, Value value) { values_.insert_or_assign(name, std::move(value)); }
  void erase(std::string_view name);
  bool empty() const { return values_.empty(); }
  /// Returns the values by name, in alphabetical order.
  const std::map<std::string, Value, std::less<>>& values() const { return values_; }

  /// The value of `name`. T is one of Value's types. Throws ModelError if it is absent or of another type.
  template <typename T>
  const T& get(std::string_view name) const {
    const Value* value = find(name);
    if (!value) throw_missing(name);
    return as<T>(name, *value);
  }
  /// Returns the value of `name`, or `fallback` if it is absent. Throws ModelError if it is of another type.
  template <typename T>
  T get(std::string_view name, T fallback) const {
    const Value* value = find(name);
    return value ? as<T>(name, *value) : fallback;
  }

  /// A list of integers that may follow from symbolic dimensions. Throws as get.
  Sizes sizes(std::string_view name) const;

  friend bool operator==(const Attributes&, const Attributes&) = default;

 private:
  const Value* find(std::string_view name) const;
  [[noreturn]] static void throw_missing(std::string_view name);
  [[noreturn]] static void throw_type(std::string_view name, const Value& found, const Value& wanted);

  template <typename T>
  static const T& as(std::string_view name, const Value& value) {
    if (const T* held = std::get_if<T>(&value)) return *held;
    throw_type(name, value, T{});
  }

  std::map<std::string, Value, std::less<>> values_;
};

/// "2", "0.5", "\"SAME_UPPER\"", "[1,1]".
std::string to_string(const Attributes::Value& value);
/// "{axis=1, perm=[0,2,1]}"; empty if there are none.
std::string to_string(const Attributes& attributes);

}  // namespace tensordsl::ops
