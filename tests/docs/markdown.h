// What tests ask of documents.
#pragma once

#include <string>
#include <vector>

namespace tensordsl::docs {

/// The blocks of C++ that no "<!-- generated: NAME -->" stands directly before: the first line of each.
std::vector<std::string> written_code(const std::string& markdown);

/// The names of the generated blocks, in order.
std::vector<std::string> generated_names(const std::string& markdown);

}  // namespace tensordsl::docs
