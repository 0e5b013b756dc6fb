// A program that writes kernels: a user's class with parameters, and the main function that
// `tensordsl_generator_main` has.
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

/// An extent of a tensor: a number, or a Param whose value the kernels are told when they are launched.
class Extent {
 public:
  /// A number, which a GeneratorParam takes from 1 to 2^31 - 1.
  Extent(int value) : value_(value) {}  // NOLINT: numbers read as themselves in declarations
  /// Without a number; on the command line "symbolic".
  static Extent symbolic(std::string name) { return Extent(std::move(name)); }

  bool is_symbolic() const { return !name_.empty(); }  ///< whether it is a Param
  /// The number. Throws Error if there is none.
  int value() const;
  /// The number or the Param.
  operator Expr() const;  // NOLINT: used as an extent

 private:
  explicit Extent(std::string name) : name_(std::move(name)) {}
  int value_ = 0;
  std::string name_;
};

/// What the kernels are for.
struct GeneratorTarget {
  std::string name{};                  ///< as it was given: "adreno640", "here", "any", or a file
  HwProfile profile{};                 ///< figures that are not known are empty
  Target figures{};                    ///< what follows from it
  std::optional<DeviceInfo> device{};  ///< whose limits the kernels keep; only of "here"
};

class Generator;

/// A parameter as the command line sees it. GeneratorParam is what a generator declares.
class AnyGeneratorParam {
 public:
  virtual ~AnyGeneratorParam() = default;
  AnyGeneratorParam(const AnyGeneratorParam&) = delete;
  AnyGeneratorParam& operator=(const AnyGeneratorParam&) = delete;

  const std::string& name() const { return name_; }  ///< what stands before the '=' on the command line
  const std::string& help() const { return help_; }  ///< what --help says of it
  /// Which values are legal: "1 to 4096", "f32 or f16".
  virtual std::string legal() const = 0;
  /// The value, as the command line takes it.
  virtual std::string text() const = 0;
  /// Throws Error that names the parameter, what was given and what is legal.
  virtual void set(const std::string& text) = 0;

 protected:
  /// Throws Error if the generator has a parameter of that name, or the command line could not take it.
  AnyGeneratorParam(Generator* owner, std::string name, std::string help);
  /// What set() throws: an Error with the name, `text` and legal().
  [[noreturn]] void refuse(const std::string& text) const;
  /// Throws Error that says what is wrong with the declaration, if something is.
  void check_declaration(bool holds, const std::string& wrong) const;
  /// The same, if the default is not legal.
  void check_default();

 private:
  std::string name_, help_;
};

/// A parameter with a default, the values that are legal, and a line of help. T is int, double, bool,
/// std::string, Type or Extent. Reads as a T; set() from the command line before generate() is called.
/// The constructors throw Error if no value is legal, or the default is not.
template <typename T>
class GeneratorParam;

/// A whole number from `least` to `most`.
template <>
class GeneratorParam<int> final : public AnyGeneratorParam {
 public:
  /// `owner` is the generator whose member it is, `value` the default, `help` a line of --help.
  GeneratorParam(Generator* owner, std::string name, int value, int least, int most, std::string help);
  /// The default, or what set() has read.
  int value() const { return value_; }
  /// value()
  operator int() const { return value_; }  // NOLINT
  /// A constant of i32.
  operator Expr() const { return value_; }  // NOLINT
  std::string legal() const override;
  std::string text() const override;
  void set(const std::string& text) override;

 private:
  int value_, least_, most_;
};

/// A real number from `least` to `most`.
template <>
class GeneratorParam<double> final : public AnyGeneratorParam {
 public:
  /// `owner` is the generator whose member it is, `value` the default, `help` a line of --help.
  GeneratorParam(Generator* owner, std::string name, double value, double least, double most,
                 std::string help);
  /// The default, or what set() has read.
  double value() const { return value_; }
  /// value()
  operator double() const { return value_; }  // NOLINT
  /// A constant, which is an f32 by itself: see Expr.
  operator Expr() const { return value_; }  // NOLINT
  std::string legal() const override;
  std::string text() const override;
  void set(const std::string& text) override;

 private:
  double value_, least_, most_;
};

