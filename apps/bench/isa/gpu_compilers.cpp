#include "apps/bench/isa/gpu_compilers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "apps/bench/isa/amd_output.h"
#include "apps/bench/isa/gpu_list.h"
#include "apps/bench/isa/ir3_output.h"
#include "apps/bench/isa/mali_output.h"
#include "apps/support/run_lines.h"
#include "apps/support/temporary_folder.h"
#include "base/run_in_parallel.h"
#include "tensordsl/error.h"

namespace tensordsl::bench {
namespace {

namespace fs = std::filesystem;

std::vector<Gpu> known_gpus() {
  static const std::map<std::string, IsaCompiler> kCompilers{
      {"ir3", IsaCompiler::Ir3}, {"panfrost", IsaCompiler::Panfrost}, {"llvm", IsaCompiler::Llvm}};
  std::vector<Gpu> gpus;
  for (const auto& gpu : nlohmann::json::parse(gpu_list().front().text())) {
    const auto text = [&](const char* key) { return gpu.at(key).get<std::string>(); };
    gpus.push_back(
        {text("name"), kCompilers.at(text("compiler")), text("id"), text("profile"), text("about")});
  }
  return gpus;
}

/// Command of the drivers in the emulator, and their environment.
struct MobileCommand {
  std::vector<std::string> arguments;
  std::map<std::string, std::string> environment;
};

MobileCommand mobile_command(const Gpu& gpu, const fs::path& folder, const fs::path& cache,
                             const fs::path& list) {
  const bool is_ir3 = gpu.compiler == IsaCompiler::Ir3;
  const std::string driver = is_ir3 ? "freedreno" : "panfrost", id = gpu.id;
  MobileCommand command;
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
class MobileReader {
 public:
  MobileReader(const Gpu& gpu, std::vector<CompiledFile>& results) : gpu_(gpu), results_(results) {}

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

/// Compiles files of one process. Mesa prints no machine code of a kernel that its cache holds, so the
/// process gets a copy of a cache that holds only OpenCL's library, which takes seconds to build.
std::vector<CompiledFile> compile_mobile(const Gpu& gpu, const fs::path& folder, const fs::path& work,
                                         const std::vector<fs::path>& files,
                                         const std::vector<std::string>& options) {
  const fs::path list = work / "list", cache = work / "cache", prepared = folder / "cache" / gpu.name;
  if (fs::exists(prepared)) fs::copy(prepared, cache, fs::copy_options::recursive);
  {
    std::ofstream out(list);
    for (std::size_t i = 0; i < files.size(); ++i) out << files[i].string() << '\t' << options[i] << '\n';
  }
  std::vector<CompiledFile> results;
  MobileReader reader(gpu, results);
  std::string first;
  const MobileCommand command = mobile_command(gpu, folder, cache, list);
  const int status =
      apps::run_lines("isa", command.arguments, command.environment, [&](const std::string& line) {
        if (results.empty() && line.starts_with("@log ")) first = line.substr(5);
        reader.read(line);
      });
  if (status != 0 || results.size() != files.size())
    throw Error(fmt::format("isa: the compiler of {} exited with status {} after {} of {} files{}", gpu.name,
                            status, results.size(), files.size(), first.empty() ? "" : ": " + first));
  return results;
}

CompiledFile compile_amd(const Gpu& gpu, const fs::path& work, const fs::path& file,
                         const std::string& options) {
  const fs::path assembly = work / (file.stem().string() + ".s");
  const std::string version = options.find("CL2.0") != std::string::npos ? "CL2.0" : "CL1.2";
  CompiledFile result;
  result.file = file.string();
  std::vector<std::string> messages;
  const int status =
      apps::run_lines("isa",
                      {"clang-15", "-x", "cl", "-cl-std=" + version, "-O3", "-target", "amdgcn-amd-amdhsa",
                       fmt::format("-mcpu={}", gpu.id), "-Xclang", "-finclude-default-header", "-S", "-o",
                       assembly.string(), file.string()},
                      {}, [&](const std::string& line) { messages.push_back(line); });
  if (status != 0) {
    result.error = fmt::format("{}\n", fmt::join(messages, "\n"));
    return result;
  }
  std::ifstream in(assembly);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  result.kernels = read_amd(lines);
  return result;
}

}  // namespace

Gpu gpu_of(const std::string& name) {
  std::vector<std::string> known;
  for (const Gpu& gpu : known_gpus()) {
    if (gpu.name == name) return gpu;
    known.push_back(fmt::format("{} ({})", gpu.name, gpu.about));
  }
  throw Error(fmt::format("--gpu: \"{}\" is unknown; there are {}", name, fmt::join(known, ", ")));
}

std::string compilers_folder(const std::string& given) {
  const fs::path folder = fs::absolute(given.empty() ? "build/mobile-compilers" : given);
  if (fs::exists(folder / "compile_kernels")) return folder.string();
  throw Error(
      fmt::format("isa: {} has no compilers; run scripts/setup --mobile-compilers, or name their folder with "
                  "--compilers",
                  folder.string()));
}

std::vector<CompiledFile> compile_for(const Gpu& gpu, const std::string& folder,
                                      const std::vector<IsaKernel>& kernels) {
  const apps::TemporaryFolder work("isa");
  std::vector<fs::path> files;
  std::vector<std::string> options;
  for (const IsaKernel& kernel : kernels) {
    files.push_back(work.path() / fmt::format("{}.cl", files.size()));
    std::ofstream(files.back(), std::ios::binary) << kernel.text;
    options.push_back(kernel.options);
  }
  std::vector<CompiledFile> results(kernels.size());
  // A process starts in seconds, and each kernel takes a fraction of one.
  const std::size_t batch = gpu.compiler == IsaCompiler::Llvm ? 1 : 40;
  const auto batches = static_cast<int>((kernels.size() + batch - 1) / batch);
  run_in_parallel(
      batches,
      [&](int job) {
        const std::size_t begin = static_cast<std::size_t>(job) * batch,
                          end = std::min(begin + batch, files.size());
        const fs::path own = work.path() / fmt::format("batch{}", job);
        fs::create_directory(own);
        if (gpu.compiler == IsaCompiler::Llvm) {
          results[begin] = compile_amd(gpu, own, files[begin], options[begin]);
          return;
        }
        const auto from = static_cast<std::ptrdiff_t>(begin), to = static_cast<std::ptrdiff_t>(end);
        std::vector<CompiledFile> compiled =
            compile_mobile(gpu, folder, own, {files.begin() + from, files.begin() + to},
                           {options.begin() + from, options.begin() + to});
        std::ranges::move(compiled, results.begin() + from);
      },
      nullptr, 0);
  for (std::size_t i = 0; i < kernels.size(); ++i) results[i].file = kernels[i].name;
  return results;
}

}  // namespace tensordsl::bench
