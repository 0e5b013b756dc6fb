#include "base/write_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "tensordsl/error.h"

namespace tensordsl {

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  int problem = file == nullptr ? errno : 0;
  if (file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size()) problem = errno;
  if (file != nullptr && std::fclose(file) != 0 && problem == 0) problem = errno;
  if (problem != 0) throw Error(fmt::format("cannot write {}: {}", path.string(), std::strerror(problem)));
}

}  // namespace tensordsl
