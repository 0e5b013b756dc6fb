#include "runtime/buffer/npz.h"

#include <fmt/format.h>
#include <zip.h>

#include <memory>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/printable.h"
#include "runtime/buffer/npy.h"
#include "tensordsl/error.h"

namespace tensordsl::runtime {
namespace {

// Deflate makes at most 1032 bytes from one, so a file that claims to unpack to more lies.
constexpr std::uint64_t kDeflateRatio = 1032;

using Archive = std::unique_ptr<zip_t, decltype(&zip_discard)>;
using Member = std::unique_ptr<zip_file_t, decltype(&zip_fclose)>;

Archive open_archive(const std::filesystem::path& path, int flags) {
  int code = 0;
  Archive archive(zip_open(path.c_str(), flags, &code), &zip_discard);
  if (!archive) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string text = zip_error_strerror(&error);
    zip_error_fini(&error);
    throw ModelError(fmt::format("{}: {}", path.string(), text));
  }
  return archive;
}

zip_stat_t stat_of(zip_t* archive, zip_uint64_t index) {
  zip_stat_t stat;
  zip_stat_init(&stat);
  constexpr zip_uint64_t kNeeded =
      ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
  if (zip_stat_index(archive, index, 0, &stat) != 0 || (stat.valid & kNeeded) != kNeeded) {
    throw ModelError("malformed zip directory");
  }
  return stat;
}

Buffer read_member(zip_t* archive, zip_uint64_t index, const zip_stat_t& stat) {
  if (stat.encryption_method != ZIP_EM_NONE) throw ModelError("encrypted");
  if (stat.comp_method != ZIP_CM_STORE && stat.comp_method != ZIP_CM_DEFLATE) {
    throw ModelError(fmt::format("compression method {} is not supported; supported: store and deflate",
                                 stat.comp_method));
  }
  const Member member(zip_fopen_index(archive, index, 0), &zip_fclose);
  if (!member) throw ModelError(zip_strerror(archive));
  const auto read = [&](std::span<std::byte> to) {
    while (!to.empty()) {
      const zip_int64_t count = zip_fread(member.get(), to.data(), to.size());
      if (count < 0) throw ModelError(zip_file_strerror(member.get()));
      if (count == 0) throw ModelError("the data is truncated");
      to = to.subspan(static_cast<std::size_t>(count));
    }
  };
  Buffer buffer = read_npy(stat.size, read);
  std::byte past_the_end;
  const zip_int64_t count = zip_fread(member.get(), &past_the_end, 1);  // libzip checks the CRC at the end
  if (count < 0) throw ModelError(zip_file_strerror(member.get()));
  if (count > 0) throw ModelError("more data than the zip directory declares");
  return buffer;
}

std::pair<std::string, Buffer> read_array(zip_t* archive, zip_uint64_t index, std::uint64_t& allowance) {
  const zip_stat_t stat = stat_of(archive, index);
  std::string name = stat.name;
  try {
    if (!name.ends_with(".npy")) throw ModelError("not a .npy array");
    name.resize(name.size() - 4);
    if (stat.size > allowance)
      throw ModelError("the zip directory declares more data than the file can hold");
    allowance -= stat.size;
    return {name, read_member(archive, index, stat)};
  } catch (const Error& e) {
    throw ModelError(fmt::format("{}: {}", printable(name), e.what()));
  } catch (const std::bad_alloc&) {
    throw ModelError(fmt::format("{}: not enough memory for {} bytes", printable(name), stat.size));
  }
}

void add_array(zip_t* archive, const std::string& name, const std::string& contents) {
  zip_source_t* source = zip_source_buffer(archive, contents.data(), contents.size(), 0);
  if (source == nullptr) throw ModelError(zip_strerror(archive));
  const zip_int64_t index = zip_file_add(archive, (name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    throw ModelError(fmt::format("{}: {}", printable(name), zip_strerror(archive)));
  }
  const auto member = static_cast<zip_uint64_t>(index);
  constexpr zip_uint16_t kFirstDosDate = (1 << 5) | 1;  // 1980-01-01: no clock in the file
  if (zip_set_file_compression(archive, member, ZIP_CM_STORE, 0) != 0 ||
      zip_file_set_dostime(archive, member, 0, kFirstDosDate, 0) != 0) {
    throw ModelError(fmt::format("{}: {}", printable(name), zip_strerror(archive)));
  }
}

}  // namespace

std::map<std::string, Buffer> read_npz(const std::filesystem::path& path) {
  const Archive archive = open_archive(path, ZIP_RDONLY);
  try {
    const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
    if (count == 0) throw ModelError("the file contains no arrays");
    // One allowance for all members: members that share their bytes do not get more by it.
    std::uint64_t allowance = std::filesystem::file_size(path) * kDeflateRatio;
    std::map<std::string, Buffer> arrays;
    for (zip_int64_t i = 0; i < count; ++i) {
      auto [name, buffer] = read_array(archive.get(), static_cast<zip_uint64_t>(i), allowance);
      if (!arrays.emplace(name, std::move(buffer)).second) {
        throw ModelError(fmt::format("{}: two arrays have this name", printable(name)));
      }
    }
    return arrays;
  } catch (const ModelError& e) {
    throw ModelError(fmt::format("{}: {}", path.string(), e.what()));
  } catch (const std::filesystem::filesystem_error& e) {
    throw ModelError(fmt::format("{}: {}", path.string(), e.code().message()));
  }
}

void write_npz(const std::filesystem::path& path, const std::map<std::string, Buffer>& arrays) {
  if (arrays.empty()) throw ModelError(fmt::format("{}: no arrays to write", path.string()));
  std::vector<std::string> contents;  // libzip reads them when the archive is closed
  contents.reserve(arrays.size());
  Archive archive = open_archive(path, ZIP_CREATE | ZIP_TRUNCATE);
  try {
    for (const auto& [name, buffer] : arrays) {
      contents.push_back(npy_header(buffer));
      contents.back().append(reinterpret_cast<const char*>(buffer.bytes().data()), buffer.size_bytes());
      add_array(archive.get(), name, contents.back());
    }
    if (zip_close(archive.get()) != 0) throw ModelError(zip_strerror(archive.get()));
    archive.release();
  } catch (const ModelError& e) {
    throw ModelError(fmt::format("{}: {}", path.string(), e.what()));
  }
}

}  // namespace tensordsl::runtime
