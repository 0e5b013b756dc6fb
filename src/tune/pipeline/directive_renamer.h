// Directives of an isolated group -> the same with the names of the pipeline that it is of
#pragma once

#include <map>
#include <set>
#include <string>

#include "schedule/schedule.h"

namespace tensordsl::tune {

/// A Func that a directive makes may get another name there; so the renamer has to see a group's directives
/// in their order.
class DirectiveRenamer {
 public:
  /// `names`: of variables in the pipeline, by what they are called in the group (IsolatedGroup::names).
  /// `taken`: those of the pipeline, which no new loop may have.
  DirectiveRenamer(std::map<std::string, std::string> names, std::set<std::string> taken);

  schedule::LoggedDirective renamed(schedule::LoggedDirective entry);

 private:
  std::string func(const std::string& name) const;
  std::string var(const std::string& name) const;
  std::string layout(const std::string& text) const;
  void rename(schedule::Argument& argument) const;

  std::map<std::string, std::string> names_;
  std::set<std::string> taken_;
  std::map<std::string, std::string> funcs_;  // made by directives, by their names in the group
};

}  // namespace tensordsl::tune
