#include "base/write_file.h"

#include <fmt/format.h>

#include <fstream>

#include "tensordsl/error.h"

namespace tensordsl {

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw Error(fmt::format("cannot write {}", path.string()));
}

}  // namespace tensordsl
