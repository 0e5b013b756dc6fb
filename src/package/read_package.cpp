// Reads a package into a Program for Runners.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>

#include "base/mapped_file.h"
#include "base/text/printable.h"
#include "package/package_format.h"
#include "package/package_index.h"
#include "runtime/json/program_files.h"
#include "tensordsl/error.h"
#include "tensordsl/package.h"

namespace tensordsl {
namespace {

namespace fs = std::filesystem;

using Bytes = Program::Bytes;

std::string_view text_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data.get()), bytes.size};
}

[[noreturn]] void damaged(const std::string& how) {
  throw ParseError(fmt::format("the package is damaged: {}; copy it again, or compile it again", how));
}

template <typename Integer>
Integer little_endian(const std::byte* from) {
  Integer value = 0;
  for (std::size_t i = 0; i < sizeof value; ++i)
    value |= static_cast<Integer>(std::to_integer<Integer>(from[i]) << (8 * i));
  return value;
}

/// Returns a file of the package, before it is compared with the index.
using FileOf = std::function<Bytes(const PackageEntry& entry)>;

Package package_of(const PackageIndex& index, const FileOf& file_of) {
  // All of them first: of a damaged package nothing is read.
  std::vector<Bytes> files;
  for (const PackageEntry& entry : index.entries) {
    Bytes file = file_of(entry);
    if (file.size != entry.bytes)
      damaged(fmt::format("{} has {} bytes, but should have {}", entry.name, file.size, entry.bytes));
    if (to_hex(checksum(text_of(file))) != entry.checksum)
      damaged(fmt::format("the checksum of {} does not match", entry.name));
    files.push_back(std::move(file));
  }
  const auto contents = [&](const std::string& name) {
    const PackageEntry* entry = index.find(name);
    if (!entry) damaged(fmt::format("the file {} is missing", name));
    return files[static_cast<std::size_t>(entry - index.entries.data())];
  };
  Package package;
  package.made_from = index.made_from;
  package.compiled_for = index.compiled_for;
  package.program =
      std::make_shared<const Program>(runtime::program_of_files(text_of(contents(kProgramName)), contents));
  if (index.find(kProfileName)) package.profile = text_of(contents(kProfileName));
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string& name = index.entries[i].name;
    if (name.ends_with(kBinaryEnding))
      package.binaries.push_back(
          {name.substr(0, name.size() - std::strlen(kBinaryEnding)), files[i].data, files[i].size});
  }
  return package;
}

/// Reads the header and the index that precede the files in a package of one file.
PackageIndex index_of_file(const Bytes& file) {
  const std::byte* header = file.data.get();
  if (file.size < kPackageHeaderBytes) damaged("its header is truncated");
  const auto version = little_endian<std::uint32_t>(header + 8);
  if (version != kPackageVersion)
    throw ParseError(fmt::format(
        "unsupported package version {}; this library reads version {}; compile the package again", version,
        kPackageVersion));
  const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
  if (!std::all_of(header + 12, header + 16, is_zero) ||
      !std::all_of(header + 40, header + kPackageHeaderBytes, is_zero))
    damaged("reserved bytes of its header are not 0");
  const auto bytes = little_endian<std::uint64_t>(header + 16);
  if (bytes > file.size - kPackageHeaderBytes) damaged("its index is truncated");
  const std::string_view index = text_of(file).substr(kPackageHeaderBytes, static_cast<std::size_t>(bytes));
  if (std::memcmp(checksum(index).data(), header + 24, sizeof(Checksum)) != 0)
    damaged("the checksum of its index does not match");
  PackageIndex result = index_from_json(index);
  std::uint64_t end = kPackageHeaderBytes + bytes;
  for (const PackageEntry& entry : result.entries) {
    if (entry.offset < end || entry.offset > file.size || entry.bytes > file.size - entry.offset)
      damaged(fmt::format("{} is outside the package, or overlaps another file", entry.name));
    end = entry.offset + entry.bytes;
  }
  return result;
}

Package package_of_file(const Bytes& file) {
  return package_of(index_of_file(file), [&](const PackageEntry& entry) {
    // Shares the owner of the whole.
    return Bytes{{file.data, file.data.get() + entry.offset}, static_cast<std::size_t>(entry.bytes)};
  });
}

bool is_package_file(const Bytes& file) { return text_of(file).starts_with(kPackageMagic); }

Bytes mapped(const fs::path& path) {
  const MappedFile file(path);
  return {file.data(), file.size()};
}

Package package_of_folder(const fs::path& folder) {
  return package_of(index_from_json(MappedFile(folder / kIndexName).text()),
                    [&](const PackageEntry& entry) { return mapped(folder / entry.name); });
}

/// Returns the package of a Program without a package around it.
Package package_of_program(const std::string& place) {
  std::error_code error;
  if (fs::is_directory(place, error) && !fs::exists(fs::path(place) / kProgramName, error))
    throw ParseError(fmt::format("not a package: it has neither {} nor {}", kIndexName, kProgramName));
  Package package;
  package.program = std::make_shared<const Program>(read_program(place));
  return package;
}

}  // namespace

Package read_package(const std::string& place) {
  std::error_code error;
  try {
    if (fs::is_directory(place, error)) {
      return fs::exists(fs::path(place) / kIndexName, error) ? package_of_folder(place)
                                                             : package_of_program(place);
    }
    const Bytes file = mapped(place);
    if (is_package_file(file)) return package_of_file(file);
    if (text_of(file).starts_with('{')) return package_of_program(place);
    throw ParseError(
        "not a package; create one with 'tensordsl compile MODEL -o NAME.tdsl', or in Python with "
        "compile(MODEL).save");
  } catch (const ParseError& e) {
    const std::string what = printable(e.what());
    throw ParseError(what.starts_with(place) ? what : fmt::format("{}: {}", place, what));
  }
}

Package read_package(std::span<const std::byte> file, std::shared_ptr<const void> owner,
                     const std::string& name) {
  const Bytes bytes{std::shared_ptr<const std::byte[]>(std::move(owner), file.data()), file.size()};
  try {
    if (!is_package_file(bytes))
      throw ParseError(
          "not a package; create one with 'tensordsl compile MODEL -o NAME.tdsl', or in Python with "
          "compile(MODEL).save");
    return package_of_file(bytes);
  } catch (const ParseError& e) {
    throw ParseError(fmt::format("{}: {}", name, printable(e.what())));
  }
}

}  // namespace tensordsl
