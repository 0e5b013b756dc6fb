// Reads documents for tests.
#pragma once

#include <string>
#include <vector>

namespace tensordsl::docs {

/// The blocks of C++ that no "<!-- generated: NAME -->" stands directly before: the first line of each.
std::vector<std::string> written_code(const std::string& markdown);

/// Targets of links, [text](target), in order; not those in code.
std::vector<std::string> links_of(const std::string& markdown);

/// The anchors of the headings, as GitHub makes them: "Add a pass, say" has add-a-pass-say.
std::vector<std::string> anchors_of(const std::string& markdown);

/// Files and folders of the project that stand in `backticks`: `src/ir/text/print.h`. Of each the part before
/// a ":".
std::vector<std::string> paths_of(const std::string& markdown, const std::vector<std::string>& folders);

/// The names of the generated blocks, in order.
std::vector<std::string> generated_names(const std::string& markdown);

}  // namespace tensordsl::docs
