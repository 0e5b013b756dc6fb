#include "schedule/directive.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ir/text/print.h"

namespace tensordsl::schedule {
namespace {

struct ArgumentText {
  std::string operator()(const VarName& v) const { return v.name; }
  std::string operator()(int value) const { return fmt::format("{}", value); }
  std::string operator()(Tail tail) const { return name_of(tail); }
  std::string operator()(const std::string& text) const { return fmt::format("\"{}\"", text); }
  std::string operator()(MemoryScope scope) const { return tensordsl::to_string(scope); }
  std::string operator()(ImageKind kind) const { return tensordsl::to_string(kind); }
  std::string operator()(const FuncName& f) const { return f.name; }
  std::string operator()(const StageName& s) const { return stage_name(s.function, s.place); }
  std::string operator()(const LaunchExpr& e) const { return tensordsl::to_string(e.expr); }

  template <typename T>
  std::string operator()(const std::vector<T>& items) const {
    std::vector<std::string> texts;
    for (const T& item : items) texts.push_back((*this)(item));
    return fmt::format("{{{}}}", fmt::join(texts, ", "));
  }
};

}  // namespace

const std::int64_t* literal_of(const LaunchExpr& e) {
  return e.expr->kind == ir::ExprKind::IntImm && e.expr.type() == Int(32) ? ir::as_int(e.expr) : nullptr;
}

std::string to_string(const Directive& directive) {
  std::vector<std::string> arguments;
  for (const Argument& a : directive.arguments) arguments.push_back(std::visit(ArgumentText(), a));
  return fmt::format("{}({})", directive.name, fmt::join(arguments, ", "));
}

const char* name_of(Tail tail) {
  switch (tail) {
    case Tail::RoundUp:
      return "Tail::RoundUp";
    case Tail::Guard:
      return "Tail::Guard";
    case Tail::ShiftInwards:
      return "Tail::ShiftInwards";
    case Tail::Exact:
      return "Tail::Exact";
  }
  return "?";
}

std::string stage_name(const std::string& function, StageId place) {
  std::string text =
      place.definition == 0 ? function : fmt::format("{}.update({})", function, place.definition - 1);
  if (place.specialization >= 0) text += fmt::format(".specialization({})", place.specialization);
  return text;
}

std::string copy_name(const std::string& source, const std::string& consumer) {
  return fmt::format("{}_in_{}", source, consumer);
}

std::string factored_name(const std::string& function, const std::string& pure) {
  return fmt::format("{}_by_{}", function, pure);
}

std::string made_func(const LoggedDirective& entry) {
  const auto& [name, arguments] = entry.directive;
  if (name == "in") return copy_name(entry.target.function, std::get<FuncName>(arguments.front()).name);
  if (name == "rfactor_in_half") {
    const auto& pures = std::get<std::vector<VarName>>(arguments.back());
    return pures.empty() ? "" : factored_name(entry.target.function, pures.back().name);
  }
  const bool is_factoring = name == "rfactor" || name == "split_k";
  return is_factoring ? factored_name(entry.target.function, std::get<VarName>(arguments.back()).name) : "";
}

}  // namespace tensordsl::schedule
