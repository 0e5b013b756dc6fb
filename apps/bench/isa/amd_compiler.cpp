#include "apps/bench/isa/amd_compiler.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <string>
#include <vector>

#include "apps/bench/isa/amd_output.h"
#include "apps/support/run_lines.h"
#include "tensordsl/error.h"

namespace tensordsl::bench {

namespace fs = std::filesystem;

CompiledFile compile_with_llvm(const Gpu& gpu, const fs::path& folder, const fs::path& work,
                               const SourceFile& file) {
  const fs::path clang = folder / "llvm" / "clang", library = folder / "llvm" / "bitcode",
                 assembly = work / (file.path.stem().string() + ".s");
  if (!fs::exists(clang) || !fs::exists(library))
    throw Error(
        fmt::format("isa: {} has no compiler for {}; install clang-15 and rocm-device-libs, and run "
                    "scripts/setup --mobile-compilers",
                    folder.string(), gpu.about));
  const std::string version = file.options.find("CL2.0") != std::string::npos ? "CL2.0" : "CL1.2";
  CompiledFile result;
  result.file = file.path.string();
  std::vector<std::string> messages;
  // The compiler tells the time of a process of its own.
  const std::vector<std::string> arguments{clang.string(),
                                           "-x",
                                           "cl",
                                           "-cl-std=" + version,
                                           "-O3",
                                           "-target",
                                           "amdgcn-amd-amdhsa",
                                           fmt::format("-mcpu={}", gpu.id),
                                           fmt::format("--rocm-device-lib-path={}", library.string()),
                                           "-Xclang",
                                           "-finclude-default-header",
                                           "-fno-integrated-cc1",
                                           "-fproc-stat-report",
                                           "-S",
                                           "-o",
                                           assembly.string(),
                                           file.path.string()};
  const int status = apps::run_lines("isa", arguments, {}, [&](const std::string& line) {
    if (const auto seconds = process_seconds(line))
      result.seconds = *seconds;
    else
      messages.push_back(line);
  });
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

}  // namespace tensordsl::bench
