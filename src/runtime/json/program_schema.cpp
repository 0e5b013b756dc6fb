#include "runtime/json/program_schema.h"

#include <nlohmann/json.hpp>

#include "base/json/field_schema.h"
#include "base/json_text.h"
#include "runtime/json/program_fields.h"

namespace tensordsl::runtime {
namespace {

using Json = nlohmann::ordered_json;

class ProgramSchema : public FieldSchema {
 public:
  void kernels(const Program&) {
    const KernelSource none{};
    FieldSchema kernel;
    visit_fields(none, kernel);
    kernel.text("file", "", "In the same folder.");
    add("kernels", list_of(kernel.take("One kernel of one file.")), "");
  }

  void constants(const Program&) {
    part("constants", ConstantsFields(),
         "The file with the bytes of all constants, as they are stored: little-endian, each at its tensor's "
         "offset. Absent if there are no constants.");
  }

  void version() {
    add("version", {{"enum", {1, 2, 3, 4, 5, 6}}},
        "6 if there are loops, else 5 if there are states, else 4 if there are images in slots, else 3 if "
        "there are offsets in slots, else 2 if there are counts or host steps, else 1.");
  }
};

Json definitions() {
  return {{"size",
           {{"description",
             "A number, or an integer expression over the Params, in the notation of docs/LANGUAGE.md."},
            {"anyOf", {{{"type", "integer"}}, {{"type", "string"}}}}}},
          {"type",
           {{"description", "Of an element."},
            {"enum", {"bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64"}}}},
          {"function", function_schema()}};
}

}  // namespace

std::string program_schema() {
  ProgramSchema schema;
  schema.version();
  const Program program;
  visit_fields(program, schema);
  Json json{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
            {"title", "A tensordsl Program, version 1 to 6"}};
  json.update(schema.take());
  json["$defs"] = definitions();
  return dump_json(json, 2) + "\n";
}

}  // namespace tensordsl::runtime
