#include "base/write_file.h"

#include <fmt/format.h>

#include <cstdio>

#include "tensordsl/error.h"

namespace tensordsl {

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  const bool is_written = file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  const bool is_closed = file != nullptr && std::fclose(file) == 0;
  if (!is_written || !is_closed) throw Error(fmt::format("cannot write {}", path.string()));
}

}  // namespace tensordsl
