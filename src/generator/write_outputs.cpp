#include "generator/write_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <utility>

#include "base/write_file.h"
#include "generator/launcher_header.h"
#include "generator/launcher_symbols.h"
#include "generator/pipeline_page.h"
#include "runtime/json/program_text.h"
#include "runtime/program/combine_kernels.h"
#include "tensordsl/error.h"

namespace tensordsl::generator {
namespace {

namespace fs = std::filesystem;

/// One line, whatever is in a parameter or a path; it also stands in a raw string of the header.
std::string file_comment(std::string origin) {
  std::ranges::replace(origin, '"', '\'');
  return fmt::format("// {}\n", comment_text(std::move(origin)));
}

using Files = std::vector<std::pair<fs::path, std::string>>;

/// All or none: they are complete under other names before the first gets its own.
void write_all(const fs::path& folder, const Files& files) {
  std::error_code error;
  const bool is_new = fs::create_directories(folder, error);
  if (error) throw Error(fmt::format("cannot create the folder {}: {}", folder.string(), error.message()));
  std::vector<fs::path> unfinished;
  try {
    for (const auto& [path, text] : files) {
      if (fs::is_directory(path, error))
        throw Error(fmt::format("cannot write {}: it is a folder", path.string()));
      unfinished.emplace_back(path.string() + ".unfinished");
      write_file(unfinished.back(), text);
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
      fs::rename(unfinished[i], files[i].first, error);
      if (error) throw Error(fmt::format("cannot write {}: {}", files[i].first.string(), error.message()));
    }
  } catch (...) {
    for (const fs::path& path : unfinished) fs::remove(path, error);
    if (is_new) fs::remove(folder, error);
    throw;
  }
}

}  // namespace

const std::vector<OutputKind>& output_kinds() {
  static const std::vector<OutputKind> kinds{
      {"cl", ".cl", "the kernels as OpenCL C"},
      {"manifest", ".json", "arguments, memory, launches: docs/PROGRAM.md"},
      {"header", ".h", "a C++ launcher that uses plain OpenCL"},
      {"schedule", ".schedule.json", "the schedule as data"},
      {"ir", ".ir", "the kernels before OpenCL code generation"},
      {"html", ".html", "a page with the kernels and every compiler stage"},
  };
  return kinds;
}

std::vector<std::string> write_outputs(const Pipeline& pipeline, const GeneratorTarget& target,
                                       const Outputs& outputs) {
  Program program = target.device ? pipeline.compile(*target.device) : pipeline.compile();
  program.name = outputs.name;
  const std::string options = runtime::combined_options(program);
  for (KernelSource& kernel : program.kernels) kernel.options = options;
  const std::string text = file_comment(outputs.origin) + runtime::combined_text(program);
  const std::map<std::string, std::function<std::string()>> make{
      {"cl", [&] { return text; }},
      {"manifest",
       [&] {
         return runtime::program_text(program, {outputs.name + ".cl", outputs.name + ".bin"});
       }},
      {"header",
       [&] {
         return launcher_header(program, text, options, {outputs.name, outputs.origin});
       }},
      {"schedule", [&] { return pipeline.schedule().to_json(); }},
      {"ir", [&] { return pipeline.emit("ir"); }},
      {"html", [&] { return pipeline_page(pipeline, program, text, outputs.origin); }},
  };
  const fs::path folder(outputs.folder);
  Files files;
  for (const OutputKind& kind : output_kinds()) {
    if (outputs.kinds.contains(kind.name))
      files.emplace_back(folder / (outputs.name + kind.ending), make.at(kind.name)());
  }
  if (outputs.kinds.contains("manifest") && program.constants.size > 0) {
    files.emplace_back(
        folder / (outputs.name + ".bin"),
        std::string(reinterpret_cast<const char*>(program.constants.data.get()), program.constants.size));
  }
  std::vector<std::string> paths;
  write_all(folder, files);
  for (const auto& [path, contents] : files) paths.push_back(path.string());
  return paths;
}

}  // namespace tensordsl::generator
