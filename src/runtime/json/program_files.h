// A Program and its files, wherever they are kept: program.json, a .cl file for each kernel, the constants.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tensordsl/program.h"

namespace tensordsl::runtime {

struct ProgramFile {
  std::string name;
  std::string made = {};             ///< bytes that were made for the file
  std::string_view of_program = {};  ///< bytes of the Program, if `made` is empty
  std::string_view bytes() const { return made.empty() ? of_program : made; }
};

/// Returns all files, program.json last: so that an unfinished folder is not taken for a Program. They must
/// not outlive `program`.
std::vector<ProgramFile> files_of(const Program& program);

/// Returns the contents of the file of that name. Throws Error if there is none.
using FileContents = std::function<Program::Bytes(const std::string& name)>;

/// True if `name` may be the name of a file in the folder of program.json, and leads nowhere else.
bool is_file_name(const std::string& name);

/// Reads the Program of a program.json, with texts and constants. Throws ParseError, and the errors of
/// `contents`.
Program program_of_files(std::string_view json, const FileContents& contents);

}  // namespace tensordsl::runtime
