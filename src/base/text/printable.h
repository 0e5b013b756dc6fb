// Makes text from an untrusted file printable.
#pragma once

#include <string>
#include <string_view>

namespace tensordsl {

/// True for valid UTF-8 without control characters, of at most 1000 bytes: fit to be a name.
bool is_printable(std::string_view text);
/// Returns `text` with everything but printable ASCII and UTF-8 replaced by '?', cut after 1000 bytes: fit
/// for a message.
std::string printable(std::string_view text);

}  // namespace tensordsl
