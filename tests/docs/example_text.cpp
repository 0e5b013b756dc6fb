#include "docs/example_text.h"

#include <sstream>

#include "tensordsl/error.h"

namespace tensordsl::docs {
namespace {

template <typename E>
bool is_a(const Error& error) {
  return dynamic_cast<const E*>(&error) != nullptr;
}

std::string kind_of(const Error& error) {
  if (is_a<DefinitionError>(error)) return "DefinitionError";
  if (is_a<ScheduleError>(error)) return "ScheduleError";
  if (is_a<ShapeError>(error)) return "ShapeError";
  if (is_a<ModelError>(error)) return "ModelError";
  if (is_a<DeviceError>(error)) return "DeviceError";
  return is_a<ParseError>(error) ? "ParseError" : "Error";
}

}  // namespace

std::string with_comment(const std::string& code, const std::string& said) {
  constexpr std::size_t kColumns = 100;
  std::string text = code;
  std::istringstream lines(said);
  for (std::string line; std::getline(lines, line);) {
    std::string rest = "// " + line;
    while (rest.size() > kColumns) {
      const std::size_t space = rest.rfind(' ', kColumns);
      text += rest.substr(0, space) + "\n";
      rest = "//     " + rest.substr(space + 1);
    }
    text += rest + "\n";
  }
  return text;
}

std::string refusal_of(void (*run)()) {
  try {
    run();
  } catch (const Error& error) {
    return kind_of(error) + ": " + error.what();
  }
  return "nothing";
}

}  // namespace tensordsl::docs
