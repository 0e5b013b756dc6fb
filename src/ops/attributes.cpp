#include "ops/attributes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "tensordsl/error.h"

namespace tensordsl::ops {
namespace {

constexpr std::array kAttributeKinds{"an integer",        "a number",
                                     "a string",          "a list of integers",
                                     "a list of numbers", "a list that depends on symbolic dimensions",
                                     "a list of strings", "a tensor"};
static_assert(kAttributeKinds.size() == std::variant_size_v<Attributes::Value>);

std::string print(std::int64_t value) { return fmt::format("{}", value); }
std::string print(double value) { return fmt::format("{}", static_cast<float>(value)); }
std::string print(const std::string& value) { return fmt::format("\"{}\"", value); }
std::string print(const std::vector<std::int64_t>& value) {
  return fmt::format("[{}]", fmt::join(value, ","));
}
std::string print(const std::vector<std::string>& value) {
  return fmt::format("[{}]", fmt::join(value, ","));
}
std::string print(const Buffer& value) { return to_string(value.type()) + to_string(value.shape()); }
std::string print(const Sizes& value) { return to_string(value); }
std::string print(const std::vector<double>& value) { return fmt::format("[{}]", fmt::join(value, ",")); }

}  // namespace

void Attributes::erase(std::string_view name) {
  if (const auto found = values_.find(name); found != values_.end()) values_.erase(found);
}

const Attributes::Value* Attributes::find(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : &found->second;
}

Sizes Attributes::sizes(std::string_view name) const {
  const Value* value = find(name);
  if (!value) throw_missing(name);
  if (const Sizes* sizes = std::get_if<Sizes>(value)) return *sizes;
  const Ints& numbers = as<Ints>(name, *value);
  return {numbers.begin(), numbers.end()};
}

void Attributes::throw_missing(std::string_view name) {
  throw ModelError(fmt::format("attribute {} is missing", name));
}

void Attributes::throw_type(std::string_view name, const Value& found, const Value& wanted) {
  throw ModelError(fmt::format("attribute {} = {} is {}; it must be {}", name, to_string(found),
                               kAttributeKinds[found.index()], kAttributeKinds[wanted.index()]));
}

std::string to_string(const Attributes::Value& value) {
  return std::visit([](const auto& held) { return print(held); }, value);
}

std::string to_string(const Attributes& attributes) {
  std::string text;
  for (const auto& [name, value] : attributes.values()) {
    text += fmt::format("{}{}={}", text.empty() ? "{" : ", ", name, to_string(value));
  }
  return text.empty() ? text : text + "}";
}

}  // namespace tensordsl::ops
