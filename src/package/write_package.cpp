// A package -> a folder or a file
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>

#include "base/mapped_file.h"
#include "base/text/printable.h"
#include "package/begin_package.h"
#include "package/package_index.h"
#include "runtime/json/folder_writer.h"
#include "runtime/json/program_files.h"
#include "tensordsl/error.h"
#include "tensordsl/package.h"

namespace tensordsl {
namespace {

namespace fs = std::filesystem;

/// Returns a package's files that a Program does not have.
std::vector<runtime::ProgramFile> extra_files(const Package& package) {
  std::vector<runtime::ProgramFile> files;
  if (!package.profile.empty()) files.push_back({kProfileName, {}, package.profile});
  std::set<std::string> names;
  for (const DeviceBinary& binary : package.binaries) {
    if (!runtime::is_file_name(binary.name) || !names.insert(binary.name).second)
      throw Error(fmt::format("write_package: \"{}\" is not a valid name for a binary, or is used twice",
                              printable(binary.name)));
    files.push_back(
        {binary.name + kBinaryEnding, {}, {reinterpret_cast<const char*>(binary.data.get()), binary.size}});
  }
  return files;
}

std::vector<runtime::ProgramFile> files_of(const Package& package) {
  std::vector<runtime::ProgramFile> files = runtime::files_of(*package.program);
  for (runtime::ProgramFile& file : extra_files(package)) files.push_back(std::move(file));
  return files;
}

PackageIndex index_of(const Package& package, const std::vector<runtime::ProgramFile>& files) {
  PackageIndex index{package.made_from, package.compiled_for, {}};
  for (const runtime::ProgramFile& file : files)
    index.entries.push_back({file.name, 0, file.bytes().size(), to_hex(checksum(file.bytes()))});
  return index;
}

/// Removes the files of the package that is in the folder. A file of the index's name that is not an index
/// belongs to the user: it is kept, and the folder is not written to.
void remove_package(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder / kIndexName, error)) return;
  try {
    const PackageIndex old = index_from_json(MappedFile(folder / kIndexName).text());
    fs::remove(folder / kIndexName, error);  // first: the other files alone are not a package
    for (const PackageEntry& entry : old.entries) fs::remove(folder / entry.name, error);
  } catch (const ParseError&) {
    throw Error(
        fmt::format("cannot write a package into {}: its {} is not the index of a package; name another "
                    "folder, or remove that file",
                    folder.string(), kIndexName));
  }
}

void write_folder(const Package& package, const fs::path& folder) {
  const std::string index = to_json(index_of(package, files_of(package)));
  remove_package(folder);
  runtime::FolderWriter writer(folder);
  write_program(*package.program, folder.string());
  for (const runtime::ProgramFile& file : runtime::files_of(*package.program)) writer.adopt(file.name);
  for (const runtime::ProgramFile& file : extra_files(package)) writer.write(file.name, file.bytes());
  writer.write(kIndexName, index);
  writer.finish();
}

/// Writes to a temporary file first, so that processes that have the old one mapped keep it.
void write_one_file(const Package& package, const fs::path& path) {
  const std::vector<runtime::ProgramFile> files = files_of(package);
  PackageIndex index = index_of(package, files);
  const std::string begin = begin_package(index);
  const auto refuse = [&](int code) {
    throw Error(fmt::format("cannot write {}: {}", path.string(), std::strerror(code)));
  };
  std::string temporary = path.string() + ".new-XXXXXX";
  const int descriptor = mkstemp(temporary.data());
  if (descriptor < 0) refuse(errno);
  std::FILE* file = fdopen(descriptor, "wb");
  std::uint64_t written = 0;
  bool is_good = file != nullptr && fchmod(descriptor, 0644) == 0;
  const auto write = [&](std::string_view bytes) {
    is_good = is_good && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    written += bytes.size();
  };
  write(begin);
  for (std::size_t i = 0; i < files.size(); ++i) {
    write(std::string(index.entries[i].offset - written, '\0'));
    write(files[i].bytes());
  }
  // The data is on the disk before the file gets its name: a package is complete, or does not exist.
  is_good = is_good && std::fflush(file) == 0 && fsync(descriptor) == 0;
  int problem = is_good ? 0 : errno;
  if (file != nullptr && std::fclose(file) != 0 && is_good) problem = errno;
  if (problem == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) problem = errno;
  if (problem == 0) return;
  std::error_code ignored;
  fs::remove(temporary, ignored);
  refuse(problem);
}

}  // namespace

void write_package(const Package& package, const std::string& place) {
  if (!package.program) throw Error("write_package: the package has no Program; set one");
  if (place.ends_with(kPackageEnding)) {
    write_one_file(package, place);
  } else {
    write_folder(package, place);
  }
}

}  // namespace tensordsl
