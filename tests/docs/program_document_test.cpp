// docs/PROGRAM.md has every field of a Program, and shows one. After a wanted change of the format,
// TENSORDSL_UPDATE_DOCS=1 build/release/bin/test_program_document   writes the new text into the document.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "docs/generated_blocks.h"
#include "ir/text/parse.h"
#include "ir/text/print.h"
#include "runtime/json/program_text.h"
#include "runtime/values/evaluate.h"
#include "support/error_text.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl::docs {
namespace {

constexpr const char* kDocument = "docs/PROGRAM.md";

/// The example of the document: a block of it by its name.
std::string scale(const std::string& block) {
  const Var i("i");
  const Param count("count"), factor("factor", Float(32));
  const Input in("in", Float(32), {count});
  Func out("out");
  out(i) = in(i)*factor;
  out.bound({count}).gpu_tile(i, 64, Tail::Guard);
  const Pipeline pipeline(out);
  if (block == "scale_kernel") return pipeline.emit("cl");
  Program program = pipeline.compile();
  program.name = "scale";
  return runtime::program_text(program, {"scale.cl", "scale.bin"});
}

/// The names of all properties, and the words of all enumerations.
void add_words(const nlohmann::json& schema, std::set<std::string>& words) {
  if (schema.is_object()) {
    if (schema.contains("properties")) {
      for (const auto& [name, rule] : schema["properties"].items()) words.insert(name);
    }
    if (schema.contains("enum")) {
      for (const auto& word : schema["enum"]) {
        if (word.is_string()) words.insert(word.get<std::string>());
      }
    }
  }
  if (schema.is_structured()) {
    for (const auto& part : schema) add_words(part, words);
  }
}

/// The texts in `backticks` in the first column of the table of forms.
std::vector<std::string> forms() {
  const std::string document = read_file(kDocument);
  const std::size_t begin = document.find("| form |"), end = document.find("\n\n", begin);
  std::istringstream table(document.substr(begin, end - begin));
  std::vector<std::string> forms;
  for (std::string line; std::getline(table, line);) {
    for (std::size_t at = 0; (at = line.find("\\|")) != std::string::npos;) line.replace(at, 2, "\1");
    std::istringstream column(line.substr(1, line.find('|', 1) - 1));
    std::string between, form;
    while (std::getline(column, between, '`') && std::getline(column, form, '`')) {
      std::ranges::replace(form, '\1', '|');
      forms.push_back(form);
    }
  }
  return forms;
}

}  // namespace

TEST_CASE("PROGRAM.md: the library reads each form of an expression, and writes it so") {
  CHECK(forms().size() > 25);
  for (const std::string& form : forms()) {
    CAPTURE(form);
    CHECK(ir::print(ir::parse_expr(form)) == form);
    CHECK(to_string(SizeExpr::parse(form)) == form);
  }
}

TEST_CASE("PROGRAM.md: expressions have the values that it tells of") {
  CHECK(runtime::evaluate("-7/2", {}) == -4);
  CHECK(runtime::evaluate("-7%2", {}) == 1);
  CHECK(runtime::evaluate("n/0 + n%0", {{"n", 5}}) == 0);
  CHECK(runtime::evaluate("k:u32 + 1:u32", {{"k", std::int64_t{4294967295}}}) == 0);
  CHECK(runtime::evaluate("n*n", {{"n", 65536}}) == std::int64_t{1} << 32);
  CHECK(runtime::evaluate("i64(n < 3)", {{"n", 2}}) == 1);
  CHECK(runtime::evaluate("8 - 4 - 2", {}) == 2);
  CHECK(runtime::evaluate("2 + 3*4", {}) == 14);
  CHECK(runtime::evaluate("shift_left(n, 33)", {{"n", 1}}) == 2);
  CHECK(runtime::evaluate("shift_right(n, 1)", {{"n", -3}}) == -2);
  CHECK(runtime::evaluate("bitwise_and(n, -4)", {{"n", 7}}) == 4);
  CHECK(runtime::evaluate("popcount(n)", {{"n", -1}}) == 32);
  CHECK(error_of([] {
          runtime::evaluate("n:i64*n:i64", {{"n", std::int64_t{1} << 32}});
        }) == "\"n:i64*n:i64\" overflows 64 bits");
  CHECK(error_of([] {
          runtime::evaluate("i32(x:f32)", {{"x", 2.5}});
        }) == "\"i32(x:f32)\" is not an integer expression");
}

TEST_CASE("PROGRAM.md names every field and every word of the schema") {
  std::set<std::string> words;
  add_words(nlohmann::json::parse(read_file("src/runtime/json/program.schema.json")), words);
  CHECK(words.size() > 50);
  const std::string document = read_file(kDocument);
  for (const std::string& word : words) {
    CAPTURE(word);
    CHECK(document.find("`" + word + "`") != std::string::npos);
  }
}

TEST_CASE("PROGRAM.md shows a Program as the compiler writes it") { CHECK(is_current(kDocument, scale)); }

}  // namespace tensordsl::docs
