// Text of others inside of a page.
#pragma once

#include <string>
#include <string_view>

namespace tensordsl::report {

/// Escapes text or a quoted attribute for HTML: `&`, `<`, `>` and quotes become entities. Control characters
/// are left out, and bytes that are not UTF-8 become U+FFFD.
std::string html_text(std::string_view text);

/// A program as the content of a <script> element: its meaning stays, and no part of it ends the element.
std::string script_text(std::string_view javascript);

/// Escapes JSON for a script element of HTML.
std::string json_script_text(std::string_view json);

/// Bytes that are not UTF-8 become U+FFFD.
std::string valid_utf8(std::string_view text);

}  // namespace tensordsl::report
