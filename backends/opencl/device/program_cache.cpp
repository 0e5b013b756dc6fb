#include "backends/opencl/device/program_cache.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "tensordsl/error.h"

namespace tensordsl::opencl {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<unsigned char>;

constexpr std::string_view kMagic = "TDSLPROG";
constexpr std::uint32_t kFormatVersion = 1;
constexpr std::string_view kTemporary = "new-";

template <typename Integer>
void append_little_endian(Bytes& to, Integer value) {
  for (std::size_t i = 0; i < sizeof value; ++i) to.push_back(static_cast<unsigned char>(value >> (8 * i)));
}

/// All that precedes the binary. A file is trusted only if it begins with just these bytes.
Bytes header_of(const Digest& key, std::span<const unsigned char> binary) {
  Bytes header(kMagic.begin(), kMagic.end());
  append_little_endian(header, kFormatVersion);
  header.insert(header.end(), key.begin(), key.end());
  append_little_endian(header, static_cast<std::uint64_t>(binary.size()));
  const Digest digest = Sha256().add(binary).finish();
  header.insert(header.end(), digest.begin(), digest.end());
  return header;
}

constexpr std::size_t kHeaderSize = 8 + 4 + 32 + 8 + 32;

const char* environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

}  // namespace

Digest program_key(const KernelSource& source, const std::vector<std::string>& device_identity) {
  Sha256 hash;
  hash.add_text(std::to_string(kFormatVersion)).add_text(source.text).add_text(source.options);
  for (const std::string& text : device_identity) hash.add_text(text);
  return hash.finish();
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

std::optional<Bytes> ProgramCache::load(const Digest& key) const {
  if (!folder_) return std::nullopt;
  const fs::path path = path_of(key);
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;  // a pipe of that name would block us
  std::ifstream file(path, std::ios::binary);
  Bytes bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file || bytes.size() < kHeaderSize) return std::nullopt;
  Bytes binary(bytes.begin() + kHeaderSize, bytes.end());
  bytes.resize(kHeaderSize);
  if (bytes != header_of(key, binary)) return std::nullopt;
  fs::last_write_time(path, fs::file_time_type::clock::now(), error);
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
  // What is being written is young.
  const auto abandoned = fs::file_time_type::clock::now() - std::chrono::hours(24);
  for (fs::directory_iterator file(*folder_, error), end; !error && file != end; file.increment(error)) {
    // Another process may remove it meanwhile.
    std::error_code gone;
    Entry entry{file->last_write_time(gone), file->path(), 0};
    if (!gone) entry.bytes = file->file_size(gone);
    if (gone || !file->is_regular_file(gone)) continue;
    if (entry.path.extension() == kExtension) {
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

void ProgramCache::store(const Digest& key, std::span<const unsigned char> binary) const {
  if (!folder_) return;
  std::error_code error;
  fs::create_directories(*folder_, error);
  std::string temporary = (*folder_ / (std::string(kTemporary) + "XXXXXX")).string();
  const int descriptor = mkstemp(temporary.data());
  if (descriptor < 0) return;
  close(descriptor);
  std::ofstream file(temporary, std::ios::binary);
  const auto write = [&](std::span<const unsigned char> bytes) {
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  };
  write(header_of(key, binary));
  write(binary);
  file.close();
  if (file) fs::rename(temporary, path_of(key), error);
  if (!file || error) fs::remove(temporary, error);
}

}  // namespace tensordsl::opencl
