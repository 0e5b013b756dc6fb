// Code of a document with what it gives.
#pragma once

#include <string>

namespace tensordsl::docs {

/// "code" and below it each line of `said` as a comment; a line over 100 columns goes on in the next.
std::string with_comment(const std::string& code, const std::string& said);

/// "DefinitionError: f is used before it is defined"; "nothing" if `run` throws no Error.
std::string refusal_of(void (*run)());

}  // namespace tensordsl::docs
