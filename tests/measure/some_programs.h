// Programs for tests that never run them.
#pragma once

#include <memory>
#include <string>

#include "tensordsl/program.h"

namespace tensordsl::measure {

inline std::shared_ptr<const Program> named_program(const std::string& name) {
  Program program;
  program.name = name;
  return std::make_shared<const Program>(std::move(program));
}

}  // namespace tensordsl::measure
