// Code decides by a device's figures and features, never by its maker's name.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "layering/source_tree.h"
#include "support/source_dir.h"

namespace tensordsl::layering {
namespace {

using Strings = std::vector<std::string>;

/// "isMaliGpu", "is_mali_gpu" -> is mali gpu; a run of capitals is one part.
Strings parts_of(const std::string& word) {
  Strings parts(1);
  for (std::size_t i = 0; i < word.size(); ++i) {
    const auto c = static_cast<unsigned char>(word[i]);
    const bool after_small = i > 0 && std::islower(static_cast<unsigned char>(word[i - 1]));
    if (!std::isalpha(c) || (std::isupper(c) && after_small)) parts.emplace_back();
    if (std::isalpha(c)) parts.back() += static_cast<char>(std::tolower(c));
  }
  return parts;
}

/// A name from the OpenCL headers or of an extension says what the device can do, not who made it.
bool names_vendor(const std::string& word) {
  static const std::set<std::string, std::less<>> kVendors = {
      "adreno", "amd",     "apple", "arm",      "imagination", "intel",   "mali",   "nvidia",
      "pocl",   "powervr", "qcom",  "qualcomm", "radeon",      "samsung", "vivante"};
  if (word.starts_with("cl_") || word.starts_with("CL_")) return false;
  const bool is_function =
      word.size() > 2 && word.starts_with("cl") && std::isupper(static_cast<unsigned char>(word[2]));
  if (is_function) return false;
  const Strings parts = parts_of(word);
  return std::any_of(parts.begin(), parts.end(),
                     [](const std::string& part) { return kVendors.contains(part); });
}

class BranchFinder {
 public:
  explicit BranchFinder(const SourceFile& file) : file_(file), tokens_(tokenize(file.text)) {}

  Strings run() {
    int depth = 0;  // of parentheses since `if`; 0 outside a condition
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (depth == 0) {
        if (opens_condition(i)) depth = 1;
      } else if (token.kind == Token::Kind::Symbol) {
        depth += token.text == "(" ? 1 : token.text == ")" ? -1 : 0;
      }
      const auto words = words_of(token.text);
      const bool is_a_name = token.kind == Token::Kind::Literal && words.size() <= 2;
      if (depth == 0 && !is_a_name) continue;
      for (const std::string& word : words) {
        if (names_vendor(word)) found_.push_back(fmt::format("{}:{}: {}", file_.path, token.line, word));
      }
    }
    return std::move(found_);
  }

 private:
  /// Token i is the parenthesis after if, if constexpr, while or switch.
  bool opens_condition(std::size_t i) const {
    if (i == 0 || tokens_[i].kind != Token::Kind::Symbol || tokens_[i].text != "(") return false;
    const Token& before = tokens_[i - 1];
    static const std::set<std::string, std::less<>> kWords = {"if", "constexpr", "while", "switch"};
    return before.kind == Token::Kind::Word && kWords.contains(before.text);
  }

  const SourceFile& file_;
  std::vector<Token> tokens_;
  Strings found_;
};

/// Returns a line for each vendor's name in a condition, and for each literal that is just a vendor's name,
/// because a comparison elsewhere would need it.
Strings find_vendor_branches(const SourceFile& file) { return BranchFinder(file).run(); }

}  // namespace

TEST_CASE("no condition and no table of the project names a vendor") {
  const auto files =
      read_tree(source_dir(), {"include", "src", "backends", "schedules", "hwprofile", "apps", "python"});
  REQUIRE(files.size() > 100);
  Strings found;
  for (const SourceFile& file : files) {
    if (is_cpp(file.path)) std::ranges::copy(find_vendor_branches(file), std::back_inserter(found));
  }
  INFO(fmt::format("{}", fmt::join(found, "\n")));
  CHECK(found.empty());
}

TEST_CASE("a vendor's name in a condition is found, as text and as a name") {
  CHECK(find_vendor_branches({"a.cpp", "if (\n  info.vendor.find(\"NVIDIA Corp.\") != npos)"}) ==
        Strings{"a.cpp:2: NVIDIA"});
  CHECK(find_vendor_branches({"a.cpp", "if (f(x) && isMaliGpu(d)) {}"}) == Strings{"a.cpp:1: isMaliGpu"});
  CHECK(find_vendor_branches({"a.cpp", "while (vendor == Vendor::ADRENO) {}"}) == Strings{"a.cpp:1: ADRENO"});
  CHECK(find_vendor_branches({"a.cpp", "if constexpr (on_intel) {}"}) == Strings{"a.cpp:1: on_intel"});
}

TEST_CASE("a literal that is a vendor's name is found without an if") {
  CHECK(find_vendor_branches({"a.cpp", "int tile = name.contains(\"pocl\") ? 8 : 4;"}) ==
        Strings{"a.cpp:1: pocl"});
  CHECK(find_vendor_branches({"a.cpp", "Table t = {{\"Mali-G76\", 4}};"}) == Strings{"a.cpp:1: Mali"});
}

TEST_CASE("messages, comments, extensions and look-alikes are no vendor branches") {
  CHECK(find_vendor_branches({"a.cpp", "throw E(\"no device: apt-get install pocl-opencl-icd\");"}) ==
        Strings{});
  CHECK(find_vendor_branches(
            {"a.cpp", "// on NVIDIA\nif (x /* Mali */) y = \"a Mali has no local memory\";"}) == Strings{});
  CHECK(find_vendor_branches(
            {"a.cpp", "if (has(\"cl_qcom_recordable_queues\") || CL_DEVICE_WARP_SIZE_NV) {}"}) == Strings{});
  CHECK(find_vendor_branches({"a.cpp", "if (normalized && formality && warm) {}"}) == Strings{});
}

}  // namespace tensordsl::layering
