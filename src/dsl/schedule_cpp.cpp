// A Schedule as the C++ that gives it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/cpp_text.h"
#include "base/text/operator_notation.h"
#include "dsl/schedule_data.h"
#include "dsl/type_constructor.h"
#include "ir/nodes/integer_operations.h"
#include "tensordsl/error.h"
#include "tensordsl/schedule.h"

namespace tensordsl {

using namespace schedule;
using ir::ExprKind;

namespace {

/// Names that the printed function itself uses.
constexpr std::string_view kTaken[] = {
    "tensordsl", "output",      "Var",           "Param",   "outputs",      "producer", "std",    "Func",
    "Stage",     "Expr",        "Tail",          "Int",     "UInt",         "Float",    "Bool",   "Local",
    "Private",   "MemoryScope", "Image1DBuffer", "Image2D", "Image2DArray", "cast",     "select", "min",
    "max",       "abs"};

/// Different identifiers for different things.
class Identifiers {
 public:
  /// `what` distinguishes the Func, the Var and the Param of one name.
  const std::string& of(char what, const std::string& name) {
    std::string& identifier = identifiers_[{what, name}];
    if (!identifier.empty()) return identifier;
    for (const char c : name) {
      const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      const bool is_digit = c >= '0' && c <= '9';
      if (is_digit && identifier.empty()) identifier += 'v';
      // Two underscores in a row are the compiler's.
      if (is_letter || is_digit) {
        identifier += c;
      } else if (identifier.empty()) {
        identifier += 'v';
      } else if (identifier.back() != '_') {
        identifier += '_';
      }
    }
    if (identifier.empty()) identifier = "v";
    // NULL, INT32_MAX and the like are macros.
    const bool is_shouted =
        identifier.size() > 2 &&
        std::none_of(identifier.begin(), identifier.end(), [](char c) { return c >= 'a' && c <= 'z'; });
    if (is_shouted) identifier += "_v";
    const std::string stem = identifier;
    for (int i = 2; is_cpp_word(identifier) || !taken_.insert(identifier).second; ++i)
      identifier = fmt::format("{}{}{}", stem, stem.back() == '_' ? "" : "_", i);
    return identifier;
  }

 private:
  std::map<std::pair<char, std::string>, std::string> identifiers_;
  std::set<std::string, std::less<>> taken_{std::begin(kTaken), std::end(kTaken)};
};

class FunctionPrinter {
 public:
  explicit FunctionPrinter(bool has_several_outputs) : has_several_outputs_(has_several_outputs) {}

  std::string print(const std::string& name, const std::vector<LoggedDirective>& directives) {
    // Funcs first, so that they keep their names, which a reader searches for.
    for (const LoggedDirective& entry : directives) {
      names_.of('f', entry.target.function);
      if (const std::string made = made_func(entry); !made.empty()) names_.of('f', made);
    }
    for (const LoggedDirective& entry : directives) statement(entry);
    end_chain();
    std::string text = fmt::format("void {}({}) {{\n  using namespace tensordsl;\n", name,
                                   has_several_outputs_ ? "const std::vector<tensordsl::Func>& outputs"
                                                        : "const tensordsl::Func& output");
    if (!vars_.empty()) text += fmt::format("  const Var {};\n", fmt::join(vars_, ", "));
    for (const std::string& param : params_) text += fmt::format("  const Param {};\n", param);
    if (directives.empty()) text += has_several_outputs_ ? "  (void)outputs;\n" : "  (void)output;\n";
    return text + body_ + "}\n";
  }

 private:
  void statement(const LoggedDirective& entry) {
    std::vector<std::string> arguments;
    for (const Argument& a : entry.directive.arguments) {
      arguments.push_back(std::visit([&](const auto& value) { return argument(value); }, a));
    }
    const std::string call = fmt::format("{}({})", entry.directive.name, fmt::join(arguments, ", "));
    const std::string target = stage(entry.target);
    if (const std::string made = made_func(entry); !made.empty()) {
      end_chain();
      known_.insert(made);
      body_ += fmt::format("  Func {} = {}.{};\n", names_.of('f', made), target, call);
      return;
    }
    if (target != chain_target_) {
      end_chain();
      chain_target_ = target;
    }
    chain_.push_back(call);
    // specialize() returns the variant, not the stage.
    if (entry.directive.name == "specialize") end_chain();
  }

  /// Prints one call on the line of its target; several on lines of their own.
  void end_chain() {
    if (chain_.size() == 1) body_ += fmt::format("  {}.{};\n", chain_target_, chain_[0]);
    if (chain_.size() > 1)
      body_ += fmt::format("  {}\n      .{};\n", chain_target_, fmt::join(chain_, "\n      ."));
    chain_.clear();
    chain_target_.clear();
  }

