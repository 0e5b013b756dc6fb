// JSON as text. nlohmann's parser and writer are templates that take a second to compile: json_text.cpp
// compiles them once.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace tensordsl {

/// Returns the value that `text` describes. Lists and objects more than 64 levels deep are a ParseError,
/// because nlohmann's library copies values by recursion. Throws the exceptions of nlohmann's parser, too.
nlohmann::ordered_json parse_json(std::string_view text);

/// Returns the value that `text` describes, or a discarded value (is_discarded()) if `text` is not JSON or
/// too deep.
nlohmann::ordered_json parse_json_or_discard(std::string_view text);

/// Says how dump_json treats bytes of strings that are not UTF-8.
enum class InvalidUtf8 {
  Throw,    ///< Throws nlohmann's type_error.
  Replace,  ///< Writes U+FFFD for each invalid byte.
};

/// Returns `json` as text: on one line, or indented by `indent` spaces for each level.
std::string dump_json(const nlohmann::ordered_json& json, int indent = -1,
                      InvalidUtf8 invalid = InvalidUtf8::Throw);

}  // namespace tensordsl
