#pragma once

#include "definitions/stored_group.h"

namespace tensordsl {

using Group = StoredGroup;

}  // namespace tensordsl
