#include "tensordsl/kernel_source.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json_integer.h"
#include "base/json_problem.h"
#include "base/json_text.h"
#include "base/kernel_json.h"
#include "tensordsl/error.h"

namespace tensordsl {

using nlohmann::json;
using nlohmann::ordered_json;

NLOHMANN_JSON_SERIALIZE_ENUM(KernelArgument::Kind, {{KernelArgument::Kind::Buffer, "buffer"},
                                                    {KernelArgument::Kind::Image, "image"},
                                                    {KernelArgument::Kind::Scalar, "scalar"}})
NLOHMANN_JSON_SERIALIZE_ENUM(ImageKind, {{ImageKind::Image1DBuffer, "image1d_buffer"},
                                         {ImageKind::Image2D, "image2d"},
                                         {ImageKind::Image2DArray, "image2d_array"}})
NLOHMANN_JSON_SERIALIZE_ENUM(KernelArgument::Access, {{KernelArgument::Access::ReadOnly, "read_only"},
                                                      {KernelArgument::Access::WriteOnly, "write_only"},
                                                      {KernelArgument::Access::ReadWrite, "read_write"}})

std::string to_json(const KernelSource& kernel) {
  json arguments = json::array();
  for (const KernelArgument& a : kernel.arguments) {
    arguments.push_back({{"kind", a.kind},
                         {"name", a.name},
                         {"type", to_string(a.type)},
                         {"access", a.access},
                         {"elements", to_string(a.elements)}});
    if (a.kind == KernelArgument::Kind::Buffer) arguments.back()["alignment"] = a.alignment;
    if (a.may_overlap) arguments.back()["may_overlap"] = true;
    if (a.kind == KernelArgument::Kind::Image) {
      arguments.back().update({{"image", a.image},
                               {"channels", a.channels},
                               {"width", to_string(a.width)},
                               {"height", to_string(a.height)},
                               {"layers", to_string(a.layers)}});
    }
  }
  json groups = json::array();
  for (const SizeExpr& count : kernel.launch.groups) groups.push_back(to_string(count));
  json manifest{{"entry", kernel.entry}};
  if (kernel.backend != KernelSource().backend) manifest["backend"] = kernel.backend;
  manifest.update({{"options", kernel.options},
                   {"arguments", arguments},
                   {"groups", groups},
                   {"group_size", kernel.launch.group_size},
                   {"sub_group_size", kernel.sub_group_size},
                   {"local_bytes", kernel.resources.local_bytes},
                   {"private_bytes", kernel.resources.private_bytes},
                   {"register_bytes", kernel.resources.register_bytes},
                   {"live_registers", kernel.resources.live_registers},
                   {"flops", kernel.resources.flops}});
  return dump_json(manifest, 2);
}

namespace {

/// nlohmann's library reads an unknown word as the first one.
template <typename Enum>
Enum word_as(const ordered_json& j) {
  const auto value = j.get<Enum>();
  if (ordered_json(value) != j) throw ParseError("launch manifest: unknown word " + word_of(j));
  return value;
}

SizeExpr size_as(const ordered_json& j) {
  const auto text = j.get<std::string>();
  try {
    return SizeExpr::parse(text);
  } catch (const ParseError& error) {
    throw ParseError(fmt::format("launch manifest: the size \"{}\": {}", text, error.what()));
  }
}

}  // namespace

KernelSource kernel_of(const ordered_json& j) {
  KernelSource kernel;
  j.at("entry").get_to(kernel.entry);
  if (j.contains("backend")) j["backend"].get_to(kernel.backend);
  j.at("options").get_to(kernel.options);
  for (const ordered_json& a : j.at("arguments")) {
    const auto type = parse_type(a.at("type").get<std::string>());
    if (!type) throw ParseError("launch manifest: unknown type " + word_of(a.at("type")));
    KernelArgument argument;
    argument.kind = word_as<KernelArgument::Kind>(a.at("kind"));
    a.at("name").get_to(argument.name);
    argument.type = *type;
    argument.access = word_as<KernelArgument::Access>(a.at("access"));
    argument.elements = size_as(a.at("elements"));
    if (argument.kind == KernelArgument::Kind::Buffer)
      argument.alignment = integer_of<int>(a.at("alignment"));
    argument.may_overlap = a.value("may_overlap", false);
    if (argument.kind == KernelArgument::Kind::Image) {
      argument.image = word_as<ImageKind>(a.at("image"));
      argument.channels = integer_of<int>(a.at("channels"));
      argument.width = size_as(a.at("width"));
      argument.height = size_as(a.at("height"));
      argument.layers = size_as(a.at("layers"));
    }
    kernel.arguments.push_back(std::move(argument));
  }
  const ordered_json& groups = j.at("groups");
  if (groups.size() != 3) throw ParseError("launch manifest: a launch has not three numbers of groups");
  for (std::size_t d = 0; d < 3; ++d) kernel.launch.groups[d] = size_as(groups[d]);
  const ordered_json& group = j.at("group_size");
  if (group.size() != 3) throw ParseError("launch manifest: a group has not three sizes");
  for (std::size_t d = 0; d < 3; ++d) kernel.launch.group_size[d] = integer_of<int>(group[d]);
  kernel.sub_group_size = integer_of<int>(j.at("sub_group_size"));
  kernel.resources.local_bytes = integer_of<std::int64_t>(j.at("local_bytes"));
  kernel.resources.private_bytes = integer_of<std::int64_t>(j.at("private_bytes"));
  kernel.resources.register_bytes = integer_of<std::int64_t>(j.at("register_bytes"));
  if (j.contains("live_registers")) kernel.resources.live_registers = integer_of<int>(j["live_registers"]);
  kernel.resources.flops = integer_of<std::int64_t>(j.at("flops"));
  return kernel;
}

KernelSource kernel_from_json(const std::string& text) {
  try {
    return kernel_of(parse_json(text));
  } catch (const json::exception& e) {
    throw ParseError(fmt::format("launch manifest: {}", json_problem(e.what())));
  }
}

}  // namespace tensordsl
