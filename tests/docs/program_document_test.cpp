// docs/PROGRAM.md has every field of a Program, and shows one. After a wanted change of the format,
// TENSORDSL_UPDATE_DOCS=1 build/release/bin/test_program_document   writes the new text into the document.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "docs/generated_blocks.h"
#include "runtime/program_text.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl::docs {
namespace {

constexpr const char* kDocument = "docs/PROGRAM.md";

std::string scale() {
  const Var i("i");
  const Param count("count"), factor("factor", Float(32));
  const Input in("in", Float(32), {count});
  Func out("out");
  out(i) = in(i)*factor;
  out.bound({count}).gpu_tile(i, 64, Tail::Guard);
  Program program = Pipeline(out).compile();
  program.name = "scale";
  return program_text(program, {"scale.cl", "scale.bin"});
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

}  // namespace

TEST_CASE("PROGRAM.md names every field and every word of the schema") {
  std::set<std::string> words;
  add_words(nlohmann::json::parse(read_file("src/runtime/program.schema.json")), words);
  CHECK(words.size() > 50);
  const std::string document = read_file(kDocument);
  for (const std::string& word : words) {
    CAPTURE(word);
    CHECK(document.find("`" + word + "`") != std::string::npos);
  }
}

TEST_CASE("PROGRAM.md shows a Program as the compiler writes it") {
  CHECK(is_current(kDocument, [](const std::string&) { return scale(); }));
}

}  // namespace tensordsl::docs
