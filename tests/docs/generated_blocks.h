// Documents with blocks that the compiler prints.
#pragma once

#include <cstdlib>
#include <functional>
#include <string>

#include "docs/text_file.h"
#include "support/source_dir.h"

namespace tensordsl::docs {

/// The document with the code block after each "<!-- generated: NAME -->" filled with text_of(NAME).
inline std::string with_generated_blocks(const std::string& document,
                                         const std::function<std::string(const std::string&)>& text_of) {
  const std::string open = "<!-- generated: ", fence = "```";
  std::string result;
  std::size_t position = 0;
  for (std::size_t marker; (marker = document.find(open, position)) != std::string::npos;) {
    const std::size_t name = marker + open.size();
    const std::size_t name_end = document.find(" -->", name);
    const std::size_t block = document.find(fence, name);
    const std::size_t body = block == std::string::npos ? block : document.find('\n', block);
    const std::size_t close = body == std::string::npos ? body : document.find("\n" + fence, body);
    if (close == std::string::npos) throw std::runtime_error("a generated block is not closed");
    result += document.substr(position, body + 1 - position);
    std::string text = text_of(document.substr(name, name_end - name));
    while (text.ends_with('\n')) text.pop_back();
    result += text;
    position = close;
  }
  return result + document.substr(position);
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