  std::string stage(const StageName& s) { return stage_name(func(s.function), s.place); }

  const std::string& func(const std::string& name) {
    const std::string& identifier = names_.of('f', name);
    if (known_.insert(name).second) {
      end_chain();
      body_ +=
          fmt::format("  Func {} = {}{});\n", identifier,
                      has_several_outputs_ ? "producer(outputs, " : "output.producer(", cpp_literal(name));
    }
    return identifier;
  }

  std::string argument(const VarName& v) {
    const std::string& identifier = names_.of('v', v.name);
    if (known_vars_.insert(v.name).second)
      vars_.push_back(fmt::format("{}({})", identifier, cpp_literal(v.name)));
    return identifier;
  }
  std::string argument(int value) {
    return value == INT32_MIN ? fmt::format("{} - 1", value + 1) : fmt::format("{}", value);
  }
  std::string argument(Tail tail) { return name_of(tail); }
  std::string argument(const std::string& text) { return cpp_literal(text); }
  std::string argument(MemoryScope scope) {
    return fmt::format("MemoryScope::{}", tensordsl::to_string(scope));
  }
  std::string argument(ImageKind kind) { return tensordsl::to_string(kind); }
  std::string argument(const FuncName& f) { return func(f.name); }
  std::string argument(const StageName& s) { return stage(s); }
  std::string argument(const LaunchExpr& e) {
    const std::int64_t* value = literal_of(e);
    return value ? argument(static_cast<int>(*value)) : expression(e.expr);
  }

  template <typename T>
  std::string argument(const std::vector<T>& items) {
    std::vector<std::string> texts;
    for (const T& item : items) texts.push_back(argument(item));
    return fmt::format("{{{}}}", fmt::join(texts, ", "));
  }

  std::string expression(const Expr& e) {
    const auto operand = [&](std::size_t i) { return expression((*e)[i]); };
    for (const auto& op : notation::kBinaryOperators<ir::ExprKind>) {
      if (op.kind == e->kind) return fmt::format("({} {} {})", operand(0), op.symbol, operand(1));
    }
    switch (e->kind) {
      case ExprKind::IntImm:
        if (e.type() == Int(32)) return fmt::format("Expr({})", argument(static_cast<int>(e->value)));
        return e.type() == UInt(64)
                   ? fmt::format("Expr(std::uint64_t{{{}U}})", static_cast<std::uint64_t>(e->value))
                   : fmt::format("cast({}, Expr(std::int64_t{{{}}}))", type_constructor(e.type()), e->value);
      case ExprKind::FloatImm:
        if (!std::isfinite(e->number)) break;
        return fmt::format("cast({}, Expr({:a}))", type_constructor(e.type()), e->number);
      case ExprKind::Var:
        return param(e->name, e.type());
      case ExprKind::Min:
        return fmt::format("min({}, {})", operand(0), operand(1));
      case ExprKind::Max:
        return fmt::format("max({}, {})", operand(0), operand(1));
      case ExprKind::Not:
        return fmt::format("!{}", operand(0));
      case ExprKind::Select:
        return fmt::format("select({}, {}, {})", operand(0), operand(1), operand(2));
      case ExprKind::Cast:
        return fmt::format("cast({}, {})", type_constructor(e.type()), operand(0));
      case ExprKind::Intrinsic: {
        if (const ir::IntegerOperation* operation = ir::find_integer_operation(e->name))
          return fmt::format("({} {} {})", operand(0), operation->symbol, operand(1));
        std::vector<std::string> operands;
        for (std::size_t i = 0; i < e->operands.size(); ++i) operands.push_back(operand(i));
        return fmt::format("{}({})", e->name, fmt::join(operands, ", "));
      }
      default:
        break;
    }
    throw InternalError(fmt::format("Schedule::to_cpp: unsupported argument {}", tensordsl::to_string(e)));
  }

  std::string param(const std::string& name, Type type) {
    const std::string& identifier = names_.of('p', name);
    if (known_params_.insert(name).second)
      params_.push_back(fmt::format("{}({}, {})", identifier, cpp_literal(name), type_constructor(type)));
    return identifier;
  }

  bool has_several_outputs_;
  Identifiers names_;
  std::set<std::string> known_, known_vars_, known_params_;
  std::vector<std::string> vars_, params_;
  std::string body_;
  std::string chain_target_;
  std::vector<std::string> chain_;
};

}  // namespace

std::string Schedule::to_cpp(const std::string& name) const {
  return FunctionPrinter(directives_->has_several_outputs).print(name, directives_->directives);
}

}  // namespace tensordsl
