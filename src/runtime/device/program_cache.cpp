#include "runtime/device/program_cache.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/checksum.h"
#include "base/mapped_file.h"
#include "tensordsl/error.h"

namespace tensordsl::runtime {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<unsigned char>;

constexpr std::string_view kCacheMagic = "TDSLPROG";
constexpr std::uint32_t kFormatVersion = 2;
constexpr std::string_view kTemporary = "new-";

template <typename Integer>
void append_little_endian(Bytes& to, Integer value) {
  for (std::size_t i = 0; i < sizeof value; ++i) to.push_back(static_cast<unsigned char>(value >> (8 * i)));
}

void append(Bytes& to, std::string_view text) { to.insert(to.end(), text.begin(), text.end()); }

/// All that precedes the binary. A file is trusted only if it begins with just these bytes.
Bytes header_of(const ProgramKey& key, std::span<const unsigned char> binary) {
  Bytes header(kCacheMagic.begin(), kCacheMagic.end());
  append_little_endian(header, kFormatVersion);
  append_little_endian(header, static_cast<std::uint64_t>(key.built_from.size()));
  append(header, key.built_from);
  append_little_endian(header, static_cast<std::uint64_t>(binary.size()));
  const Checksum sum = checksum(std::as_bytes(binary));
  header.insert(header.end(), sum.begin(), sum.end());
  return header;
}

std::size_t header_size(const ProgramKey& key) { return 8 + 4 + 8 + key.built_from.size() + 8 + 16; }

const char* environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

}  // namespace

void ProgramKey::add(std::string_view text) { built_from += fmt::format("{}:{}\n", text.size(), text); }

std::string ProgramKey::name() const { return to_hex(checksum(built_from)); }

ProgramKey program_key(const KernelSource& source, const std::vector<std::string>& device_identity) {
  ProgramKey key;
  key.add(source.text);
  key.add(source.options);
  for (const std::string& text : device_identity) key.add(text);
  return key;
}

Bytes cache_entry(const ProgramKey& key, std::span<const unsigned char> binary) {
  Bytes entry = header_of(key, binary);
  entry.insert(entry.end(), binary.begin(), binary.end());
  return entry;
}

std::optional<ProgramBinary> binary_of_entry(const ProgramKey& key, std::span<const unsigned char> entry) {
  const std::size_t size = header_size(key);
  if (entry.size() < size) return std::nullopt;
  const auto binary = entry.subspan(size);
  if (!std::ranges::equal(header_of(key, binary), entry.first(size))) return std::nullopt;
  return ProgramBinary(binary.begin(), binary.end());
}

std::optional<fs::path> ProgramCache::folder_of_environment() {
  if (const char* state = environment("TENSORDSL_CACHE"); state != nullptr) {
    if (std::string_view(state) == "off") return std::nullopt;
    if (std::string_view(state) != "on")
      throw Error(fmt::format("TENSORDSL_CACHE={}: expected on or off", state));
  }
  if (const char* folder = environment("TENSORDSL_CACHE_DIR")) return folder;
  if (const char* folder = environment("XDG_CACHE_HOME")) return fs::path(folder) / "tensordsl";
  if (const char* home = environment("HOME")) return fs::path(home) / ".cache" / "tensordsl";
  return std::nullopt;
}

std::optional<ProgramBinary> ProgramCache::load(const ProgramKey& key) const {
  if (!folder_) return std::nullopt;
  const fs::path path = path_of(key);
  std::optional<ProgramBinary> binary;
  try {
    const MappedFile file(path);
    binary = binary_of_entry(key, {reinterpret_cast<const unsigned char*>(file.data().get()), file.size()});
  } catch (const Error&) {
    return std::nullopt;
  }
  std::error_code error;
  if (binary) fs::last_write_time(path, fs::file_time_type::clock::now(), error);
  return binary;
}

std::uintmax_t ProgramCache::limit_of_environment() {
  constexpr std::uintmax_t kMiB = 1 << 20, kDefault = 1024;
  const char* text = environment("TENSORDSL_CACHE_LIMIT");
  std::uintmax_t limit = 0;
  const char* end = text == nullptr ? nullptr : text + std::string_view(text).size();
  const auto parsed = std::from_chars(text, end, limit);
  if (text == nullptr) return kDefault * kMiB;
  if (parsed.ec != std::errc{} || parsed.ptr != end || limit > UINTMAX_MAX / kMiB)
    throw Error(fmt::format("TENSORDSL_CACHE_LIMIT={}: expected a whole number of MiB", text));
  return limit * kMiB;
}

void ProgramCache::trim(std::uintmax_t bytes) const {
  struct Entry {
    fs::file_time_type used;
    fs::path path;
    std::uintmax_t bytes;
  };
  if (!folder_) return;
  std::error_code error;
  std::vector<Entry> entries;
  std::uintmax_t total = 0;
  // A file that is being written is young.
  const auto abandoned = fs::file_time_type::clock::now() - std::chrono::hours(24);
  for (fs::directory_iterator file(*folder_, error), end; !error && file != end; file.increment(error)) {
    // Another process may remove it meanwhile.
    std::error_code gone;
    Entry entry{file->last_write_time(gone), file->path(), 0};
    if (!gone) entry.bytes = file->file_size(gone);
    if (gone || !file->is_regular_file(gone)) continue;
    if (entry.path.extension() == kExtension || entry.path.extension() == kPackage) {
      total += entry.bytes;
      entries.push_back(std::move(entry));
    } else if (entry.path.filename().string().starts_with(kTemporary) && entry.used < abandoned) {
      fs::remove(entry.path, gone);
    }
  }
  if (total <= bytes) return;
  std::ranges::sort(entries, {}, [](const Entry& e) { return std::pair(e.used, e.path); });
  for (const Entry& entry : entries) {
    if (total <= bytes / 10 * 9) break;
    if (fs::remove(entry.path, error)) total -= entry.bytes;
  }
}

void ProgramCache::store(const ProgramKey& key, std::span<const unsigned char> binary) const {
  if (!folder_) return;
  std::error_code error;
  fs::create_directories(*folder_, error);
  std::string temporary = (*folder_ / (std::string(kTemporary) + "XXXXXX")).string();
  const int descriptor = mkstemp(temporary.data());
  if (descriptor < 0) return;
  const Bytes entry = cache_entry(key, binary);
  std::size_t written = 0;
  while (written < entry.size()) {
    const ssize_t more = write(descriptor, entry.data() + written, entry.size() - written);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) break;
    written += static_cast<std::size_t>(more);
  }
  const bool is_closed = close(descriptor) == 0;
  if (is_closed && written == entry.size()) {
    fs::rename(temporary, path_of(key), error);
    if (!error) return;
  }
  fs::remove(temporary, error);
}

}  // namespace tensordsl::runtime
