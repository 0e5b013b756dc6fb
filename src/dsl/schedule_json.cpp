// A Schedule as JSON, both ways.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/json_problem.h"
#include "base/json_text.h"
#include "dsl/schedule_data.h"
#include "ir/text/parse.h"
#include "ir/text/print.h"
#include "tensordsl/error.h"
#include "tensordsl/schedule.h"

namespace tensordsl {

using namespace schedule;
using nlohmann::ordered_json;
using json = ordered_json;

namespace {

constexpr int kVersion = 1;

template <typename Enum>
struct Named {
  const char* name;
  Enum value;
};

constexpr Named<Tail> kTails[] = {{"RoundUp", Tail::RoundUp},
                                  {"Guard", Tail::Guard},
                                  {"ShiftInwards", Tail::ShiftInwards},
                                  {"Exact", Tail::Exact}};
constexpr Named<MemoryScope> kScopes[] = {
    {"Local", Local}, {"SubGroup", SubGroup}, {"Private", Private}, {"Constant", MemoryScope::Constant}};
constexpr Named<ImageKind> kImages[] = {
    {"Image1DBuffer", Image1DBuffer}, {"Image2D", Image2D}, {"Image2DArray", Image2DArray}};

template <typename Enum, std::size_t N>
const char* name_in(const Named<Enum> (&names)[N], Enum value) {
  for (const auto& n : names) {
    if (n.value == value) return n.name;
  }
  throw InternalError("Schedule::to_json: a value has no name");
}

struct ArgumentJson {
  ordered_json operator()(const VarName& v) const { return v.name; }
  ordered_json operator()(int value) const { return value; }
  ordered_json operator()(Tail tail) const { return name_in(kTails, tail); }
  ordered_json operator()(const std::string& text) const { return text; }
  ordered_json operator()(MemoryScope scope) const { return name_in(kScopes, scope); }
  ordered_json operator()(ImageKind kind) const { return name_in(kImages, kind); }
  ordered_json operator()(const FuncName& f) const { return f.name; }
  ordered_json operator()(const StageName& s) const {
    ordered_json j{{"func", s.function}, {"stage", s.place.definition}};
    if (s.place.specialization >= 0) j["specialization"] = s.place.specialization;
    return j;
  }
  ordered_json operator()(const LaunchExpr& e) const {
    const std::int64_t* value = literal_of(e);
    return value ? ordered_json(*value) : ordered_json(ir::print(e.expr));
  }

  template <typename T>
  ordered_json operator()(const std::vector<T>& items) const {
    ordered_json list = ordered_json::array();
    for (const T& item : items) list.push_back((*this)(item));
    return list;
  }
};

/// Reads one directive of the text. Its errors name the directive.
class EntryReader {
 public:
  EntryReader(const json& entry, std::size_t index)
      : entry_(entry), place_(fmt::format("Schedule: directive {}", index)) {}

  LoggedDirective read() {
    if (!entry_.is_object()) fail("expected an object");
    require_keys(entry_, {"func", "stage", "specialization", "directive", "arguments"});
    LoggedDirective result;
    result.target = stage(entry_);
    const std::string name = text(member(entry_, "directive"));
    const json& arguments = member(entry_, "arguments");
    if (!arguments.is_array()) fail("\"arguments\" must be an array");
    const DirectiveForm* form = find_form(name, arguments.size());
    if (!form) fail(fmt::format("unknown directive \"{}\" with {} arguments", name, arguments.size()));
    result.directive.name = name;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      argument_ = i;
      result.directive.arguments.push_back(argument(form->parameters[i], arguments[i]));
    }
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& finding) const {
    const std::string at = argument_ ? fmt::format(", argument {}", *argument_) : "";
    throw ParseError(fmt::format("{}{}: {}", place_, at, finding));
  }

  Argument argument(ArgumentKind kind, const json& j) const {
    switch (kind) {
      case ArgumentKind::Var:
        return VarName{text(j)};
      case ArgumentKind::Vars:
        return list<VarName>(j, [&](const json& v) { return VarName{text(v)}; });
      case ArgumentKind::Integer:
        return integer(j);
      case ArgumentKind::Integers:
        return list<int>(j, [&](const json& v) { return integer(v); });
      case ArgumentKind::Tail:
        return value_in(kTails, j, "a tail");
      case ArgumentKind::Text:
        return text(j);
      case ArgumentKind::Scope:
        return value_in(kScopes, j, "a memory scope");
      case ArgumentKind::Image:
        return value_in(kImages, j, "a kind of image");
      case ArgumentKind::Func:
        return FuncName{text(j)};
      case ArgumentKind::Stage:
        return stage(j);
      case ArgumentKind::LaunchExpr:
        return launch_expr(j);
      case ArgumentKind::LaunchExprs:
        return list<LaunchExpr>(j, [&](const json& v) { return launch_expr(v); });
      case ArgumentKind::Funcs:
        return list<FuncName>(j, [&](const json& v) { return FuncName{text(v)}; });
    }
    throw InternalError("Schedule::from_json: unknown kind of argument");
  }

  void require_keys(const json& object, std::initializer_list<std::string_view> known) const {
    for (const auto& [key, value] : object.items()) {
      if (std::find(known.begin(), known.end(), key) == known.end())
        fail(fmt::format("unknown key \"{}\"", key));
    }
  }

  const json& member(const json& object, const char* key) const {
    const auto it = object.find(key);
    if (it == object.end()) fail(fmt::format("\"{}\" is missing", key));
    return *it;
  }