/// A GeneratorParam that reads as a number. Two of them meet as numbers, by the rules of C++, and one meets
/// an Expr as a constant, by the rules of Expr.
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
/// a / b, likewise. As in C++ that of two ints truncates toward zero, and `b` must not be 0.
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

/// true or false.
template <>
class GeneratorParam<bool> final : public AnyGeneratorParam {
 public:
  /// `owner` is the generator whose member it is, `value` the default, `help` a line of --help.
  GeneratorParam(Generator* owner, std::string name, bool value, std::string help);
  /// The default, or what set() has read.
  operator bool() const { return value_; }  // NOLINT
  std::string legal() const override;
  std::string text() const override;
  void set(const std::string& text) override;

 private:
  bool value_;
};

/// One of some words.
template <>
class GeneratorParam<std::string> final : public AnyGeneratorParam {
 public:
  /// `owner` is the generator whose member it is, `value` the default, `help` a line of --help. Its words are
  /// `choices`, one or more.
  GeneratorParam(Generator* owner, std::string name, std::string value, std::vector<std::string> choices,
                 std::string help);
  /// The default, or what set() has read.
  operator const std::string&() const { return value_; }  // NOLINT
  /// Whether that word was chosen.
  bool operator==(std::string_view word) const { return value_ == word; }
  /// Whether both have the same word.
  bool operator==(const GeneratorParam& other) const { return value_ == other.value_; }
  std::string legal() const override;
  std::string text() const override;
  void set(const std::string& text) override;

 private:
  std::string value_;
  std::vector<std::string> choices_;
};

/// One of some types: "f16", "u8".
template <>
class GeneratorParam<Type> final : public AnyGeneratorParam {
 public:
  /// `owner` is the generator whose member it is, `value` the default, `help` a line of --help. Its types are
  /// `choices`, one or more.
  GeneratorParam(Generator* owner, std::string name, Type value, std::vector<Type> choices, std::string help);
  /// The default, or what set() has read.
  operator Type() const { return value_; }  // NOLINT
  std::string legal() const override;
  std::string text() const override;
  void set(const std::string& text) override;

 private:
  Type value_;
  std::vector<Type> choices_;
};

/// A number from 1 to 2^31 - 1, or "symbolic": then a Param of the parameter's name. A default that is
/// symbolic must have that name too.
template <>
class GeneratorParam<Extent> final : public AnyGeneratorParam {
 public:
  /// `owner` is the generator whose member it is, `value` the default, `help` a line of --help.
  GeneratorParam(Generator* owner, std::string name, Extent value, std::string help);
  /// The number or the Param, used as an extent.
  operator Expr() const { return value_; }  // NOLINT
  /// The default, or what set() has read.
  operator const Extent&() const { return value_; }  // NOLINT
  /// The same by name, where no conversion is made: get().is_symbolic().
  const Extent& get() const { return value_; }
  std::string legal() const override;
  std::string text() const override;
  void set(const std::string& text) override;

 private:
  Extent value_;
};

/// What a user derives from: parameters are members, generate() defines and schedules.
class Generator {
 public:
  Generator() = default;
  virtual ~Generator() = default;
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;

  /// Called once, after the parameters have their values. Throw Error where they do not fit each other: the
  /// text is what the user of the program reads.
  virtual Pipeline generate(const GeneratorTarget& target) = 0;

  /// In the order of their declaration.
  const std::vector<AnyGeneratorParam*>& params() const { return params_; }

 private:
  friend class AnyGeneratorParam;
  std::vector<AnyGeneratorParam*> params_;
};

/// What TENSORDSL_GENERATOR defines and the main function calls.
struct GeneratorEntry {
  /// Of the files that it writes, unless -n names another.
  std::string name, summary;             ///< the first line of --help
  std::unique_ptr<Generator> generator;  ///< its parameters have their defaults
};
/// What TENSORDSL_GENERATOR defines. Throws Error if a parameter is declared wrongly.
GeneratorEntry make_generator();

}  // namespace tensordsl

/// Names the generator of an executable, once, outside of every namespace. `name` is that of the files which
/// it writes unless -n names another; `summary` is the first line of --help.
#define TENSORDSL_GENERATOR(Class, name, summary)           \
  ::tensordsl::GeneratorEntry tensordsl::make_generator() { \
    return {name, summary, ::std::make_unique<Class>()};    \
  }
