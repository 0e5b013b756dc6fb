// A program that writes kernels: a user's class with parameters, and the main function of
// `tensordsl_generator_main`.
//
//   class Scale : public tensordsl::Generator {
//    public:
//     GeneratorParam<Extent> count{this, "count", 1024, "elements"};
//     GeneratorParam<Type> type{this, "type", Float(32), {Float(32), Float(16)}, "of an element"};
//     Pipeline generate(const GeneratorTarget& target) override { ... }
//   };
//   TENSORDSL_GENERATOR(Scale, "scale", "Multiplies every element by a number")
//
//   scale_gen -o out target=adreno640 count=symbolic type=f16
//
// docs/GENERATORS.md has the options, the files that are written, and the CMake functions.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tensordsl/hw_profile.h"
#include "tensordsl/pipeline.h"
#include "tensordsl/target.h"
#include "tensordsl/type.h"
#include "tensordsl/var.h"

namespace tensordsl {

/// An extent of a tensor: a number, or a Param whose value is given when the kernels are launched.
class Extent {
 public:
  /// Makes a number; a GeneratorParam takes 1 to 2^31 - 1.
  Extent(int value) : value_(value) {}  // NOLINT: numbers read as themselves in declarations
  /// Makes the Param `name`; on the command line "symbolic".
  static Extent symbolic(std::string name) { return Extent(std::move(name)); }

  bool is_symbolic() const { return !name_.empty(); }  ///< true if it is a Param
  /// Returns the number. Throws Error if it is a Param.
  int value() const;
  /// Converts to the number or the Param.
  operator Expr() const;  // NOLINT: used as an extent

 private:
  explicit Extent(std::string name) : name_(std::move(name)) {}
  int value_ = 0;
  std::string name_;
};

/// The device or profile that the kernels are written for.
struct GeneratorTarget {
  std::string name{};                  ///< the given name: "adreno640", "here", "any", or a file
  HwProfile profile{};                 ///< figures of the device; unknown ones are empty
  Target figures{};                    ///< figures for schedules, which follow from the profile
  std::optional<DeviceInfo> device{};  ///< device whose limits the kernels keep; only for "here"
};

class Generator;

/// Base class of all parameters, as the command line uses it. A generator declares GeneratorParams.
class AnyGeneratorParam {
 public:
  virtual ~AnyGeneratorParam() = default;
  AnyGeneratorParam(const AnyGeneratorParam&) = delete;
  AnyGeneratorParam& operator=(const AnyGeneratorParam&) = delete;

  const std::string& name() const { return name_; }  ///< name before the '=' on the command line
  const std::string& help() const { return help_; }  ///< line of the parameter in --help
  /// Returns the legal values as a text: "1 to 4096", "f32 or f16".
  virtual std::string legal() const = 0;
  /// Returns the value in the command line's notation.
  virtual std::string text() const = 0;
  /// Sets the value from the command line's notation. Throws Error that names the parameter, the text and the
  /// legal values.
  virtual void set(const std::string& text) = 0;

 protected:
  /// Declares a parameter of `owner`. Throws Error if the generator has a parameter of that name, or its name
  /// cannot be used on the command line.
  AnyGeneratorParam(Generator* owner, std::string name, std::string help);
  /// Reports a value that set() refuses. Throws Error with the parameter's name, `text` and legal().
  [[noreturn]] void refuse(const std::string& text) const;
  /// Checks a declaration. Throws Error with `wrong`, which describes the mistake, unless `holds`.
  void check_declaration(bool holds, const std::string& wrong) const;
  /// Checks the default. Throws Error if it is not legal.
  void check_default();