  std::string text(const json& j) const {
    if (!j.is_string()) fail(fmt::format("expected a string, found {}", j.type_name()));
    return j.get<std::string>();
  }

  int integer(const json& j) const {
    if (!j.is_number_integer())
      fail(fmt::format("expected an integer, found {}", j.is_number() ? "another number" : j.type_name()));
    // A number past the range of std::int64_t is kept unsigned.
    const bool fits = j.is_number_unsigned()
                          ? j.get<std::uint64_t>() <= INT32_MAX
                          : j.get<std::int64_t>() >= INT32_MIN && j.get<std::int64_t>() <= INT32_MAX;
    if (!fits) fail(fmt::format("{} does not fit into 32 bits", dump_json(j)));
    return j.get<int>();
  }

  template <typename T, typename F>
  std::vector<T> list(const json& j, F f) const {
    if (!j.is_array()) fail(fmt::format("expected an array, found {}", j.type_name()));
    std::vector<T> result;
    for (const json& item : j) result.push_back(f(item));
    return result;
  }

  template <typename Enum, std::size_t N>
  Enum value_in(const Named<Enum> (&names)[N], const json& j, const char* what) const {
    const std::string found = text(j);
    std::string known;
    for (const auto& n : names) {
      if (found == n.name) return n.value;
      known += fmt::format("{}{}", known.empty() ? "" : ", ", n.name);
    }
    fail(fmt::format("\"{}\" is not {}; expected one of {}", found, what, known));
  }

  StageName stage(const json& j) const {
    if (!j.is_object())
      fail(fmt::format("expected {{\"func\": ..., \"stage\": ...}}, found {}", j.type_name()));
    if (argument_) require_keys(j, {"func", "stage", "specialization"});
    StageName result{text(member(j, "func")), {integer(member(j, "stage")), -1}};
    if (result.place.definition < 0) fail("\"stage\" must not be negative");
    if (j.contains("specialization")) {
      result.place.specialization = integer(j["specialization"]);
      if (result.place.specialization < 0) fail("\"specialization\" must not be negative");
    }
    return result;
  }

  LaunchExpr launch_expr(const json& j) const {
    if (!j.is_string()) return {Expr(integer(j))};
    try {
      // Variables of an expression that is known at the launch are Params.
      return {ir::rewrite(ir::parse_expr(j.get<std::string>()), [](const Expr& e) {
        if (e->kind == ir::ExprKind::Load)
          throw ParseError(fmt::format("{} must consist of constants and Params", tensordsl::to_string(e)));
        return e->kind == ir::ExprKind::Var ? Expr(Param(e->name, e.type())) : e;
      })};
    } catch (const ParseError& e) {
      fail(e.what());
    } catch (const DefinitionError& e) {
      fail(e.what());
    }
  }

  const json& entry_;
  std::string place_;
  std::optional<std::size_t> argument_;
};

}  // namespace

std::string Schedule::to_json() const {
  // A line for each directive, for diffs.
  std::string text = fmt::format("{{\"version\": {}, {}\"directives\": [", kVersion,
                                 directives_->has_several_outputs ? "\"has_several_outputs\": true, " : "");
  try {
    for (const LoggedDirective& entry : directives_->directives) {
      ordered_json arguments = ordered_json::array();
      for (const Argument& a : entry.directive.arguments) arguments.push_back(std::visit(ArgumentJson(), a));
      ordered_json directive = ArgumentJson()(entry.target);
      directive["directive"] = entry.directive.name;
      directive["arguments"] = std::move(arguments);
      text +=
          fmt::format("{}\n  {}", &entry == directives_->directives.data() ? "" : ",", dump_json(directive));
    }
    return text + "\n]}\n";
  } catch (const ordered_json::type_error&) {
    throw ScheduleError("Schedule::to_json: the name of a Var or Func is not valid UTF-8; rename it");
  }
}

Schedule Schedule::from_json(std::string_view text) {
  json j;
  try {
    j = parse_json(text);
  } catch (const json::exception& e) {
    throw ParseError(fmt::format("Schedule: {}", json_problem(e.what())));
  } catch (const ParseError& e) {
    throw ParseError(fmt::format("Schedule: {}", e.what()));
  }
  if (!j.is_object() || !j.contains("version") || !j.contains("directives")) {
    throw ParseError("Schedule: expected {\"version\": ..., \"directives\": [...]}");
  }
  for (const auto& [key, value] : j.items()) {
    if (key != "version" && key != "directives" && key != "has_several_outputs")
      throw ParseError(fmt::format("Schedule: unknown key \"{}\"", key));
  }
  if (!j["version"].is_number_integer() || j["version"] != kVersion) {
    throw ParseError(fmt::format("Schedule: unsupported version {}; this library reads version {}",
                                 dump_json(j["version"]), kVersion));
  }
  if (!j["directives"].is_array()) throw ParseError("Schedule: \"directives\" must be an array");
  DirectiveList list;
  if (const auto several = j.find("has_several_outputs"); several != j.end()) {
    if (!several->is_boolean()) throw ParseError("Schedule: \"has_several_outputs\" must be true or false");
    list.has_several_outputs = *several;
  }
  for (std::size_t i = 0; i < j["directives"].size(); ++i)
    list.directives.push_back(EntryReader(j["directives"][i], i).read());
  return Schedule(std::make_shared<const DirectiveList>(std::move(list)));
}

}  // namespace tensordsl
