#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <stdexcept>

#include "layering/layer_table.h"
#include "support/source_dir.h"

namespace tensordsl::layering {
namespace {

using Strings = std::vector<std::string>;

constexpr const char* kTable = R"(
# a comment
layer base      src/base       ->
layer ir        src/ir         -> base
layer apps      apps           -> base ir
layer examples  apps/examples  -> public

public base  type.h
public ir    expr.h
)";

const std::vector<std::string> kFolders = {"include",   "src",  "backends", "schedules",
                                           "hwprofile", "apps", "python"};

/// One line for each name that several headers have, with their paths.
Strings repeated_header_names(const std::vector<SourceFile>& files) {
  std::map<std::string, Strings> paths;
  for (const SourceFile& file : files) {
    const std::filesystem::path path = file.path;
    if (path.extension() == ".h") paths[path.filename().string()].push_back(file.path);
  }
  Strings errors;
  for (const auto& [name, same] : paths) {
    if (same.size() > 1) errors.push_back(fmt::format("{}: {}", name, fmt::join(same, " and ")));
  }
  return errors;
}

/// Errors of a tree that has the files of the table above and `file`.
Strings errors_with(const SourceFile& file) {
  std::vector<SourceFile> files = {{"include/tensordsl/type.h", ""},
                                   {"include/tensordsl/expr.h", "#include \"tensordsl/type.h\"\n"},
                                   {"src/base/text.h", ""},
                                   {"src/ir/print.h", "#include \"base/text.h\"\n"}};
  std::erase_if(files, [&](const SourceFile& f) { return f.path == file.path; });
  files.push_back(file);
  return check_includes(parse_layers(kTable), files);
}

std::string parse_error(std::string_view text) {
  try {
    parse_layers(text);
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("every #include of the project is allowed by src/layers.txt") {
  const std::filesystem::path root = source_dir();
  const LayerTable table = parse_layers(read_file(root / "src/layers.txt"));
  const auto files = read_tree(root, kFolders);
  REQUIRE(files.size() > 100);
  const Strings errors = check_includes(table, files);
  INFO(fmt::format("{}", fmt::join(errors, "\n")));
  CHECK(errors.empty());
}

TEST_CASE("no two headers of the project have the same name") {
  const Strings errors = repeated_header_names(read_tree(source_dir(), kFolders));
  INFO(fmt::format("{}", fmt::join(errors, "\n")));
  CHECK(errors.empty());
}

TEST_CASE("headers of one name are named with their paths; sources may share a name") {
  CHECK(repeated_header_names({{"src/ir/print.h", ""},
                               {"src/ir/print.cpp", ""},
                               {"src/base/print.h", ""},
                               {"src/base/print.cpp", ""},
                               {"src/ir/expr.h", ""}}) ==
        Strings{"print.h: src/ir/print.h and src/base/print.h"});
}

TEST_CASE("a downward include, one inside the layer and one beside the file are allowed") {
  CHECK(errors_with({"src/ir/print.cpp",
                     "#include \"ir/print.h\"\n#include \"print.h\"\n#include <tensordsl/type.h>\n"
                     "#include \"base/text.h\"\n"}) == Strings{});
}

TEST_CASE("an upward include is named with its line and the two layers") {
  CHECK(errors_with({"src/base/text.cpp", "// text\n\n#include \"ir/print.h\"\n"}) ==
        Strings{"src/base/text.cpp:3: #include \"ir/print.h\": the layer base may not include the layer ir"});
}

TEST_CASE("an upward include through angle brackets, odd spacing or a public header is found too") {
  CHECK(errors_with({"src/base/text.cpp", "  #  include <ir/print.h>\n#include <tensordsl/expr.h>\n"}) ==
        Strings{
            "src/base/text.cpp:1: #include <ir/print.h>: the layer base may not include the layer ir",
            "src/base/text.cpp:2: #include <tensordsl/expr.h>: the layer base may not include the layer ir"});
}

TEST_CASE("a public header obeys the layer that its line names") {
  CHECK(errors_with({"include/tensordsl/type.h", "#include \"tensordsl/expr.h\"\n"}) ==
        Strings{"include/tensordsl/type.h:1: #include \"tensordsl/expr.h\": the layer base may not include "
                "the layer "
                "ir"});
}

TEST_CASE("system headers and outside libraries are ignored") {
  CHECK(errors_with({"src/base/text.cpp",
                     "#include <vector>\n#include <CL/cl.h>\n#include <fmt/format.h>\n"}) == Strings{});
}

TEST_CASE("the deepest folder decides, and \"public\" opens the public headers only") {
  CHECK(errors_with({"apps/examples/blur.cpp", "#include \"tensordsl/expr.h\"\n"}) == Strings{});
  CHECK(errors_with({"apps/examples/blur.cpp", "#include \"ir/print.h\"\n"}) ==
        Strings{"apps/examples/blur.cpp:1: #include \"ir/print.h\": the layer examples may not include the "
                "layer ir"});
  CHECK(errors_with({"apps/tool.cpp", "#include \"ir/print.h\"\n"}) == Strings{});
}

TEST_CASE("a file in an unknown folder is an error, and so is including it") {
  CHECK(errors_with({"src/irx/a.cpp", "#include <vector>\n"}) ==
        Strings{"src/irx/a.cpp: belongs to no layer; add its folder to src/layers.txt"});
  const std::vector<SourceFile> files = {{"src/ir/a.cpp", "#include \"irx/b.h\"\n"}, {"src/irx/b.h", ""}};
  CHECK(check_includes(parse_layers("layer ir src/ir ->"), files) ==
        Strings{"src/ir/a.cpp:1: #include \"irx/b.h\" is in no layer; add its folder to src/layers.txt",
                "src/irx/b.h: belongs to no layer; add its folder to src/layers.txt"});
}

TEST_CASE("an unknown public header is an error where it is included and where it lies") {
  CHECK(errors_with({"src/ir/a.cpp", "#include \"tensordsl/typo.h\"\n"}) ==
        Strings{"src/ir/a.cpp:1: #include \"tensordsl/typo.h\" is in no layer; add it to a public line of "
                "src/layers.txt"});
  CHECK(errors_with({"include/tensordsl/new.h", ""}) ==
        Strings{"include/tensordsl/new.h: belongs to no layer; add it to a public line of src/layers.txt"});
}

TEST_CASE("a public header that the table names must exist") {
  CHECK(check_includes(parse_layers("layer base src/base ->\npublic base gone.h"), {}) ==
        Strings{"layers.txt: the public header include/tensordsl/gone.h does not exist"});
}

TEST_CASE("a quoted include must name a file of the project") {
  CHECK(errors_with({"src/ir/a.cpp", "#include \"CL/cl.h\"\n"}) ==
        Strings{"src/ir/a.cpp:1: #include \"CL/cl.h\" names no file of the project; use <...> for others"});
}

TEST_CASE("an include that cannot be read is an error") {
  CHECK(errors_with({"src/ir/a.cpp", "#include HEADER\n"}) ==
        Strings{"src/ir/a.cpp:1: this #include names no file; write \"...\" or <...>"});
}

TEST_CASE("a commented include is none") {
  CHECK(errors_with({"src/base/text.cpp", "// #include \"ir/print.h\"\n"}) == Strings{});
}

TEST_CASE("a broken table names the line and what is wrong") {
  CHECK(parse_error("layer ir src/ir -> base") ==
        "layers.txt:1: the layer \"base\" is not declared above this line");
  CHECK(parse_error("layer base src/base ->\nlayer base src/b ->") ==
        "layers.txt:2: the layer base is declared twice");
  CHECK(parse_error("layer base src/base base") ==
        "layers.txt:1: a layer line reads: layer NAME FOLDER -> LAYER ...");
  CHECK(parse_error("public base a.h") == "layers.txt:1: the layer \"base\" is not declared above this line");
  CHECK(parse_error("layer a src/a ->\nlayer b src/b -> a\npublic a x.h\npublic b x.h") ==
        "layers.txt:4: the public header x.h belongs to two layers");
  CHECK(parse_error("folder base") ==
        "layers.txt:1: a line starts with \"layer\", \"public\" or \"#\", not \"folder\"");
}

}  // namespace tensordsl::layering
