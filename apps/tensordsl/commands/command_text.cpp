#include "apps/tensordsl/commands/command_text.h"

#include <CLI/CLI.hpp>

#include "apps/tensordsl/console/quoted.h"

namespace tensordsl::cli {

std::string command_text(const CLI::App& app) {
  std::string places, options;
  for (const CLI::Option* option : app.get_options()) {
    if (option->count() == 0) continue;
    const bool is_place = option->get_positional();
    if (option->get_expected_min() == 0) {
      options += " " + option->get_name();
      continue;
    }
    for (const std::string& value : option->results())
      (is_place ? places : options) += (is_place ? " " : " " + option->get_name() + " ") + quoted(value);
  }
  return "tensordsl " + app.get_name() + places + options;
}

}  // namespace tensordsl::cli
