#include "runtime/json/program_files.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json_integer.h"
#include "base/json_problem.h"
#include "base/json_text.h"
#include "runtime/json/program_of_json.h"
#include "runtime/values/evaluate.h"
#include "tensordsl/error.h"

namespace tensordsl::runtime {

bool is_file_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
         name.find('\\') == std::string::npos && name.find('\0') == std::string::npos;
}

namespace {

std::size_t tensor_bytes(const Program::Tensor& t) {
  try {
    std::vector<std::int64_t> shape;
    for (const SizeExpr& extent : t.stored.extents) shape.push_back(evaluate(extent, {}));
    return static_cast<std::size_t>(t.stored.layout.stored_elements(shape) * t.stored.type.bytes());
  } catch (const Error& e) {
    throw ParseError(fmt::format("program: the constant \"{}\": {}", t.name, e.what()));
  }
}

/// Checks the constants as far as their sizes are known without Params.
void check_constants(const Program& program) {
  if (!program.params.empty()) return;
  for (const Program::Tensor& t : program.tensors) {
    if (t.kind != Program::Tensor::Kind::Constant) continue;
    const auto offset = static_cast<std::size_t>(t.offset), bytes = tensor_bytes(t);
    if (offset > program.constants.size || bytes > program.constants.size - offset)
      throw ParseError(fmt::format("program: the constant \"{}\" has {} bytes at {}, past the end of {}",
                                   t.name, bytes, offset, program.constants.size));
  }
}

}  // namespace

Program program_of_files(std::string_view json, const FileContents& contents) {
  try {
    const auto parsed = parse_json(json);
    Program program = program_of(parsed);
    const auto contents_of = [&](const nlohmann::ordered_json& entry) {
      const auto name = entry.at("file").get<std::string>();
      if (!is_file_name(name))
        throw ParseError(fmt::format("program: \"{}\" is not a file name in its folder", name));
      return contents(name);
    };
    const auto& kernels = parsed.at("kernels");
    for (std::size_t k = 0; k < program.kernels.size(); ++k) {
      const Program::Bytes text = contents_of(kernels[k]);
      program.kernels[k].text.assign(reinterpret_cast<const char*>(text.data.get()), text.size);
    }
    const auto& constants = parsed.at("constants");
    const auto bytes = integer_of<std::size_t>(constants.at("bytes"));
    if (bytes > 0) {
      program.constants = contents_of(constants);
      if (program.constants.size != bytes) {
        throw ParseError(fmt::format("program: the constants have {} bytes, but should have {}",
                                     program.constants.size, bytes));
      }
    }
    check_constants(program);
    return program;
  } catch (const nlohmann::json::exception& e) {
    throw ParseError(fmt::format("program: {}", json_problem(e.what())));
  }
}

}  // namespace tensordsl::runtime
