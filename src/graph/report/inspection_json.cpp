#include <nlohmann/json.hpp>
#include <utility>

#include "base/json_text.h"
#include "tensordsl/inspection.h"

namespace tensordsl {
namespace {

using nlohmann::ordered_json;

template <typename T>
ordered_json optional(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

ordered_json json_of(const Inspection::Pass::Size& size) {
  return {{"operators", size.operators}, {"movements", size.movements}};
}

ordered_json json_of(const Inspection::Pass& pass) {
  return {{"name", pass.name},
          {"of", pass.of_groups ? "groups" : "tensors"},
          {"before", json_of(pass.before)},
          {"after", json_of(pass.after)},
          {"notes", pass.notes}};
}

ordered_json json_of(const Inspection::Operator& op) {
  return {{"output", op.output},           {"kind", op.kind},    {"node", op.node},
          {"tensor", op.tensor},           {"text", op.text},    {"class", op.classification},
          {"is_movement", op.is_movement}, {"reads", op.reads},  {"fate", to_string(op.fate)},
          {"reason", op.reason},           {"groups", op.groups}};
}

ordered_json json_of(const Inspection::Stored& stored) {
  return {{"tensor", stored.tensor},
          {"is_constant", stored.is_constant},
          {"stored", stored.stored},
          {"bytes", optional(stored.bytes)},
          {"reason", stored.reason}};
}

ordered_json json_of(const Inspection::Member& member) {
  return {{"output", member.output}, {"origins", member.origins}, {"classes", member.classes}};
}

ordered_json json_of(const Inspection::Group& group);
ordered_json json_of(const Inspection::Division& division);
ordered_json json_of(const Inspection::Code& code);
ordered_json json_of(const Inspection::Memory::Tensor& tensor);
ordered_json json_of(const Inspection::Output& output);
ordered_json json_of(const KernelSource& kernel);

template <typename T>
ordered_json list_of(const std::vector<T>& values) {
  ordered_json list = ordered_json::array();
  for (const T& value : values) list.push_back(json_of(value));
  return list;
}

ordered_json json_of(const Inspection::Group& group) {
  return {{"label", group.label},
          {"class", group.classification},
          {"is_movement", group.is_movement},
          {"stays", group.stays},
          {"role", group.role},
          {"members", list_of(group.members)},
          {"reads", list_of(group.reads)},
          {"stores", list_of(group.stores)},
          {"reason", group.reason},
          {"strategy", group.strategy},
          {"point", group.point},
          {"host", group.host},
          {"from", group.from},
          {"inputs", group.inputs},
          {"launches", group.launches},
          {"flops", group.flops},
          {"bytes_read", optional(group.bytes_read)},
          {"bytes_written", optional(group.bytes_written)},
          {"code", group.code}};
}

ordered_json json_of(const Inspection::Division& division) {
  return {{"text", division.text}, {"count", division.count}, {"loop_depth", division.loop_depth}};
}

ordered_json json_of(const Inspection::Code& code) {
  return {{"funcs", code.funcs},
          {"nest", code.nest},
          {"kernels", code.kernels},
          {"divisions", list_of(code.divisions)}};
}

ordered_json json_of(const KernelSource& kernel) {
  ordered_json json = parse_json(to_json(kernel));
  json["text"] = kernel.text;
  return json;
}

ordered_json json_of(const Inspection::Memory::Tensor& tensor) {
  return {{"name", tensor.name}, {"bytes", tensor.bytes}, {"first", tensor.first},
          {"last", tensor.last}, {"slot", tensor.slot},   {"offset", tensor.offset}};
}

ordered_json json_of(const Inspection::Memory& memory) {
  return {{"open", memory.open},
          {"planned", memory.planned},
          {"lower_bound", memory.lower_bound},
          {"apart", memory.apart},
          {"copied_constants", memory.copied_constants},
          {"copied_intermediates", memory.copied_intermediates},
          {"slot_bytes", memory.slot_bytes},
          {"tensors", list_of(memory.tensors)}};
}

ordered_json json_of(const Inspection::Output& output) {
  return {{"name", output.name}, {"group", optional(output.group)}, {"input", optional(output.input)}};
}

}  // namespace

const char* to_string(Inspection::Fate fate) {
  switch (fate) {
    case Inspection::Fate::Input:
      return "input";
    case Inspection::Fate::Computed:
      return "computed";
    case Inspection::Fate::Merged:
      return "merged";
    case Inspection::Fate::InIndices:
      return "in indices";
    case Inspection::Fate::OtherName:
      return "other name";
    case Inspection::Fate::InPlace:
      return "in place";
    case Inspection::Fate::Same:
      return "same";
    case Inspection::Fate::Unused:
      return "unused";
  }
  return "?";
}

std::string to_json(const Inspection& inspection,
                    const std::vector<std::pair<std::string, std::string>>& facts) {
  ordered_json json{{"version", 1}};
  for (const auto& [name, value] : facts) json[name] = value;
  json["name"] = inspection.model;
  json["launches"] = inspection.launches();
  json["movement_launches"] = inspection.movement_launches();
  json["distinct_kernels"] = inspection.kernels.size();
  json["flops"] = inspection.flops();
  json["constant_bytes"] = inspection.constant_bytes;
  json["memory"] = json_of(inspection.memory);
  json["passes"] = list_of(inspection.passes);
  json["operators"] = list_of(inspection.operators);
  json["groups"] = list_of(inspection.groups);
  json["codes"] = list_of(inspection.codes);
  json["kernels"] = list_of(inspection.kernels);
  json["outputs"] = list_of(inspection.outputs);
  json["warnings"] = inspection.warnings;
  return dump_json(json, 1, InvalidUtf8::Replace) + "\n";
}

}  // namespace tensordsl
