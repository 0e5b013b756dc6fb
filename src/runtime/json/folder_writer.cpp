#include "runtime/json/folder_writer.h"

#include <fmt/format.h>

#include <system_error>

#include "base/write_file.h"
#include "tensordsl/error.h"

namespace tensordsl::runtime {

FolderWriter::FolderWriter(std::filesystem::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  is_made_ = std::filesystem::create_directories(folder_, error);
  if (error) throw Error(fmt::format("cannot create the folder {}: {}", folder_.string(), error.message()));
}

FolderWriter::~FolderWriter() {
  if (is_finished_) return;
  std::error_code ignored;
  for (const std::string& name : names_) std::filesystem::remove(folder_ / name, ignored);
  if (is_made_) std::filesystem::remove(folder_, ignored);
}

void FolderWriter::write(const std::string& name, std::string_view bytes) {
  names_.push_back(name);
  write_file(folder_ / name, bytes);
}

}  // namespace tensordsl::runtime
