// JSON -> a Program
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json/field_reader.h"
#include "base/json_integer.h"
#include "base/json_problem.h"
#include "base/json_text.h"
#include "base/kernel_json.h"
#include "runtime/json/program_fields.h"
#include "runtime/json/program_of_json.h"
#include "runtime/program/check_parts.h"
#include "runtime/program/check_program.h"
#include "tensordsl/error.h"
#include "tensordsl/program.h"

namespace tensordsl {
namespace {

using nlohmann::ordered_json;

class ProgramReader : public FieldReader {
 public:
  ProgramReader(int version, const ordered_json& json) : FieldReader("program", version, json) {}

  void kernels(Program& program) {
    for (const ordered_json& kernel : here().at("kernels")) program.kernels.push_back(kernel_of(kernel));
  }

  /// Reads nothing: their bytes are in a file.
  void constants(Program&) {}
};

int version_in(const ordered_json& json) {
  const int version = integer_of<int>(json.at("version"));
  if (version >= runtime::kFirstVersion && version <= runtime::kVersionWithLoops) return version;
  throw ParseError(fmt::format("program: version {} is not supported; supported: {} to {}", version,
                               runtime::kFirstVersion, runtime::kVersionWithLoops));
}

/// Refuses features that a reader of the version would not expect.
void check_version(const Program& program, int version) {
  for (const Program::Tensor& tensor : program.tensors) {
    if (version < runtime::kVersionWithOffsets && runtime::has_offset(tensor))
      throw ParseError(fmt::format("program: version {} cannot have offsets in slots", version));
    if (version < runtime::kVersionWithSharedImages && runtime::is_shared_image(tensor))
      throw ParseError(fmt::format("program: version {} cannot have images in slots", version));
  }
}

/// Turns exceptions into a ParseError of the program.
template <typename Read>
Program reading(Read read) {
  try {
    return read();
  } catch (const nlohmann::json::exception& e) {
    throw ParseError(fmt::format("program: {}", json_problem(e.what())));
  } catch (const Error& e) {
    const std::string what = e.what();
    throw ParseError(what.starts_with("program: ") ? what : "program: " + what);
  }
}

Program read_fields(const ordered_json& json) {
  const int version = version_in(json);
  ProgramReader reader(version, json);
  Program program;
  visit_fields(program, reader);
  // The type of an operand is its tensor's, and not written again.
  for (Program::HostStep& step : program.host_steps) {
    for (auto* operands : {&step.reads, &step.writes}) {
      for (Program::HostStep::Operand& operand : *operands)
        operand.stored.type = program.tensors[operand.tensor].stored.type;
    }
  }
  check_version(program, version);
  runtime::check_parts(program);
  runtime::check_program(program);
  return program;
}

}  // namespace

Program program_from_json(const std::string& json) {
  return reading([&] { return read_fields(parse_json(json)); });
}

Program runtime::program_of(const ordered_json& json) {
  return reading([&] { return read_fields(json); });
}

}  // namespace tensordsl
