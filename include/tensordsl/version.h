// Version of tensordsl.
#pragma once

namespace tensordsl {

/// Returns the version of tensordsl: "0.1.0".
const char* version();

}  // namespace tensordsl
