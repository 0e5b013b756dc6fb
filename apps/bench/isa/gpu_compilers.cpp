#include "apps/bench/isa/gpu_compilers.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

#include "apps/bench/isa/amd_compiler.h"
#include "apps/bench/isa/mesa_compiler.h"
#include "apps/support/temporary_folder.h"
#include "base/run_in_parallel.h"
#include "tensordsl/error.h"

namespace tensordsl::bench {

namespace fs = std::filesystem;

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
  std::vector<SourceFile> files;
  std::vector<std::size_t> file_of;
  std::map<std::pair<std::string, std::string>, std::size_t> known;
  for (const IsaKernel& kernel : kernels) {
    const auto [known_file, is_new] = known.try_emplace({kernel.text, kernel.options}, files.size());
    file_of.push_back(known_file->second);
    if (!is_new) continue;
    files.push_back({work.path() / fmt::format("{}.cl", files.size()), kernel.options});
    std::ofstream(files.back().path, std::ios::binary) << kernel.text;
  }
  const bool is_emulated = gpu.compiler != IsaCompiler::Llvm;
  if (is_emulated) prepare_mesa(gpu, folder, work.path());
  std::vector<CompiledFile> compiled(files.size());
  // A process of the emulator takes a second to start, and a kernel a fraction of one.
  const std::size_t batch = is_emulated ? 20 : 1;
  const auto batches = static_cast<int>((files.size() + batch - 1) / batch);
  run_in_parallel(
      batches,
      [&](int job) {
        const std::size_t begin = static_cast<std::size_t>(job) * batch,
                          end = std::min(begin + batch, files.size());
        const fs::path own = work.path() / fmt::format("batch{}", job);
        fs::create_directory(own);
        if (!is_emulated) {
          compiled[begin] = compile_with_llvm(gpu, folder, own, files[begin]);
          return;
        }
        const auto from = files.begin() + static_cast<std::ptrdiff_t>(begin),
                   to = files.begin() + static_cast<std::ptrdiff_t>(end);
        std::ranges::move(compile_with_mesa(gpu, folder, own, {from, to}),
                          compiled.begin() + static_cast<std::ptrdiff_t>(begin));
      },
      nullptr, 0);
  std::vector<CompiledFile> results;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    results.push_back(compiled[file_of[i]]);
    results.back().file = kernels[i].name;
  }
  return results;
}

}  // namespace tensordsl::bench
