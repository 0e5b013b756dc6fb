// Tests that files and headings exist to which documents link, and the files that they name.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "docs/markdown.h"
#include "docs/text_file.h"
#include "support/source_dir.h"

namespace tensordsl::docs {
namespace {

using Strings = std::vector<std::string>;

const Strings kFolders{"apps",   "backends",  "cmake",   "docs", "hwprofile", "include",
                       "models", "schedules", "scripts", "src",  "tests"};

/// Relative to the project.
Strings documents() {
  Strings paths{"CHANGELOG.md", "README.md", "models/README.md"};
  for (const std::string folder : {"docs/", "docs/measurements/", "docs/tutorials/"}) {
    for (const auto& entry : std::filesystem::directory_iterator(source_dir() / folder)) {
      if (entry.path().extension() == ".md") paths.push_back(folder + entry.path().filename().string());
    }
  }
  std::ranges::sort(paths);
  return paths;
}

bool is_there(const std::filesystem::path& path) { return std::filesystem::exists(source_dir() / path); }

/// True if the target of a document's link exists; links into the web are not checked.
bool leads_somewhere(const std::string& document, const std::string& link) {
  if (link.starts_with("http://") || link.starts_with("https://")) return true;
  const std::string file = link.substr(0, link.find('#'));
  const std::filesystem::path target =
      file.empty() ? std::filesystem::path(document)
                   : (std::filesystem::path(document).parent_path() / file).lexically_normal();
  if (!is_there(target)) return false;
  if (link.find('#') == std::string::npos) return true;
  return std::ranges::count(anchors_of(read_file(target.string())), link.substr(link.find('#') + 1)) == 1;
}

/// The files that <img> and <source> name, in order.
Strings pictures_of(const std::string& markdown) {
  const std::regex attribute("(?:src|srcset)=\"([^\"]*)\"");
  Strings pictures;
  for (std::sregex_iterator match(markdown.begin(), markdown.end(), attribute), end; match != end; ++match)
    pictures.push_back((*match)[1]);
  return pictures;
}

}  // namespace

TEST_CASE("every link of a document leads to a file or a heading") {
  for (const std::string& document : documents()) {
    for (const std::string& link : links_of(read_file(document)))
      CHECK_MESSAGE(leads_somewhere(document, link), document, ": ", link);
  }
}

TEST_CASE("every picture of a document exists") {
  for (const std::string& document : documents()) {
    for (const std::string& picture : pictures_of(read_file(document)))
      CHECK_MESSAGE(leads_somewhere(document, picture), document, ": ", picture);
  }
  CHECK(pictures_of(R"(<source srcset="a.svg"><img src="b.svg" alt="c">)") == Strings{"a.svg", "b.svg"});
}

TEST_CASE("the files that documents name exist") {
  for (const std::string& document : documents()) {
    for (const std::string& path : paths_of(read_file(document), kFolders))
      CHECK_MESSAGE(is_there(path), document, ": ", path);
  }
}

TEST_CASE("docs/README.md says of every document where it is") {
  const Strings links = links_of(read_file("docs/README.md"));
  for (const std::string& document : documents()) {
    if (document == "docs/README.md") continue;
    const std::string link = document.starts_with("docs/") ? document.substr(5) : "../" + document;
    CHECK_MESSAGE(std::ranges::count(links, link) > 0, document);
  }
}

TEST_CASE("long documents begin with their contents: a link to each heading") {
  for (const std::string document :
       {"docs/MODELS.md", "docs/PERFORMANCE.md", "docs/SCHEDULES.md", "docs/measurements/NOTES.md"}) {
    const std::string text = read_file(document);
    const Strings links = links_of(text.substr(0, text.find("\n## ")));
    const Strings anchors = anchors_of(text);
    for (std::size_t i = 1; i < anchors.size(); ++i)
      CHECK_MESSAGE(std::ranges::count(links, "#" + anchors[i]) == 1, document, ": ", anchors[i]);
  }
}

TEST_CASE("links, headings and paths are found outside of code") {
  CHECK(links_of("[a](b.md) and [c](#d), `[e](f)`\n```\n[g](h)\n```\n") == Strings{"b.md", "#d"});
  CHECK(anchors_of("# Add a pass, say\n## `x_y` (2)\n## Two\n## Two\n#no\n```\n# code\n```\n") ==
        Strings{"add-a-pass-say", "x_y-2", "two", "two-1"});
  CHECK(paths_of("`src/a.h`, `src/b.h:12`, `src/*.cpp`, `a/b`, src/c\n", {"src"}) ==
        Strings{"src/a.h", "src/b.h"});
  CHECK(leads_somewhere("docs/README.md", "../README.md#a-kernel"));
  CHECK_FALSE(leads_somewhere("docs/README.md", "README.md#no-such-heading"));
  CHECK_FALSE(leads_somewhere("docs/README.md", "no_such_file.md"));
}

}  // namespace tensordsl::docs
