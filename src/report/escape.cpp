#include "report/escape.h"

#include <nlohmann/json.hpp>

#include "base/json_text.h"

namespace tensordsl::report {
namespace {

void replace_all(std::string& text, std::string_view old, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += by.size())
    text.replace(at, old.size(), by);
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  return parse_json(dump_json(std::string(text), -1, InvalidUtf8::Replace)).get<std::string>();
}

std::string html_text(std::string_view text) {
  std::string result;
  for (const char c : valid_utf8(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default: {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte >= 0x20 && byte != 0x7f) || c == '\n' || c == '\t') result += c;
      }
    }
  }
  return result;
}

std::string script_text(std::string_view javascript) {
  std::string result(javascript);
  // These occur only in strings and regular expressions, and a backslash means nothing there.
  replace_all(result, "</s", "<\\/s");
  replace_all(result, "</S", "<\\/S");
  replace_all(result, "<!--", "<\\!--");
  return result;
}

std::string json_script_text(std::string_view json) {
  std::string result(json);
  replace_all(result, "<", "\\u003c");
  return result;
}

}  // namespace tensordsl::report
