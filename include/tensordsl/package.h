// What is shipped: a Program with everything that it needs, as one folder or one file.
//
// docs/PACKAGE.md describes the format. A package has kernels, which are code: run none that you would not
// run as a program. What reading it checks is that nothing is damaged, and that no size, offset or index in
// it leads out of the memory that it describes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tensordsl/device.h"
#include "tensordsl/program.h"

namespace tensordsl {

/// A value: copies share what is in it.
struct Package {
  std::shared_ptr<const Program> program;  ///< what is run; never null in a package that was read
  std::string made_from;                   ///< for people: the model's file
  std::string compiled_for;            ///< for people: the device or profile that schedules were chosen for
  std::string profile;                 ///< what they were chosen by: an HwProfile as JSON; empty: none
  std::vector<DeviceBinary> binaries;  ///< kernels as drivers have compiled them; Device::offer takes them
};

/// The ending of a package that is one file.
inline constexpr const char* kPackageEnding = ".tdsl";

/// Writes one file if `place` ends in ".tdsl", else a folder, which is made if it is not there. What was
/// there is replaced: a file at once, of a folder the files of the package that was in it; others stay.
/// Throws Error if that is not possible.
void write_package(const Package& package, const std::string& place);

/// Reads a package: its file or folder, or a folder or .json that is a Program alone. Constants are mapped,
/// not copied: the file must not be cut short while they are used; replace or remove it instead. Throws Error
/// or ParseError, which start with the file's name.
Package read_package(const std::string& place);

/// The same of a file that is in memory: an asset of an app, say. `owner` keeps the memory, which must stay
/// as it is while the Program is used; null: the caller does. `name` is for messages.
Package read_package(std::span<const std::byte> file, std::shared_ptr<const void> owner,
                     const std::string& name);

}  // namespace tensordsl
