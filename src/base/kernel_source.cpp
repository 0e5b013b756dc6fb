#include "tensordsl/kernel_source.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tensordsl/error.h"

namespace tensordsl {

using nlohmann::json;

NLOHMANN_JSON_SERIALIZE_ENUM(KernelArgument::Kind, {{KernelArgument::Kind::Buffer, "buffer"},
                                                    {KernelArgument::Kind::Scalar, "scalar"}})
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
                         {"elements", a.elements}});
  }
  return json{{"entry", kernel.entry},
              {"options", kernel.options},
              {"arguments", arguments},
              {"groups", kernel.launch.groups},
              {"group_size", kernel.launch.group_size},
              {"local_bytes", kernel.resources.local_bytes},
              {"private_bytes", kernel.resources.private_bytes},
              {"register_bytes", kernel.resources.register_bytes},
              {"flops", kernel.resources.flops}}
      .dump(2);
}

KernelSource kernel_from_json(const std::string& text) {
  try {
    const json j = json::parse(text);
    KernelSource kernel;
    j.at("entry").get_to(kernel.entry);
    j.at("options").get_to(kernel.options);
    for (const json& a : j.at("arguments")) {
      const auto type = parse_type(a.at("type").get<std::string>());
      if (!type) throw ParseError("launch manifest: unknown type " + a.at("type").dump());
      kernel.arguments.push_back({a.at("kind").get<KernelArgument::Kind>(), a.at("name").get<std::string>(), *type,
                                  a.at("access").get<KernelArgument::Access>(),
                                  a.at("elements").get<std::string>()});
    }
    j.at("groups").get_to(kernel.launch.groups);
    j.at("group_size").get_to(kernel.launch.group_size);
    j.at("local_bytes").get_to(kernel.resources.local_bytes);
    j.at("private_bytes").get_to(kernel.resources.private_bytes);
    j.at("register_bytes").get_to(kernel.resources.register_bytes);
    j.at("flops").get_to(kernel.resources.flops);
    return kernel;
  } catch (const json::exception& e) {
    throw ParseError(fmt::format("launch manifest: {}", e.what()));
  }
}

}  // namespace tensordsl
