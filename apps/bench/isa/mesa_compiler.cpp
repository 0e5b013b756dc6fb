#include "apps/bench/isa/mesa_compiler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <utility>

#include "apps/bench/isa/ir3_output.h"
#include "apps/bench/isa/mali_output.h"
#include "apps/support/run_lines.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl::bench {
namespace {

namespace fs = std::filesystem;

/// Command of the driver in the emulator, and its environment.
struct MesaCommand {
  std::vector<std::string> arguments;
  std::map<std::string, std::string> environment;
};

MesaCommand mesa_command(const Gpu& gpu, const fs::path& folder, const fs::path& cache,
                         const fs::path& list) {
  const bool is_ir3 = gpu.compiler == IsaCompiler::Ir3;
  const std::string driver = is_ir3 ? "freedreno" : "panfrost", id = gpu.id;
  MesaCommand command;
  command.arguments = {(folder / "qemu").string(),
                       "-L",
                       (folder / "root").string(),
                       "-E",
                       fmt::format("LD_PRELOAD={}/lib{}_noop_drm_shim.so", folder.string(), driver),
                       "-E",
                       fmt::format("LD_LIBRARY_PATH={}/root/usr/lib/aarch64-linux-gnu", folder.string()),
                       (folder / "compile_kernels").string(),
                       list.string()};
  // A processor without pointer authentication, whose emulation takes most of the time.
  command.environment = {{"QEMU_CPU", "cortex-a57"},
                         {"RUSTICL_FEATURES", "fp16"},
                         {"RUSTICL_ENABLE", driver},
                         {"MESA_LOADER_DRIVER_OVERRIDE", is_ir3 ? "msm" : "panfrost"},
                         {"OCL_ICD_VENDORS", (folder / "root/etc/OpenCL/vendors/rusticl.icd").string()},
                         {"XDG_CACHE_HOME", cache.string()}};
  if (is_ir3) {
    command.environment.insert({{"FD_GPU_ID", id}, {"IR3_SHADER_DEBUG", "cs"}});
  } else {
    command.environment.insert({{"PAN_GPU_ID", id}, {"BIFROST_MESA_DEBUG", "shaders,shaderdb"}});
  }
  return command;
}

/// Gathers the lines of one file, and reads them at its end.
class MesaReader {
 public:
  MesaReader(const Gpu& gpu, std::vector<CompiledFile>& results) : gpu_(gpu), results_(results) {}

  void read(const std::string& line) {
    if (line.starts_with("@file ")) {
      results_.emplace_back().file = line.substr(6);
      lines_.clear();
      kernels_.clear();
    } else if (results_.empty()) {
      return;
    } else if (line.starts_with("@kernel ")) {
      kernels_.emplace_back(line.substr(8, line.rfind(' ') - 8), std::stol(line.substr(line.rfind(' '))));
    } else if (line.starts_with("@log ")) {
      results_.back().error += line.substr(5) + "\n";
    } else if (line.starts_with("@done ")) {
      finish(line.substr(6));
    } else {
      lines_.push_back(line);
    }
  }

 private:
  void finish(const std::string& line) {
    CompiledFile& file = results_.back();
    file.seconds = std::stod(line.substr(line.find(' ')));
    if (!line.starts_with("0 ")) {
      if (file.error.empty()) file.error = "the compiler failed without a message\n";
      return;
    }
    std::vector<std::string> names;
    for (const auto& [name, bytes] : kernels_) names.push_back(name);
    file.kernels = gpu_.compiler == IsaCompiler::Ir3 ? read_ir3(lines_) : read_mali(lines_, names);
    for (MachineCode& code : file.kernels) {
      for (const auto& [name, bytes] : kernels_) {
        if (name == code.kernel) code.private_bytes = bytes;
      }
    }
    if (file.kernels.empty()) file.error = "the compiler printed no machine code\n";
  }

  const Gpu& gpu_;
  std::vector<CompiledFile>& results_;
  std::vector<std::string> lines_;
  std::vector<std::pair<std::string, std::int64_t>> kernels_;
};

/// Runs the driver on the files of `list`. Returns what it made of those that it reached.
std::vector<CompiledFile> run_driver(const Gpu& gpu, const fs::path& folder, const fs::path& cache,
                                     const fs::path& list, std::size_t count) {
  std::vector<CompiledFile> results;
  MesaReader reader(gpu, results);
  std::string first;
  const MesaCommand command = mesa_command(gpu, folder, cache, list);
  const int status =
      apps::run_lines("isa", command.arguments, command.environment, [&](const std::string& line) {
        if (results.empty() && line.starts_with("@log ")) first = line.substr(5);
        reader.read(line);
      });
  if (status != 0 || results.size() != count)
    throw Error(fmt::format("isa: the compiler of {} exited with status {} after {} of {} files{}", gpu.name,
                            status, results.size(), count, first.empty() ? "" : ": " + first));
  return results;
}

fs::path list_of(const fs::path& work, const std::vector<SourceFile>& files) {
  const fs::path list = work / "list";
  std::ofstream out(list);
  for (const SourceFile& file : files) out << file.path.string() << '\t' << file.options << '\n';
  return list;
}

/// Returns OpenCL C of a kernel that the compiler can be tried with.
std::string first_kernel() {
  const Var x("x");
  Func first("first");
  first(x) = 1.0f;
  first.bound({64});
  return Pipeline({first}).emit("cl");
}

fs::path prepared_cache(const Gpu& gpu, const fs::path& folder) { return folder / "cache" / gpu.name; }

}  // namespace

void prepare_mesa(const Gpu& gpu, const fs::path& folder, const fs::path& work) {
  const fs::path prepared = prepared_cache(gpu, folder);
  if (fs::exists(prepared)) return;
  const fs::path source = work / "first.cl";
  std::ofstream(source) << first_kernel();
  // Another process may make it at the same time: the first that is complete gets the name.
  const fs::path own = prepared.string() + fmt::format(".{}", getpid());
  fs::create_directories(prepared.parent_path());
  const std::vector<CompiledFile> first =
      run_driver(gpu, folder, own, list_of(work, {{source, "-cl-std=CL1.2"}}), 1);
  if (!first.front().error.empty())
    throw Error(fmt::format("isa: the compiler of {} does not work: {}", gpu.name, first.front().error));
  std::error_code taken;
  fs::rename(own, prepared, taken);
  if (taken) fs::remove_all(own);
}

std::vector<CompiledFile> compile_with_mesa(const Gpu& gpu, const fs::path& folder, const fs::path& work,
                                            const std::vector<SourceFile>& files) {
  const fs::path cache = work / "cache";
  fs::copy(prepared_cache(gpu, folder), cache, fs::copy_options::recursive);
  return run_driver(gpu, folder, cache, list_of(work, files), files.size());
}

}  // namespace tensordsl::bench
