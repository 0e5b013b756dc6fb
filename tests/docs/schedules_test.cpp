// docs/SCHEDULES.md shows what directives really do. After a wanted change of the output,
// TENSORDSL_UPDATE_DOCS=1 build/release/bin/test_schedules_document   writes the new text into the document.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "docs/generated_blocks.h"
#include "docs/markdown.h"
#include "docs/schedule_examples.h"
#include "docs/source_regions.h"
#include "dsl/schedule_data.h"
#include "schedule/func_schedule.h"

namespace tensordsl::docs {
namespace {

constexpr const char* kDocument = "docs/SCHEDULES.md";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

/// A directive to a line.
std::string code_of(const std::string& text) {
  std::string code;
  for (const char c : text + ";") code += c == ';' ? std::string(";\n") : std::string(1, c);
  for (std::size_t at; (at = code.find("\n ")) != std::string::npos;) code.erase(at + 1, 1);
  return code;
}

/// The kernels without what stands before their bodies.
std::string bodies_of(const std::string& cl) {
  std::string result;
  bool is_attribute = false;
  for (const std::string& line : lines_of(cl)) {
    is_attribute = line.starts_with("__kernel");
    if (!is_attribute && !line.empty() && !line.starts_with("//") && !line.starts_with("#"))
      result += line + "\n";
  }
  return result;
}

/// The first lines of the interpreter's trace.
std::string trace_of(const Func& output) {
  std::map<std::string, Buffer> inputs;
  for (const ir::FunctionPtr& f : ir::reachable(output.shared())) {
    if (!f->is_input()) continue;
    std::vector<std::int64_t> shape;
    for (const Expr& extent : f->shape) shape.push_back(*ir::as_int(extent));
    Buffer& data = inputs.emplace(f->name, Buffer(f->type(), shape)).first->second;
    for (std::int64_t i = 0; i < data.elements(); ++i) data.set(i, static_cast<double>(i % 7) / 4);
  }
  std::string text;
  int events = 0;
  Pipeline(output).interpret(inputs, {}, {}, [&](const TraceEvent& e) {
    if (++events <= 3) text += e.to_string() + "\n";
  });
  return text.empty() ? "nothing\n" : text + fmt::format("{} more\n", events - 3);
}

std::string shown(const Func& output, const std::string& stage) {
  if (stage == "trace") return trace_of(output);
  const Pipeline pipeline(output);
  return stage == "nest" ? pipeline.print_loop_nest() : bodies_of(pipeline.emit(stage));
}

/// Two texts next to each other, or one below the other where they are wide.
std::string beside(const std::string& left, const std::string& right) {
  const auto a = lines_of(left), b = lines_of(right);
  std::size_t width = 0;
  for (const std::string& line : a) width = std::max(width, line.size());
  if (width > 60) return left + "\n   ->\n\n" + right;
  std::string text;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    std::string line = fmt::format("{:<{}}   {}   {}", i < a.size() ? a[i] : "", width, i == 0 ? "->" : "  ",
                                   i < b.size() ? b[i] : "");
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string generated(const std::string& name) {
  if (name == "definitions")
    return source_regions(read_file("tests/docs/schedule_examples.cpp")).at("definitions");
  for (const ScheduleExample& e : schedule_examples()) {
    if (e.name == name)
      return code_of(e.code) + "\n" + beside(shown(e.before, e.stage), shown(e.after, e.stage));
  }
  throw std::runtime_error("no example " + name);
}

}  // namespace

TEST_CASE("SCHEDULES.md shows the loops and kernels before and after as the compiler prints them") {
  INFO("to accept the new text: TENSORDSL_UPDATE_DOCS=1 build/release/bin/test_schedules_document");
  CHECK(is_current(kDocument, generated));
}

TEST_CASE("SCHEDULES.md has no code that is not compiled") {
  CHECK(written_code(read_file(kDocument)) == std::vector<std::string>());
}

TEST_CASE("SCHEDULES.md has a section for every directive, with an example that changes something") {
  const std::string document = read_file(kDocument);
  std::set<std::string> directives{"tile"};  // split twice and reorder, as data
  for (const auto& form : schedule::directive_forms()) directives.emplace(form.name);
  for (const std::string& directive : directives) {
    CHECK_MESSAGE(document.find("\n### " + directive + "\n") != std::string::npos, directive);
    const auto examples = schedule_examples();
    CHECK_MESSAGE(std::any_of(examples.begin(), examples.end(),
                              [&](const auto& e) { return e.directive == directive; }),
                  directive);
  }
  // The index is the last section.
  const auto index = links_of(document.substr(document.find("\n## Index of directives\n")));
  for (const std::string& directive : directives)
    CHECK_MESSAGE(std::ranges::count(index, "#" + directive) == 1, directive);
  CHECK(index.size() == directives.size());
  for (const ScheduleExample& e : schedule_examples()) {
    CAPTURE(e.name);
    CHECK(document.find("<!-- generated: " + e.name + " -->") != std::string::npos);
    CHECK(shown(e.before, e.stage) != shown(e.after, e.stage));
  }
}

}  // namespace tensordsl::docs
