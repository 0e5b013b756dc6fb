#include "tune/pipeline/directive_renamer.h"

#include <algorithm>
#include <cctype>
#include <utility>
#include <variant>
#include <vector>

namespace tensordsl::tune {
namespace {

/// `name`, or a longer one that is none of `taken`.
std::string apart_from(const std::set<std::string>& taken, std::string name) {
  while (taken.contains(name)) name += "_t";
  return name;
}

}  // namespace

DirectiveRenamer::DirectiveRenamer(std::map<std::string, std::string> names, std::set<std::string> taken)
    : names_(std::move(names)), taken_(std::move(taken)) {}

schedule::LoggedDirective DirectiveRenamer::renamed(schedule::LoggedDirective entry) {
  const std::string made_before = schedule::made_func(entry);
  entry.target.function = func(entry.target.function);
  for (schedule::Argument& argument : entry.directive.arguments) rename(argument);
  const std::string made_now = schedule::made_func(entry);
  if (made_now != made_before) funcs_.insert_or_assign(made_before, made_now);
  return entry;
}

std::string DirectiveRenamer::func(const std::string& name) const {
  const auto made = funcs_.find(name);
  return made == funcs_.end() ? name : made->second;
}

std::string DirectiveRenamer::var(const std::string& name) const {
  const auto known = names_.find(name);
  return known == names_.end() ? apart_from(taken_, name) : known->second;
}

/// Its dimensions are words in it.
std::string DirectiveRenamer::layout(const std::string& text) const {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::string result;
  for (auto at = text.begin(); at != text.end();) {
    const auto end = std::find_if_not(at, text.end(), is_part);
    const auto known = names_.find(std::string(at, end));
    result += known == names_.end() ? std::string(at, end) : known->second;
    at = end;
    if (at != text.end()) result += *at++;
  }
  return result;
}

void DirectiveRenamer::rename(schedule::Argument& argument) const {
  if (auto* one = std::get_if<schedule::VarName>(&argument)) one->name = var(one->name);
  if (auto* list = std::get_if<std::vector<schedule::VarName>>(&argument)) {
    for (schedule::VarName& one : *list) one.name = var(one.name);
  }
  if (auto* one = std::get_if<schedule::FuncName>(&argument)) one->name = func(one->name);
  if (auto* list = std::get_if<std::vector<schedule::FuncName>>(&argument)) {
    for (schedule::FuncName& one : *list) one.name = func(one.name);
  }
  if (auto* stage = std::get_if<schedule::StageName>(&argument)) stage->function = func(stage->function);
  if (auto* text = std::get_if<std::string>(&argument)) *text = layout(*text);
}

}  // namespace tensordsl::tune
