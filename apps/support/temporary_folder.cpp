#include "apps/support/temporary_folder.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tensordsl/error.h"

namespace tensordsl::apps {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder(const char* call) {
  std::string name = (fs::temp_directory_path() / "tensordsl-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw Error(fmt::format("{}: cannot create the folder {}: {}", call, name, std::strerror(errno)));
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  fs::remove_all(path_, error);
}

}  // namespace tensordsl::apps
