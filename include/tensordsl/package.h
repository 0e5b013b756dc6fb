// The unit of deployment: a Program with everything that it needs, as one folder or one file.
//
// docs/PACKAGE.md describes the format. A package has kernels, which are code: run none that you would not
// run as a program. Reading it checks that nothing is damaged, and that no size, offset or index in it leads
// out of the memory that it describes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tensordsl/device.h"
#include "tensordsl/program.h"

namespace tensordsl {

/// A Program with its metadata and binaries. Copies share their contents.
struct Package {
  std::shared_ptr<const Program> program;  ///< the program; never null in a package that was read
  std::string made_from;                   ///< name of the model's file, as information
  std::string compiled_for;            ///< device or profile that schedules were chosen for, as information
  std::string profile;                 ///< HwProfile that the schedules were chosen by, as JSON; empty: none
  std::vector<DeviceBinary> binaries;  ///< kernels as drivers have compiled them; Device::offer takes them
};

/// Extension of a package that is one file.
inline constexpr const char* kPackageEnding = ".tdsl";

/// Writes one file if `place` ends in ".tdsl", else a folder, which is made if it does not exist. A file that
/// was there is replaced atomically; in a folder, the files of a package that was there are replaced and
/// others stay. Throws Error if that is not possible.
void write_package(const Package& package, const std::string& place);

/// Reads a package: its file or folder, or a folder or .json of a Program without a package. Constants are
/// mapped, not copied: the file must not be cut short while they are used; replace or remove it instead.
/// Throws Error or ParseError, which start with the file's name.
Package read_package(const std::string& place);

/// Reads a package from a file in memory: an asset of an app, say. `owner` keeps the memory, which must not
/// change while the Program is used; if it is null, the caller keeps it. `name` is used in messages.
Package read_package(std::span<const std::byte> file, std::shared_ptr<const void> owner,
                     const std::string& name);

}  // namespace tensordsl
