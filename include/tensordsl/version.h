// Which version of tensordsl this is.
#pragma once

namespace tensordsl {

/// "0.1.0"
const char* version();

}  // namespace tensordsl
