// A Program as a folder.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/write_file.h"
#include "tensordsl/error.h"
#include "tensordsl/program.h"

namespace tensordsl {
namespace {

namespace fs = std::filesystem;

std::size_t size_of(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error) throw Error(fmt::format("{}: cannot be read: {}", path.string(), error.message()));
  return size;
}

void read_file(const fs::path& path, char* to, std::size_t size) {
  std::ifstream file(path, std::ios::binary);
  file.read(to, static_cast<std::streamsize>(size));
  if (!file) throw Error(fmt::format("{}: cannot be read", path.string()));
}

std::string read_text(const fs::path& path) {
  std::string text(size_of(path), '\0');
  read_file(path, text.data(), text.size());
  return text;
}

Program::Bytes read_bytes(const fs::path& path) {
  const std::size_t size = size_of(path);
  const auto data = std::make_shared_for_overwrite<std::byte[]>(size);
  read_file(path, reinterpret_cast<char*>(data.get()), size);
  return {data, size};
}

/// Files lie in the folder itself: a program that names another place is not one of ours.
fs::path file_in(const fs::path& folder, const std::string& name) {
  if (name.empty() || fs::path(name).filename() != name || name == "." || name == "..")
    throw ParseError(fmt::format("program: \"{}\" is no file of its folder", name));
  return folder / name;
}

/// What write_program() wrote there before, which would be taken for a part of the new Program. Other files
/// stay.
void remove_files_of_program(const fs::path& folder) {
  const fs::path index = folder / "program.json";
  std::error_code error;
  if (!fs::is_regular_file(index, error)) return;
  const auto old = nlohmann::ordered_json::parse(read_text(index), nullptr, false);
  if (!old.is_object()) return;
  const auto remove = [&](const nlohmann::ordered_json& entry) {
    if (!entry.is_object() || !entry.contains("file") || !entry["file"].is_string()) return;
    const fs::path name = entry["file"].get<std::string>();
    const bool is_ours = name.extension() == ".cl" || name == "constants.bin";
    if (is_ours && name.filename() == name) fs::remove(folder / name, error);
  };
  if (old.contains("kernels") && old["kernels"].is_array()) std::ranges::for_each(old["kernels"], remove);
  if (old.contains("constants")) remove(old["constants"]);
}

}  // namespace

void write_program(const Program& program, const std::string& folder) {
  const fs::path root(folder);
  std::error_code error;
  fs::create_directories(root, error);
  if (error) throw Error(fmt::format("cannot make the folder {}: {}", folder, error.message()));
  remove_files_of_program(root);
  const std::string json = to_json(program);
  const auto files = nlohmann::ordered_json::parse(json);
  for (std::size_t k = 0; k < program.kernels.size(); ++k)
    write_file(root / files["kernels"][k]["file"].get<std::string>(), program.kernels[k].text);
  if (program.constants.size > 0) {
    write_file(root / "constants.bin",
               {reinterpret_cast<const char*>(program.constants.data.get()), program.constants.size});
  }
  write_file(root / "program.json", json);
}

Program read_program(const std::string& place) {
  const bool is_file = fs::is_regular_file(place);
  const fs::path path = is_file ? fs::path(place) : fs::path(place) / "program.json";
  const fs::path folder = path.parent_path();
  const auto json = read_text(path);
  try {
    Program program = program_from_json(json);
    const auto files = nlohmann::ordered_json::parse(json);
    for (std::size_t k = 0; k < program.kernels.size(); ++k) {
      program.kernels[k].text = read_text(file_in(folder, files["kernels"][k].at("file").get<std::string>()));
    }
    const auto& constants = files.at("constants");
    const auto bytes = constants.at("bytes").get<std::size_t>();
    if (bytes > 0) {
      program.constants = read_bytes(file_in(folder, constants.at("file").get<std::string>()));
      if (program.constants.size != bytes) {
        throw ParseError(fmt::format("program: the constants are {} bytes, and should be {}",
                                     program.constants.size, bytes));
      }
    }
    return program;
  } catch (const nlohmann::json::exception& e) {
    throw ParseError(fmt::format("{}: {}", path.string(), e.what()));
  } catch (const ParseError& e) {
    throw ParseError(fmt::format("{}: {}", path.string(), e.what()));
  }
}

}  // namespace tensordsl
