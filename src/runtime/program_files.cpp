// A Program as a folder.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tensordsl/error.h"
#include "tensordsl/program.h"

namespace tensordsl {
namespace {

namespace fs = std::filesystem;

void write_file(const fs::path& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw Error(fmt::format("cannot write {}", path.string()));
}

template <typename Bytes>
Bytes read_file(const fs::path& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error) throw Error(fmt::format("{}: cannot be read: {}", path.string(), error.message()));
  Bytes bytes(size, {});
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!file) throw Error(fmt::format("{}: cannot be read", path.string()));
  return bytes;
}

/// Files lie in the folder itself: a program that names another place is not one of ours.
fs::path file_in(const fs::path& folder, const std::string& name) {
  if (name.empty() || fs::path(name).filename() != name || name == "." || name == "..")
    throw ParseError(fmt::format("program: \"{}\" is no file of its folder", name));
  return folder / name;
}

}  // namespace

void write_program(const Program& program, const std::string& folder) {
  const fs::path root(folder);
  std::error_code error;
  fs::create_directories(root, error);
  if (error) throw Error(fmt::format("cannot make the folder {}: {}", folder, error.message()));
  const std::string json = to_json(program);
  const auto files = nlohmann::ordered_json::parse(json);
  for (std::size_t k = 0; k < program.kernels.size(); ++k)
    write_file(root / files["kernels"][k]["file"].get<std::string>(), program.kernels[k].text);
  if (program.constants) {
    write_file(root / "constants.bin",
               {reinterpret_cast<const char*>(program.constants->data()), program.constants->size()});
  }
  write_file(root / "program.json", json);
}

Program read_program(const std::string& folder) {
  const fs::path path = fs::path(folder) / "program.json";
  const auto json = read_file<std::string>(path);
  try {
    Program program = program_from_json(json);
    const auto files = nlohmann::ordered_json::parse(json);
    for (std::size_t k = 0; k < program.kernels.size(); ++k) {
      program.kernels[k].text =
          read_file<std::string>(file_in(folder, files["kernels"][k].at("file").get<std::string>()));
    }
    const auto& constants = files.at("constants");
    const auto bytes = constants.at("bytes").get<std::size_t>();
    if (bytes > 0) {
      auto data = read_file<std::vector<std::byte>>(file_in(folder, constants.at("file").get<std::string>()));
      if (data.size() != bytes)
        throw ParseError(
            fmt::format("program: the constants are {} bytes, and should be {}", data.size(), bytes));
      program.constants = std::make_shared<const std::vector<std::byte>>(std::move(data));
    }
    return program;
  } catch (const nlohmann::json::exception& e) {
    throw ParseError(fmt::format("{}: {}", path.string(), e.what()));
  } catch (const ParseError& e) {
    throw ParseError(fmt::format("{}: {}", path.string(), e.what()));
  }
}

}  // namespace tensordsl
