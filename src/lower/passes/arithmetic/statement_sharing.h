// Names for what one statement computes more than once.
#pragma once

#include <set>
#include <string>

#include "lower/name_supply.h"
#include "lower/passes/memory/legalize_image_accesses.h"

namespace tensordsl::lower {

/// What names depend on in all statements of a kernel.
struct SharedKernel {
  const Images& images;
  std::set<std::string> registers;  // arrays that are variables already
  NameSupply names;
};

/// `stmt` inside Lets "s.0", "s.1", ... What its body holds is not looked at.
ir::Stmt share_in_statement(const ir::Stmt& stmt, SharedKernel& kernel);

}  // namespace tensordsl::lower
