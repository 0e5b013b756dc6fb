// A file's bytes as memory, read when they are used.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace tensordsl {

/// A file that is mapped, not copied: data() keeps the bytes, even after the file is removed or replaced by
/// another. It must not be truncated meanwhile: the system kills a process that reads beyond its end.
class MappedFile {
 public:
  /// Maps a file into memory. Throws Error that begins with the path if it is not a regular file or cannot be
  /// read.
  explicit MappedFile(const std::filesystem::path& path);

  const std::shared_ptr<const std::byte[]>& data() const { return data_; }
  std::size_t size() const { return size_; }
  std::span<const std::byte> bytes() const { return {data_.get(), size_}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data_.get()), size_}; }

 private:
  std::shared_ptr<const std::byte[]> data_;
  std::size_t size_ = 0;
};

}  // namespace tensordsl
