// Documents with blocks that the compiler prints.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>

#include "docs/text_file.h"
#include "support/source_dir.h"

namespace tensordsl::docs {

/// Returns `document` with text_of(NAME) in the code block after each "<!-- generated: NAME -->", and in the
/// table, up to the next empty line, after each "<!-- table: NAME -->".
inline std::string with_generated_blocks(const std::string& document,
                                         const std::function<std::string(const std::string&)>& text_of) {
  const std::string block = "<!-- generated: ", table = "<!-- table: ", fence = "```", end = " -->";
  std::string result;
  std::size_t position = 0;
  while (true) {
    const std::size_t next_block = document.find(block, position),
                      next_table = document.find(table, position);
    const std::size_t marker = std::min(next_block, next_table);
    if (marker == std::string::npos) return result + document.substr(position);
    const bool is_table = marker == next_table;
    const std::size_t name = marker + (is_table ? table : block).size();
    const std::size_t name_end = document.find(end, name);
    const std::size_t begin = is_table ? name_end : document.find(fence, name);
    const std::size_t body = begin == std::string::npos ? begin : document.find('\n', begin);
    const std::size_t close =
        body == std::string::npos ? body : document.find(is_table ? "\n\n" : "\n" + fence, body);
    if (close == std::string::npos) throw std::runtime_error("a generated block is not closed");
    result += document.substr(position, body + 1 - position);
    std::string text = text_of(document.substr(name, name_end - name));
    while (text.ends_with('\n')) text.pop_back();
    result += text;
    position = close;
  }
}

/// True if the document is current, or was brought up to date because TENSORDSL_UPDATE_DOCS asks for it.
inline bool is_current(const std::string& path,
                       const std::function<std::string(const std::string&)>& text_of) {
  const std::string document = read_file(path);
  const std::string current = with_generated_blocks(document, text_of);
  if (document == current) return true;
  const char* update = std::getenv("TENSORDSL_UPDATE_DOCS");
  if (update == nullptr || *update == '\0') return false;
  std::ofstream(source_dir() / path, std::ios::binary) << current;
  return true;
}

}  // namespace tensordsl::docs
