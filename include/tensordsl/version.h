// Version of tensordsl.
#pragma once

namespace tensordsl {

/// "0.1.0"
const char* version();

}  // namespace tensordsl
