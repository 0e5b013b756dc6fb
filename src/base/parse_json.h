// JSON from outside: no text of it ends the process.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace tensordsl {

/// As nlohmann's parser, which copies what it has read by recursion: lists and objects that are more than 64
/// deep, which nothing of ours has, are a ParseError. Throws what that parser throws too.
nlohmann::ordered_json parse_json(std::string_view text);

}  // namespace tensordsl
