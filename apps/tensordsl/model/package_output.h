// The output of compile and autoschedule: a package.
#pragma once

#include <string>
#include <vector>

#include "apps/tensordsl/model/loaded_model.h"
#include "tensordsl/package.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tensordsl::cli {

struct PackageOutput {
  std::string place;           // a folder, or NAME.tdsl; empty: none
  bool with_binaries = false;  // of the device that it is compiled for
};

/// -o and --binaries; returns the former.
CLI::Option* add_package_options(CLI::App& app, PackageOutput& output);

/// Checks that the package can be written, and that there is a device if binaries are requested. Throws Error
/// otherwise.
void check_output(const PackageOutput& output, const ModelArguments& model);

/// Writes a package of the program that was compiled for `target`, with all that a host needs of it.
void write_package(const PackageOutput& output, const ModelArguments& model, const CompileTarget& target,
                   const Program& program);

/// Returns the files of the package that was written; for a package of one file, only its name.
std::vector<std::string> files_of(const PackageOutput& output);

}  // namespace tensordsl::cli
