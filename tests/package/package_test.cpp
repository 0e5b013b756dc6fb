// Packages as folders and as files.
#include "tensordsl/package.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/mapped_file.h"
#include "package/begin_package.h"
#include "support/error_text.h"
#include "support/temporary.h"
#include "tensordsl/tensordsl.h"

using namespace tensordsl;
namespace fs = std::filesystem;

namespace {

const Var x("x");

struct Folder {
  fs::path path = testing::temporary("package_test");
  Folder() {
    fs::remove_all(path);
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }
  std::string file(const std::string& name) const { return (path / name).string(); }
};

std::shared_ptr<const std::byte[]> bytes_of(std::size_t size, int first) {
  const auto bytes = std::make_shared<std::byte[]>(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(first + static_cast<int>(i));
  return bytes;
}

Program doubled(const std::string& name = "doubled") {
  const Input a("a", Float(32), {64});
  Func out(name);
  out(x) = a(x) * 2.0f;
  out.bound({64});
  return Pipeline(out).compile();
}

Package some_package(const std::string& name = "doubled") {
  Program program = doubled(name);
  program.constants = {bytes_of(1000, 3), 1000};
  Package package;
  package.program = std::make_shared<const Program>(std::move(program));
  package.made_from = "doubled.onnx";
  package.compiled_for = "a device";
  package.profile = to_json(HwProfile());
  package.binaries = {{"0123", bytes_of(77, 5), 77}};
  return package;
}

void check_equal(const Package& a, const Package& b) {
  CHECK(to_json(*a.program) == to_json(*b.program));
  REQUIRE(a.program->kernels.size() == b.program->kernels.size());
  for (std::size_t k = 0; k < a.program->kernels.size(); ++k)
    CHECK(a.program->kernels[k].text == b.program->kernels[k].text);
  REQUIRE(a.program->constants.size == b.program->constants.size);
  CHECK(std::equal(a.program->constants.data.get(),
                   a.program->constants.data.get() + a.program->constants.size,
                   b.program->constants.data.get()));
  CHECK(a.made_from == b.made_from);
  CHECK(a.compiled_for == b.compiled_for);
  CHECK(a.profile == b.profile);
  REQUIRE(a.binaries.size() == b.binaries.size());
  for (std::size_t i = 0; i < a.binaries.size(); ++i) {
    CHECK(a.binaries[i].name == b.binaries[i].name);
    REQUIRE(a.binaries[i].size == b.binaries[i].size);
    CHECK(std::equal(a.binaries[i].data.get(), a.binaries[i].data.get() + a.binaries[i].size,
                     b.binaries[i].data.get()));
  }
}

std::set<std::string> files_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

std::string contents(const std::string& path) { return std::string(MappedFile(path).text()); }

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string refusal(const std::string& path) {
  return error_of([&] { read_package(path); });
}

}  // namespace

TEST_CASE("package: a folder and a file give back all that was written") {
  const Folder folder;
  const Package package = some_package();
  for (const std::string& place : {folder.file("p"), folder.file("p.tdsl")}) {
    write_package(package, place);
    check_equal(package, read_package(place));
    write_package(package, place);  // over itself
    check_equal(package, read_package(place));
  }
  CHECK(files_in(folder.path) == std::set<std::string>{"p", "p.tdsl"});  // and nothing temporary
}

TEST_CASE("package: a file in memory is one, and its owner stays") {
  const Folder folder;
  write_package(some_package(), folder.file("p.tdsl"));
  auto owner = std::make_shared<std::string>(contents(folder.file("p.tdsl")));
  const std::weak_ptr<std::string> watched = owner;
  std::optional<Package> read = read_package(std::as_bytes(std::span(*owner)), owner, "asset");
  owner.reset();
  CHECK(!watched.expired());
  check_equal(*read, some_package());
  read.reset();
  CHECK(watched.expired());
}

TEST_CASE("package: constants lie at a page of the file, and are what is mapped") {
  const Folder folder;
  const std::string place = folder.file("p.tdsl");
  write_package(some_package(), place);
  const Package read = read_package(place);
  CHECK(reinterpret_cast<std::uintptr_t>(read.program->constants.data.get()) % 4096 == 0);
  // An open package is unchanged when another one replaces its file.
  write_package(some_package("another"), place);
  CHECK(read.program->constants.data[0] == std::byte{3});
  fs::remove(place);
  CHECK(read.program->constants.data[999] == static_cast<std::byte>(3 + 999));
}

TEST_CASE("package: the same package is the same bytes") {
  const Folder folder;
  write_package(some_package(), folder.file("a.tdsl"));
  write_package(some_package(), folder.file("b.tdsl"));
  CHECK(contents(folder.file("a.tdsl")) == contents(folder.file("b.tdsl")));
}

TEST_CASE("package: an index that is none of a package is somebody's own, and stays") {
  const Folder folder;
  const std::string place = folder.file("p");
  fs::create_directory(place);
  write(place + "/tensordsl.json", "{\"mine\": 1}");
  CHECK(error_of([&] { write_package(some_package(), place); }) ==
        "cannot write a package into " + place +
            ": its tensordsl.json is not the index of a package; name another folder, or remove that file");
  CHECK(contents(place + "/tensordsl.json") == "{\"mine\": 1}");
  CHECK(files_in(place).size() == 1);
}

TEST_CASE("package: over another one, its files go and those of others stay") {
  const Folder folder;
  const std::string place = folder.file("p");
  write_package(some_package(), place);
  write(place + "/notes.txt", "mine");
  Package other = some_package("another");
  other.binaries.clear();
  other.profile.clear();
  write_package(other, place);
  CHECK(files_in(place) == std::set<std::string>{"000_another_kernel.cl", "constants.bin", "notes.txt",
                                                 "tensordsl.json", "program.json"});
  write_program(*other.program, place);  // a Program by itself is not a package any more
  fs::remove(place + "/tensordsl.json");
  CHECK(read_package(place).binaries.empty());
}

TEST_CASE("package: a Program's folder and a generator's .json are read without an index") {
  const Folder folder;
  write_program(doubled(), folder.file("p"));
  CHECK(to_json(*read_package(folder.file("p")).program) == to_json(doubled()));
  CHECK(to_json(*read_package(folder.file("p/program.json")).program) == to_json(doubled()));
}

TEST_CASE("package: what is none, or cannot be read, is refused by name") {
  const Folder folder;
  const std::string absent = folder.file("absent.tdsl"), other = folder.file("other.tdsl"),
                    empty = folder.file("empty");
  CHECK(refusal(absent) == absent + ": cannot be read: No such file or directory");
  write(other, "no package");
  const std::string no_package =
      ": not a package; create one with 'tensordsl compile MODEL -o NAME.tdsl', or in Python with "
      "compile(MODEL).save";
  CHECK(refusal(other) == other + no_package);
  write(other, "");
  CHECK(refusal(other) == other + no_package);
  fs::create_directory(empty);
  CHECK(refusal(empty) == empty + ": not a package: it has neither tensordsl.json nor program.json");
  CHECK(refusal("/dev/null") == "/dev/null: cannot be read: it is not a regular file");
  CHECK(error_of([&] { read_package({}, nullptr, "asset"); }) == "asset" + no_package);
}

TEST_CASE("package: nothing to write, and no place to write it, are errors") {
  const Folder folder;
  CHECK(error_of([&] { write_package({}, folder.file("p")); }) ==
        "write_package: the package has no Program; set one");
  CHECK(error_of([&] { write_package(some_package(), folder.file("no/such/p.tdsl")); }) ==
        "cannot write " + folder.file("no/such/p.tdsl") + ": No such file or directory");
  write(folder.file("file"), "");
  CHECK(error_of([&] {
          write_package(some_package(), folder.file("file/p"));
        }).starts_with("cannot create the folder"));
}

TEST_CASE("package: a file that ends early is refused, wherever it ends") {
  const Folder folder;
  const std::string place = folder.file("p.tdsl");
  write_package(some_package(), place);
  const std::string whole = contents(place);
  for (std::size_t size = 0; size < whole.size(); size += 1 + size / 7) {
    CAPTURE(size);
    write(place, whole.substr(0, size));
    const std::string text = refusal(place);
    CHECK(text.starts_with(place + ": "));
  }
  write(place, whole.substr(0, 40));
  CHECK(refusal(place) ==
        place + ": the package is damaged: its header is truncated; copy it again, or compile it again");
  write(place, whole.substr(0, 100));
  CHECK(refusal(place) ==
        place + ": the package is damaged: its index is truncated; copy it again, or compile it again");
}

TEST_CASE("package: a byte that is another one is found, in a file and in a folder") {
  const Folder folder;
  const std::string place = folder.file("p.tdsl"), split = folder.file("p");
  write_package(some_package(), place);
  std::string bytes = contents(place);
  bytes[bytes.find("doubled_kernel(")] = 'D';
  write(place, bytes);
  CHECK(refusal(place) == place +
                              ": the package is damaged: the checksum of 000_doubled_kernel.cl does not "
                              "match; copy it again, or compile it again");
  write_package(some_package(), split);
  std::string kernel = contents(split + "/000_doubled_kernel.cl");
  write(split + "/000_doubled_kernel.cl", kernel + " ");
  CHECK(refusal(split) == split + ": the package is damaged: 000_doubled_kernel.cl has " +
                              std::to_string(kernel.size() + 1) + " bytes, but should have " +
                              std::to_string(kernel.size()) + "; copy it again, or compile it again");
  fs::remove(split + "/000_doubled_kernel.cl");
  CHECK(refusal(split) == split + "/000_doubled_kernel.cl: cannot be read: No such file or directory");
}

TEST_CASE("package: one of another version says so") {
  const Folder folder;
  const std::string place = folder.file("p.tdsl");
  write_package(some_package(), place);
  std::string bytes = contents(place);
  bytes[8] = 2;
  write(place, bytes);
  CHECK(refusal(place) ==
        place + ": unsupported package version 2; this library reads version 1; compile the package again");
}

TEST_CASE("package: an index whose files lie elsewhere, twice or over each other is refused") {
  const PackageEntry first{"a", 128, 64, ""}, second{"b", 192, 10, ""};
  const auto refused = [](const PackageIndex& index) {
    const std::string json = to_json(index);
    std::string file = package_header(json) + json;
    file.resize(4096);
    return error_of([&] { read_package(std::as_bytes(std::span(file)), nullptr, "p"); });
  };
  const std::string end = "; copy it again, or compile it again";
  CHECK(refused({"", "", {first, second}}) ==
        "p: the package is damaged: a is outside the package, or overlaps another file" + end);
  CHECK(refused({"", "", {{"a", 4000, 97, ""}}}) ==
        "p: the package is damaged: a is outside the package, or overlaps another file" + end);
  CHECK(refused({"", "", {{"a", UINT64_MAX, 2, ""}}}) ==
        "p: the package is damaged: a is outside the package, or overlaps another file" + end);
  CHECK(refused({"", "", {{"a", 4000, UINT64_MAX, ""}}}) ==
        "p: the package is damaged: a is outside the package, or overlaps another file" + end);
  CHECK(refused({"", "", {{"../a", 4000, 1, ""}}}) ==
        "p: the package is damaged: \"../a\" is not a valid file name" + end);
  CHECK(refused({"", "", {{"a", 4000, 1, ""}, {"a", 4001, 1, ""}}}) ==
        "p: the package is damaged: the file \"a\" is listed twice" + end);
  CHECK(refused({"", "", {}}) == "p: the package is damaged: the file program.json is missing" + end);
  CHECK(error_of([] { index_from_json("{\"version\": 9}"); }) ==
        "unsupported package version 9; this library reads version 1; compile the package again");
}

TEST_CASE("package: lists of lists that are deeper than the stack are refused") {
  const Folder folder;
  write_package(some_package(), folder.file("p.tdsl"));
  const Package read = read_package(folder.file("p.tdsl"));
  const std::string deep = std::string(300'000, '[') + std::string(300'000, ']');
  for (const char* field : {"\"version\": 1", "\"slots\": []", "\"params\": []", "\"name\": \"doubled\""}) {
    CAPTURE(field);
    std::string program = to_json(*read.program);
    const std::string text = field;
    const std::size_t at = program.find(text);
    REQUIRE(at != std::string::npos);
    program.replace(at, text.size(), text.substr(0, text.find(':') + 2) + deep);
    CHECK(error_of([&] { program_from_json(program); }).starts_with("program: "));
  }
}
