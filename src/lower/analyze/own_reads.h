// What an update reads of the Func that it updates.
#pragma once

#include <string>

#include "ir/nodes/function.h"

namespace tensordsl::lower {

/// Whether an update reads its own Func only where it writes. Reads are Loads.
bool reads_own_element_only(const ir::Definition& definition, const std::string& function);

}  // namespace tensordsl::lower
