// Data that the forms of a Schedule share: its directives, and the table of all directives.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schedule/directive.h"
#include "tensordsl/func.h"

namespace tensordsl::schedule {

struct DirectiveList {
  std::vector<LoggedDirective> directives;
  bool has_several_outputs = false;
};

/// A way to call a directive.
struct DirectiveForm {
  std::string_view name;
  std::vector<ArgumentKind> parameters;
  /// Gives the directive. `outputs` are the pipeline in which names are looked up. Throws the errors of the
  /// directive.
  void (*call)(Stage& stage, const std::vector<Argument>& arguments, const std::vector<Func>& outputs);
};

/// Returns every form of every directive. Forms of one name differ in the number of parameters.
const std::vector<DirectiveForm>& directive_forms();

/// Returns the directives given so far to a pipeline, in an order in which they can be given again. Throws
/// DefinitionError if it is not a whole pipeline.
std::vector<LoggedDirective> directives_of(const std::vector<Func>& outputs);
/// Gives one of these to a pipeline. Throws the errors of the directive.
void give(const LoggedDirective& directive, const std::vector<Func>& outputs);

/// Returns the stage of a pipeline. Throws ScheduleError if there is none.
Stage find_stage(const std::vector<Func>& outputs, const StageName& name);

/// Returns the form of that name and number of arguments; null if there is none.
const DirectiveForm* find_form(std::string_view name, std::size_t arguments);

}  // namespace tensordsl::schedule
