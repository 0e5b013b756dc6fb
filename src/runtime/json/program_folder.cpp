// A Program as a folder.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/mapped_file.h"
#include "runtime/json/folder_writer.h"
#include "runtime/json/program_files.h"
#include "tensordsl/error.h"
#include "tensordsl/program.h"

namespace tensordsl {
namespace {

namespace fs = std::filesystem;

/// Removes the files of the Program that write_program() wrote there before, which would be taken for a part
/// of the new one. Other files stay.
void remove_files_of_program(const fs::path& folder) {
  const fs::path index = folder / "program.json";
  std::error_code error;
  if (!fs::is_regular_file(index, error)) return;
  const auto old = parse_json_or_discard(MappedFile(index).text());
  fs::remove(index, error);  // first: the other files alone are not a Program
  if (!old.is_object()) return;
  const auto remove = [&](const nlohmann::ordered_json& entry) {
    if (!entry.is_object() || !entry.contains("file") || !entry["file"].is_string()) return;
    const fs::path name = entry["file"].get<std::string>();
    const bool is_ours = name.extension() == ".cl" || name.extension() == ".ll" || name == "constants.bin";
    if (is_ours && name.filename() == name) fs::remove(folder / name, error);
  };
  if (old.contains("kernels") && old["kernels"].is_array()) std::ranges::for_each(old["kernels"], remove);
  if (old.contains("constants")) remove(old["constants"]);
}

}  // namespace

void write_program(const Program& program, const std::string& folder) {
  runtime::FolderWriter writer(folder);
  remove_files_of_program(folder);
  for (const runtime::ProgramFile& file : runtime::files_of(program)) writer.write(file.name, file.bytes());
  writer.finish();
}

Program read_program(const std::string& place) {
  const bool is_file = fs::is_regular_file(place);
  const fs::path path = is_file ? fs::path(place) : fs::path(place) / "program.json";
  const MappedFile json(path);
  try {
    return runtime::program_of_files(json.text(), [&](const std::string& name) {
      const MappedFile file(path.parent_path() / name);
      return Program::Bytes{file.data(), file.size()};
    });
  } catch (const ParseError& e) {
    throw ParseError(fmt::format("{}: {}", path.string(), e.what()));
  }
}

}  // namespace tensordsl
