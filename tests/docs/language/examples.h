// The code of docs/LANGUAGE.md. A region "// [NAME]" of the files of this folder is the block NAME of the
// document; what a function returns, or the error that it throws, stands below it as a comment.
#pragma once

#include <string>
#include <vector>

namespace tensordsl::docs {

struct DocumentExample {
  std::string name;
  std::string (*run)();  // the text that is shown below the code; all of the block for a table of values
  bool is_table = false;
};

/// Code that is refused with an Error.
struct Refusal {
  std::string name;
  void (*run)();
};

std::vector<DocumentExample> program_examples();
std::vector<DocumentExample> func_examples();
std::vector<DocumentExample> reduction_examples();
std::vector<DocumentExample> param_examples();
std::vector<DocumentExample> number_examples();
std::vector<DocumentExample> boundary_examples();
std::vector<DocumentExample> debugging_examples();

std::vector<Refusal> definition_refusals();
std::vector<Refusal> expression_refusals();
std::vector<Refusal> pipeline_refusals();
std::vector<Refusal> launch_refusals();

}  // namespace tensordsl::docs
