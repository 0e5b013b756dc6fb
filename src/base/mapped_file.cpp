#include "base/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/text/printable.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const char* why) {
  throw Error(fmt::format("{}: cannot be read: {}", printable(path.string()), why));
}

/// Closes a file that was opened, on every way out.
struct Descriptor {
  explicit Descriptor(int opened) : number(opened) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number >= 0) close(number);
  }
  int number;
};

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
  // Opening does not wait: a pipe would wait for its other end.
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number < 0) refuse(path, std::strerror(errno));
  struct stat status {};
  if (fstat(file.number, &status) != 0) refuse(path, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) refuse(path, "it is not a regular file");
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ == 0) return;  // there are no empty mappings
  void* memory = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.number, 0);
  if (memory == MAP_FAILED) refuse(path, std::strerror(errno));
  data_ = std::shared_ptr<const std::byte[]>(
      static_cast<const std::byte*>(memory),
      [size = size_](const std::byte* mapped) { munmap(const_cast<std::byte*>(mapped), size); });
}

}  // namespace tensordsl
