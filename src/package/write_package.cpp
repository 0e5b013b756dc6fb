// A package -> a folder or a file
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "base/mapped_file.h"
#include "base/write_file.h"
#include "package/begin_package.h"
#include "package/package_index.h"
#include "runtime/program_files.h"
#include "tensordsl/error.h"
#include "tensordsl/package.h"

namespace tensordsl {
namespace {

namespace fs = std::filesystem;

std::vector<ProgramFile> files_of(const Package& package) {
  if (!package.program) throw Error("write_package: there is no Program in the package; give it one");
  std::vector<ProgramFile> files = files_of(*package.program);
  if (!package.profile.empty()) files.push_back({kProfileName, {}, package.profile});
  for (const DeviceBinary& binary : package.binaries) {
    files.push_back(
        {binary.name + kBinaryEnding, {}, {reinterpret_cast<const char*>(binary.data.get()), binary.size}});
  }
  return files;
}

PackageIndex index_of(const Package& package, const std::vector<ProgramFile>& files) {
  PackageIndex index{package.made_from, package.compiled_for, {}};
  for (const ProgramFile& file : files)
    index.entries.push_back({file.name, 0, file.bytes().size(), to_hex(checksum(file.bytes()))});
  return index;
}

/// The files of a package, and of a Program, that is in the folder.
void remove_package(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_regular_file(folder / kIndexName, error)) return;
  try {
    const PackageIndex old = index_from_json(MappedFile(folder / kIndexName).text());
    for (const PackageEntry& entry : old.entries) {
      if (is_file_name(entry.name)) fs::remove(folder / entry.name, error);
    }
  } catch (const Error&) {
    // It is no package: its files are somebody's own.
  }
  fs::remove(folder / kIndexName, error);
}

void write_folder(const Package& package, const fs::path& folder) {
  remove_package(folder);
  write_program(*package.program, folder.string());
  const std::vector<ProgramFile> files = files_of(package);
  const std::size_t of_program = files_of(*package.program).size();
  for (std::size_t i = of_program; i < files.size(); ++i)
    write_file(folder / files[i].name, files[i].bytes());
  write_file(folder / kIndexName, to_json(index_of(package, files)));
}

/// Into a file beside it first, so that whoever has the old one mapped keeps it.
void write_one_file(const Package& package, const fs::path& path) {
  const std::vector<ProgramFile> files = files_of(package);
  PackageIndex index = index_of(package, files);
  const std::string begin = begin_package(index);
  const fs::path temporary = fmt::format("{}.new-{}", path.string(), getpid());
  std::FILE* file = std::fopen(temporary.c_str(), "wb");
  std::uint64_t written = 0;
  bool is_good = file != nullptr;
  const auto write = [&](std::string_view bytes) {
    is_good = is_good && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    written += bytes.size();
  };
  write(begin);
  for (std::size_t i = 0; i < files.size(); ++i) {
    write(std::string(index.entries[i].offset - written, '\0'));
    write(files[i].bytes());
  }
  is_good = file != nullptr && std::fclose(file) == 0 && is_good;
  std::error_code error;
  if (is_good) fs::rename(temporary, path, error);
  if (is_good && !error) return;
  fs::remove(temporary, error);
  throw Error(fmt::format("cannot write {}", path.string()));
}

}  // namespace

void write_package(const Package& package, const std::string& place) {
  if (!package.program) throw Error("write_package: there is no Program in the package; give it one");
  if (place.ends_with(kPackageEnding)) {
    write_one_file(package, place);
  } else {
    write_folder(package, place);
  }
}

}  // namespace tensordsl
