#include "tensordsl/kernel_source.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json/field_reader.h"
#include "base/json/field_writer.h"
#include "base/json/kernel_fields.h"
#include "base/json_problem.h"
#include "base/json_text.h"
#include "base/kernel_json.h"
#include "tensordsl/error.h"

namespace tensordsl {

std::string to_json(const KernelSource& kernel) {
  FieldWriter writer;
  visit_fields(kernel, writer);
  // Fields are written in alphabetical order.
  return dump_json(nlohmann::ordered_json(nlohmann::json(writer.take())), 2);
}

KernelSource kernel_of(const nlohmann::ordered_json& json) {
  constexpr int kNoVersion = 0;
  FieldReader reader("launch manifest", kNoVersion, json);
  KernelSource kernel;
  visit_fields(kernel, reader);
  return kernel;
}

KernelSource kernel_from_json(const std::string& text) {
  try {
    return kernel_of(parse_json(text));
  } catch (const nlohmann::json::exception& e) {
    throw ParseError(fmt::format("launch manifest: {}", json_problem(e.what())));
  }
}

}  // namespace tensordsl