 private:
  std::string name_, help_;
};

/// A parameter with a default, legal values, and a line of help. T is int, double, bool, std::string, Type or
/// Extent. It reads as a T; the command line sets it before generate() is called. The constructors throw
/// Error if no value is legal, or the default is not.
template <typename T>
class GeneratorParam;

/// A parameter that is a whole number from `least` to `most`.
template <>
class GeneratorParam<int> final : public AnyGeneratorParam {
 public:
  /// Declares a parameter of the generator `owner`; `value` is the default, `help` a line of --help.
  GeneratorParam(Generator* owner, std::string name, int value, int least, int most, std::string help);
  /// Returns the value: the default, or the one that set() read.
  int value() const { return value_; }
  /// Converts to value().
  operator int() const { return value_; }  // NOLINT
  /// Converts to a constant of i32.
  operator Expr() const { return value_; }  // NOLINT
  std::string legal() const override;
  std::string text() const override;
  void set(const std::string& text) override;

 private:
  int value_, least_, most_;
};

/// A parameter that is a real number from `least` to `most`.
template <>
class GeneratorParam<double> final : public AnyGeneratorParam {
 public:
  /// Declares a parameter of the generator `owner`; `value` is the default, `help` a line of --help.
  GeneratorParam(Generator* owner, std::string name, double value, double least, double most,
                 std::string help);
  /// Returns the value: the default, or the one that set() read.
  double value() const { return value_; }
  /// Converts to value().
  operator double() const { return value_; }  // NOLINT
  /// Converts to a constant, which is an f32 by default: see Expr.
  operator Expr() const { return value_; }  // NOLINT
  std::string legal() const override;
  std::string text() const override;
  void set(const std::string& text) override;

 private:
  double value_, least_, most_;
};

/// A GeneratorParam that reads as a number. Operators on two of them follow the rules of C++ for numbers; an
/// operator on one and an Expr takes it as a constant, by the rules of Expr.
template <typename T>
concept NumberParam = std::same_as<T, GeneratorParam<int>> || std::same_as<T, GeneratorParam<double>>;
/// -a, as a number.
template <NumberParam A>
auto operator-(const A& a) {
  return -a.value();
}
/// a + b: an int, or a double if one of them is.
template <NumberParam A, NumberParam B>
auto operator+(const A& a, const B& b) {
  return a.value() + b.value();
}
/// a - b, likewise.
template <NumberParam A, NumberParam B>
auto operator-(const A& a, const B& b) {
  return a.value() - b.value();
}
/// a * b, likewise.
template <NumberParam A, NumberParam B>
auto operator*(const A& a, const B& b) {
  return a.value() * b.value();
}
/// a / b, likewise. The quotient of two ints truncates toward zero as in C++; `b` must not be 0.
template <NumberParam A, NumberParam B>
auto operator/(const A& a, const B& b) {
  return a.value() / b.value();
}
/// a < b, as numbers.
template <NumberParam A, NumberParam B>
auto operator<(const A& a, const B& b) {
  return a.value() < b.value();
}
/// a <= b, as numbers.
template <NumberParam A, NumberParam B>
auto operator<=(const A& a, const B& b) {
  return a.value() <= b.value();
}
/// a > b, as numbers.
template <NumberParam A, NumberParam B>
auto operator>(const A& a, const B& b) {
  return a.value() > b.value();
}
/// a >= b, as numbers.
template <NumberParam A, NumberParam B>
auto operator>=(const A& a, const B& b) {
  return a.value() >= b.value();
}
/// a == b, as numbers.
template <NumberParam A, NumberParam B>
auto operator==(const A& a, const B& b) {
  return a.value() == b.value();
}
/// a != b, as numbers.
template <NumberParam A, NumberParam B>
auto operator!=(const A& a, const B& b) {
  return a.value() != b.value();
}
/// a % b, with the sign of `a` as in C++; `b` must not be 0.
inline int operator%(const GeneratorParam<int>& a, const GeneratorParam<int>& b) {
  return a.value() % b.value();
}

/// A parameter that is true or false.
template <>
class GeneratorParam<bool> final : public AnyGeneratorParam {
 public:
  /// Declares a parameter of the generator `owner`; `value` is the default, `help` a line of --help.
  GeneratorParam(Generator* owner, std::string name, bool value, std::string help);
  /// Converts to the value: the default, or the one that set() read.
  operator bool() const { return value_; }  // NOLINT
  std::string legal() const override;
  std::string text() const override;
  void set(const std::string& text) override;

