// docs/LANGUAGE.md shows code that is compiled, and its actual results. After an intended change,
// TENSORDSL_UPDATE_DOCS=1 build/release/bin/test_language_document   writes the new text into the document.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "docs/example_text.h"
#include "docs/generated_blocks.h"
#include "docs/language/examples.h"
#include "docs/markdown.h"
#include "docs/source_regions.h"

namespace tensordsl::docs {
namespace {

constexpr const char* kDocument = "docs/LANGUAGE.md";

template <typename T>
void append(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

std::vector<DocumentExample> examples() {
  std::vector<DocumentExample> all = program_examples();
  for (const auto& more : {func_examples(), reduction_examples(), param_examples(), number_examples(),
                           boundary_examples(), debugging_examples()})
    append(all, more);
  return all;
}

std::vector<Refusal> refusals() {
  std::vector<Refusal> all = definition_refusals();
  for (const auto& more : {expression_refusals(), pipeline_refusals(), launch_refusals()}) append(all, more);
  return all;
}

std::string generated(const std::string& name) {
  const auto regions = regions_of_folder("tests/docs/language");
  if (name == "names") return regions.at(name);
  for (const DocumentExample& e : examples()) {
    if (e.name == name) return e.is_table ? e.run() : with_comment(regions.at(name), e.run());
  }
  for (const Refusal& r : refusals()) {
    if (r.name == name) return with_comment(regions.at(name), refusal_of(r.run));
  }
  throw std::runtime_error("no example " + name);
}

}  // namespace

TEST_CASE("LANGUAGE.md shows code that compiles, with what it gives") {
  INFO("to accept the new text: TENSORDSL_UPDATE_DOCS=1 build/release/bin/test_language_document");
  CHECK(is_current(kDocument, generated));
}

TEST_CASE("LANGUAGE.md has no code that is not compiled, and shows every example once") {
  const std::string document = read_file(kDocument);
  CHECK(written_code(document) == std::vector<std::string>());
  std::multiset<std::string> written{"names"}, shown;
  for (const DocumentExample& e : examples()) written.insert(e.name);
  for (const Refusal& r : refusals()) written.insert(r.name);
  for (const std::string& name : generated_names(document)) shown.insert(name);
  for (const std::string& name : written) {
    CAPTURE(name);
    CHECK(shown.count(name) == 1);
    CHECK(written.count(name) == 1);
  }
  for (const auto& [name, code] : regions_of_folder("tests/docs/language"))
    CHECK_MESSAGE(written.contains(name), name);
}

TEST_CASE("every program that LANGUAGE.md calls wrong is refused") {
  for (const Refusal& r : refusals()) CHECK_MESSAGE(refusal_of(r.run) != "nothing", r.name);
}

TEST_CASE("regions of sources lose their indentation, and are closed") {
  using Regions = std::map<std::string, std::string>;
  CHECK(source_regions("a\n  // [sum]\n  if (b) {\n    c;\n\n  }\n  // [end]\nd\n") ==
        Regions{{"sum", "if (b) {\n  c;\n\n}\n"}});
  CHECK(source_regions("int a[3];  // [no marker]\n").empty());
  CHECK_THROWS_WITH_AS(source_regions("// [a]\n// [b]\n"), "the region b begins in a", std::runtime_error);
  CHECK_THROWS_WITH_AS(source_regions("// [a]\n"), "the region a is not closed", std::runtime_error);
  CHECK_THROWS_WITH_AS(source_regions("// [a]\n// [end]\n// [a]\n// [end]\n"), "two regions are named a",
                       std::runtime_error);
}

TEST_CASE("code without the name of an example is found") {
  CHECK(written_code("<!-- generated: a -->\n```cpp\nint a;\n```\n").empty());
  CHECK(written_code("text\n```cpp\nint a;\n```\n") == std::vector<std::string>{"int a;"});
  CHECK(written_code("```\nno C++\n```\n").empty());
  CHECK(generated_names("<!-- generated: a -->\n```\n```\n<!-- generated: b -->\n") ==
        std::vector<std::string>{"a", "b"});
}

TEST_CASE("what code gives stands below it, in lines of 100 columns") {
  CHECK(with_comment("f(x) = x;\n", "f: 0 1\n   2 3\n") == "f(x) = x;\n// f: 0 1\n//    2 3\n");
  const std::string word(60, 'a');
  CHECK(with_comment("", word + " " + word) == "// " + word + "\n//     " + word + "\n");
}

}  // namespace tensordsl::docs
