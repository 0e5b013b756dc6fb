// Kernels come from definitions and schedules: nothing but the printer may contain OpenCL C.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "layering/source_tree.h"
#include "support/source_dir.h"

namespace tensordsl::layering {
namespace {

using Strings = std::vector<std::string>;

/// A word that hardly occurs outside OpenCL C.
bool is_kernel_word(const std::string& word) {
  static const std::set<std::string, std::less<>> kWords = {
      "__kernel",       "__global",     "__local",      "__constant",          "__private",
      "get_global_id",  "get_local_id", "get_group_id", "get_global_size",     "get_local_size",
      "get_num_groups", "read_imagef",  "read_imageh",  "read_imagei",         "read_imageui",
      "write_imagef",   "write_imageh", "write_imagei", "write_imageui",       "reqd_work_group_size",
      "vec_type_hint",  "vload_half",   "vstore_half",  "CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE"};
  if (kWords.contains(word)) return true;
  for (const std::string_view access :
       {"vload", "vstore", "vload_half", "vstore_half", "vloada_half", "vstorea_half"}) {
    if (!word.starts_with(access)) continue;
    const std::string width = word.substr(access.size());
    if (!width.empty() && width.find_first_not_of("0123456789") == std::string::npos) return true;
  }
  return false;
}

/// One line for each kernel word outside comments, and for each file that is an OpenCL source by its name.
Strings find_kernel_text(const SourceFile& file) {
  if (file.path.ends_with(".cl")) return {fmt::format("{}: an OpenCL source file", file.path)};
  Strings found;
  std::string previous;  // in this literal or the one before
  for (const Token& token : tokenize(file.text)) {
    if (token.kind != Token::Kind::Literal) previous.clear();
    for (const std::string& word : words_of(token.text)) {
      if (is_kernel_word(word) || (previous == "kernel" && word == "void")) {
        found.push_back(fmt::format("{}:{}: {}", file.path, token.line, word));
      }
      if (token.kind == Token::Kind::Literal) previous = word;
    }
  }
  return found;
}

bool may_print_opencl(const SourceFile& file) {
  return is_below(file.path, "backends/opencl/emit") || is_below(file.path, "src/codegen");
}

/// True for hand-written kernels that probe a driver, and are not operators.
bool asks_the_driver(const SourceFile& file) {
  return file.path == "backends/opencl/device/probe_r16f_images.cpp";
}

}  // namespace

TEST_CASE("no file but the OpenCL printer's contains kernel text") {
  // The probes of hwprofile/ are hand-written kernels: they probe the hardware, and are not operators.
  auto files = read_tree(source_dir(), {"src", "backends", "schedules", "apps", "python"});
  const auto printers = std::erase_if(files, may_print_opencl);
  CHECK(printers > 0);
  CHECK(std::erase_if(files, asks_the_driver) == 1);
  REQUIRE(files.size() > 100);
  Strings found;
  for (const SourceFile& file : files) std::ranges::copy(find_kernel_text(file), std::back_inserter(found));
  INFO(fmt::format("{}", fmt::join(found, "\n")));
  CHECK(found.empty());
}

TEST_CASE("the words are the ones that the OpenCL printer writes") {
  std::size_t found = 0;
  for (const SourceFile& file : read_tree(source_dir(), {"backends/opencl/emit"})) {
    found += find_kernel_text(file).size();
  }
  CHECK(found > 3);
}

TEST_CASE("kernel text is found in plain, raw and split literals") {
  CHECK(find_kernel_text({"a.cpp", "auto s = \"x\";\nauto t = \"__kernel void f()\";\n"}) ==
        Strings{"a.cpp:2: __kernel"});
  CHECK(find_kernel_text({"a.cpp", "auto s = R\"(kernel void f() { y = vload4(0, x); })\";"}) ==
        Strings{"a.cpp:1: void", "a.cpp:1: vload4"});
  CHECK(find_kernel_text({"a.cpp", "f(\"kernel \"\n  \"void g\");"}) == Strings{"a.cpp:2: void"});
  CHECK(find_kernel_text({"a.inc", "vstore_half16(v, 0, p) + get_global_id(0)"}) ==
        Strings{"a.inc:1: vstore_half16", "a.inc:1: get_global_id"});
  CHECK(find_kernel_text({"conv.cl", ""}) == Strings{"conv.cl: an OpenCL source file"});
}

TEST_CASE("comments and names that only look alike are not kernel text") {
  CHECK(find_kernel_text({"a.h", "int block;  // get_group_id(0)\n/* __kernel\n void */ int x;\n"}) ==
        Strings{});
  CHECK(find_kernel_text({"a.cpp", "F(Kernel kernel) {} kernel void f();"}) == Strings{});
  CHECK(find_kernel_text({"a.cpp", "vload(x); vloads4(x); auto s = \"a kernel that loads\";"}) == Strings{});
}

TEST_CASE("an apostrophe or a digit separator does not hide what follows") {
  CHECK(find_kernel_text({"a.cpp", "int n = 1'000; f(\"__global\");"}) == Strings{"a.cpp:1: __global"});
  CHECK(find_kernel_text({"CMakeLists.txt", "# Debian's\nset(X \"__global\")"}) ==
        Strings{"CMakeLists.txt:2: __global"});
  CHECK(find_kernel_text({"a.cpp", "char c = '\"'; f(\"\\\"\", \"__local\");"}) ==
        Strings{"a.cpp:1: __local"});
}

}  // namespace tensordsl::layering