 private:
  bool value_;
};

/// A parameter that is one of several words.
template <>
class GeneratorParam<std::string> final : public AnyGeneratorParam {
 public:
  /// Declares a parameter of the generator `owner`; `value` is the default, `help` a line of --help.
  /// `choices` lists the allowed words; there must be at least one.
  GeneratorParam(Generator* owner, std::string name, std::string value, std::vector<std::string> choices,
                 std::string help);
  /// Converts to the value: the default, or the one that set() read.
  operator const std::string&() const { return value_; }  // NOLINT
  /// True if `word` was chosen.
  bool operator==(std::string_view word) const { return value_ == word; }
  /// True if both parameters have the same word.
  bool operator==(const GeneratorParam& other) const { return value_ == other.value_; }
  std::string legal() const override;
  std::string text() const override;
  void set(const std::string& text) override;

 private:
  std::string value_;
  std::vector<std::string> choices_;
};

/// A parameter that is one of several types: "f16", "u8".
template <>
class GeneratorParam<Type> final : public AnyGeneratorParam {
 public:
  /// Declares a parameter of the generator `owner`; `value` is the default, `help` a line of --help. Its
  /// types are `choices`, one or more.
  GeneratorParam(Generator* owner, std::string name, Type value, std::vector<Type> choices, std::string help);
  /// Converts to the value: the default, or the one that set() read.
  operator Type() const { return value_; }  // NOLINT
  std::string legal() const override;
  std::string text() const override;
  void set(const std::string& text) override;

 private:
  Type value_;
  std::vector<Type> choices_;
};

/// A parameter that is a number from 1 to 2^31 - 1, or "symbolic": then it is a Param of the parameter's
/// name. A symbolic default must have that name too.
template <>
class GeneratorParam<Extent> final : public AnyGeneratorParam {
 public:
  /// Declares a parameter of the generator `owner`; `value` is the default, `help` a line of --help.
  GeneratorParam(Generator* owner, std::string name, Extent value, std::string help);
  /// Converts to the number or the Param, for use as an extent.
  operator Expr() const { return value_; }  // NOLINT
  /// Converts to the value: the default, or the one that set() read.
  operator const Extent&() const { return value_; }  // NOLINT
  /// Returns the extent where no conversion is made: get().is_symbolic().
  const Extent& get() const { return value_; }
  std::string legal() const override;
  std::string text() const override;
  void set(const std::string& text) override;

 private:
  Extent value_;
};

/// Base class of a user's generator: its parameters are members, and generate() defines and schedules.
class Generator {
 public:
  Generator() = default;
  virtual ~Generator() = default;
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;

  /// Called once, after the parameters have their values. An override throws Error if they do not fit each
  /// other; its text is shown to the user of the program.
  virtual Pipeline generate(const GeneratorTarget& target) = 0;

  /// Returns the parameters in the order of their declaration.
  const std::vector<AnyGeneratorParam*>& params() const { return params_; }

 private:
  friend class AnyGeneratorParam;
  std::vector<AnyGeneratorParam*> params_;
};

/// A generator with its name, as TENSORDSL_GENERATOR defines it and the main function uses it.
struct GeneratorEntry {
  /// Name of the files that the generator writes, unless -n names another.
  std::string name, summary;             ///< the first line of --help
  std::unique_ptr<Generator> generator;  ///< its parameters have their defaults
};
/// Makes the executable's generator; TENSORDSL_GENERATOR defines it. Throws Error if a parameter is declared
/// wrongly.
GeneratorEntry make_generator();

}  // namespace tensordsl

/// Names the generator of an executable, once, outside of every namespace. `name` is used for the files that
/// it writes unless -n gives another name; `summary` is the first line of --help.
#define TENSORDSL_GENERATOR(Class, name, summary)           \
  ::tensordsl::GeneratorEntry tensordsl::make_generator() { \
    return {name, summary, ::std::make_unique<Class>()};    \
  }
