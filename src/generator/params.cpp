// The kinds of parameters: their legal values, and how they are read and written.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "base/index_limit.h"
#include "tensordsl/error.h"
#include "tensordsl/generator.h"

namespace tensordsl {
namespace {

constexpr std::string_view kSymbolic = "symbolic";

/// Parses the whole text as a number; nullopt if it is not a number, or does not fit T.
template <typename T>
std::optional<T> number(const std::string& text) {
  T value{};
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (text.empty() || parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  return value;
}

/// "a", "a or b", "a, b or c"
std::string alternatives(const std::vector<std::string>& words) {
  if (words.empty()) return "";
  const std::vector<std::string> before(words.begin(), words.end() - 1);
  return before.empty() ? words.back() : fmt::format("{} or {}", fmt::join(before, ", "), words.back());
}

std::vector<std::string> names_of(const std::vector<Type>& types) {
  std::vector<std::string> names;
  for (const Type type : types) names.push_back(to_string(type));
  return names;
}

bool is_word(const std::string& name) {
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && std::ranges::all_of(name, is_part) && (name[0] < '0' || name[0] > '9');
}

}  // namespace

int Extent::value() const {
  if (!is_symbolic()) return value_;
  throw Error(
      fmt::format("{} is symbolic, but this generator needs its value; pass {}=NUMBER", name_, name_));
}

Extent::operator Expr() const { return is_symbolic() ? Expr(Param(name_)) : Expr(value_); }

AnyGeneratorParam::AnyGeneratorParam(Generator* owner, std::string name, std::string help)
    : name_(std::move(name)), help_(std::move(help)) {
  if (!is_word(name_) || name_ == "target") {
    throw Error(
        fmt::format("generator parameter \"{}\": the name must consist of letters, digits and \"_\", and "
                    "must not be \"target\"",
                    name_));
  }
  const auto has_name = [&](const AnyGeneratorParam* param) { return param->name() == name_; };
  if (std::ranges::any_of(owner->params_, has_name))
    throw Error(fmt::format("generator parameter \"{}\" is declared twice; rename one of them", name_));
  owner->params_.push_back(this);
}

void AnyGeneratorParam::refuse(const std::string& text) const {
  throw Error(fmt::format("{}={}: expected {}", name_, text, legal()));
}

void AnyGeneratorParam::check_declaration(bool holds, const std::string& wrong) const {
  if (holds) return;
  throw Error(fmt::format("generator parameter \"{}\" has an invalid declaration: {}; fix the program", name_,
                          wrong));
}

/// Checks the default like a value from the command line, so that --help shows a legal default.
void AnyGeneratorParam::check_default() {
  const std::string value = text();
  bool is_legal = true;
  try {
    set(value);
  } catch (const Error&) {
    is_legal = false;
  }
  check_declaration(is_legal, fmt::format("the default is \"{}\", expected {}", value, legal()));
}

GeneratorParam<int>::GeneratorParam(Generator* owner, std::string name, int value, int least, int most,
                                    std::string help)
    : AnyGeneratorParam(owner, std::move(name), std::move(help)), value_(value), least_(least), most_(most) {
  check_declaration(least <= most, fmt::format("the range from {} to {} is empty", least, most));
  check_default();
}

std::string GeneratorParam<int>::legal() const {
  return fmt::format("a whole number from {} to {}", least_, most_);
}
std::string GeneratorParam<int>::text() const { return fmt::format("{}", value_); }

void GeneratorParam<int>::set(const std::string& text) {
  const auto given = number<int>(text);
  if (!given || *given < least_ || *given > most_) refuse(text);
  value_ = *given;
}

GeneratorParam<double>::GeneratorParam(Generator* owner, std::string name, double value, double least,
                                       double most, std::string help)
    : AnyGeneratorParam(owner, std::move(name), std::move(help)), value_(value), least_(least), most_(most) {
  check_declaration(least <= most, fmt::format("the range from {} to {} is empty", least, most));
  check_default();
}

std::string GeneratorParam<double>::legal() const {
  return fmt::format("a number from {} to {}", least_, most_);
}
std::string GeneratorParam<double>::text() const { return fmt::format("{}", value_); }

void GeneratorParam<double>::set(const std::string& text) {
  const auto given = number<double>(text);
  if (!given || !(*given >= least_ && *given <= most_)) refuse(text);
  value_ = *given;
}

GeneratorParam<bool>::GeneratorParam(Generator* owner, std::string name, bool value, std::string help)
    : AnyGeneratorParam(owner, std::move(name), std::move(help)), value_(value) {}

std::string GeneratorParam<bool>::legal() const { return "true or false"; }
std::string GeneratorParam<bool>::text() const { return value_ ? "true" : "false"; }

void GeneratorParam<bool>::set(const std::string& text) {
  if (text != "true" && text != "false") refuse(text);
  value_ = text == "true";
}

GeneratorParam<std::string>::GeneratorParam(Generator* owner, std::string name, std::string value,
                                            std::vector<std::string> choices, std::string help)
    : AnyGeneratorParam(owner, std::move(name), std::move(help)),
      value_(std::move(value)),
      choices_(std::move(choices)) {
  check_declaration(!choices_.empty(), "the list of choices is empty");
  check_default();
}

std::string GeneratorParam<std::string>::legal() const { return alternatives(choices_); }
std::string GeneratorParam<std::string>::text() const { return value_; }

void GeneratorParam<std::string>::set(const std::string& text) {
  if (std::ranges::find(choices_, text) == choices_.end()) refuse(text);
  value_ = text;
}

GeneratorParam<Type>::GeneratorParam(Generator* owner, std::string name, Type value,
                                     std::vector<Type> choices, std::string help)
    : AnyGeneratorParam(owner, std::move(name), std::move(help)),
      value_(value),
      choices_(std::move(choices)) {
  check_declaration(!choices_.empty(), "the list of choices is empty");
  check_default();
}

std::string GeneratorParam<Type>::legal() const { return alternatives(names_of(choices_)); }
std::string GeneratorParam<Type>::text() const { return to_string(value_); }

void GeneratorParam<Type>::set(const std::string& text) {
  const auto given = parse_type(text);
  if (!given || std::ranges::find(choices_, *given) == choices_.end()) refuse(text);
  value_ = *given;
}

GeneratorParam<Extent>::GeneratorParam(Generator* owner, std::string name, Extent value, std::string help)
    : AnyGeneratorParam(owner, std::move(name), std::move(help)), value_(std::move(value)) {
  const std::string symbol = value_.is_symbolic() ? to_string(Expr(value_)) : this->name();
  check_declaration(
      symbol == this->name(),
      fmt::format("the default is the symbolic extent \"{}\", expected Extent::symbolic(\"{}\")", symbol,
                  this->name()));
  check_default();
}

std::string GeneratorParam<Extent>::legal() const {
  return fmt::format("a whole number from 1 to {} or {}", kMaxElements, kSymbolic);
}

std::string GeneratorParam<Extent>::text() const {
  return value_.is_symbolic() ? std::string(kSymbolic) : fmt::format("{}", value_.value());
}

void GeneratorParam<Extent>::set(const std::string& text) {
  if (text == kSymbolic) {
    value_ = Extent::symbolic(name());
    return;
  }
  const auto given = number<int>(text);
  if (!given || *given < 1 || *given > kMaxElements) refuse(text);
  value_ = *given;
}

}  // namespace tensordsl
