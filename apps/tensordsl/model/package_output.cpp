#include "apps/tensordsl/model/package_output.h"

#include <CLI/CLI.hpp>
#include <filesystem>

#include "apps/tensordsl/console/files.h"
#include "model/options_of_target.h"
#include "package/package_index.h"
#include "tensordsl/default_input.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

namespace fs = std::filesystem;

/// Returns the driver's binaries of the kernels. Some drivers compile a kernel when it first runs, so all are
/// run once. With open sizes nothing is run, because no size is typical.
std::vector<DeviceBinary> binaries_of(const Program& program, Device& device) {
  if (!program.params.empty()) return device.binaries(device.build(program.kernels));
  Runner runner(std::make_shared<const Program>(program), device);
  for (const Program::Value& input : program.inputs) runner.write(input.name, default_input(input));
  runner.run();
  return runner.binaries();
}

bool is_one_file(const PackageOutput& output) { return output.place.ends_with(kPackageEnding); }

}  // namespace

CLI::Option* add_package_options(CLI::App& app, PackageOutput& output) {
  app.add_flag("--binaries", output.with_binaries,
               "also store the driver's binaries of the kernels; the same device and driver then load "
               "without compiling");
  return app
      .add_option("-o,--output", output.place,
                  "the package: NAME.tdsl for one file, or a folder for program.json, the .cl files and the "
                  "constants")
      ->check(NotEmpty("a folder's name, or NAME.tdsl"));
}

void check_output(const PackageOutput& output, const ModelArguments& model) {
  if (output.with_binaries && output.place.empty())
    throw Error("--binaries: needs -o, because a package stores them");
  if (output.with_binaries && model.device == "none")
    throw Error("--binaries: needs a device, because its driver makes them; pass another --device than none");
  if (is_one_file(output)) {
    check_output_file("-o", output.place);
  } else {
    check_output_folder("-o", output.place);
  }
}

void write_package(const PackageOutput& output, const ModelArguments& model, const CompileTarget& target,
                   const Program& program) {
  Package package;
  package.program = std::make_shared<const Program>(program);
  package.made_from = fs::path(model.model).filename().string();
  package.compiled_for = aim_of(model, target);
  if (target.device || target.profile) package.profile = to_json(profile_of(target));
  if (output.with_binaries) {
    package.binaries = binaries_of(program, *Device::open(model.device));
    if (package.binaries.empty())
      throw Error("--binaries: this driver does not return binaries; drop the option");
  }
  write_package(package, output.place);
}

std::vector<std::string> files_of(const PackageOutput& output) {
  if (is_one_file(output)) return {output.place};
  std::vector<std::string> names{kIndexName};
  for (const PackageEntry& entry :
       index_from_json(read_text_file(fs::path(output.place) / kIndexName)).entries)
    names.push_back(entry.name);
  return names;
}

}  // namespace tensordsl::cli
