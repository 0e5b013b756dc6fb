// A folder is small enough to be read as a list: larger ones are cut into rooms by what things are.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "layering/source_tree.h"
#include "support/source_dir.h"

namespace tensordsl::layering {
namespace {

using Strings = std::vector<std::string>;

/// One line for each folder of more than `most` modules. A module is a C++ file, or two that differ only in
/// .h and .cpp.
Strings folders_above(std::size_t most, const std::vector<SourceFile>& files) {
  std::map<std::string, std::set<std::string>> modules;
  for (const SourceFile& file : files) {
    const std::filesystem::path path = file.path;
    if (is_cpp(file.path)) modules[path.parent_path().string()].insert(path.stem().string());
  }
  Strings found;
  for (const auto& [folder, names] : modules) {
    if (names.size() > most) found.push_back(fmt::format("{}: {} modules", folder, names.size()));
  }
  return found;
}

}  // namespace

TEST_CASE("no folder has more than 25 modules") {
  const auto files = read_tree(source_dir(), {"src", "schedules", "backends", "hwprofile", "apps"});
  REQUIRE(files.size() > 100);
  const Strings found = folders_above(25, files);
  INFO(fmt::format("{}", fmt::join(found, "\n")));
  CHECK(found.empty());
}

TEST_CASE("a header and its source are one module, and rooms count for themselves") {
  const std::vector<SourceFile> files = {
      {"src/a/x.cpp", ""}, {"src/a/x.h", ""},     {"src/a/y.h", ""},           {"src/a/y_test.cpp", ""},
      {"src/a/b/x.h", ""}, {"src/a/b/y.cpp", ""}, {"src/a/CMakeLists.txt", ""}};
  CHECK(folders_above(3, files) == Strings{});
  CHECK(folders_above(2, files) == Strings{"src/a: 3 modules"});
  CHECK(folders_above(1, files) == Strings{"src/a: 3 modules", "src/a/b: 2 modules"});
}

}  // namespace tensordsl::layering
