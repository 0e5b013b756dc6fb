#include "apps/tensordsl/report/inspect_package.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <range/v3/range/conversion.hpp>
#include <range/v3/view/transform.hpp>
#include <span>

#include "apps/tensordsl/console/text_table.h"
#include "base/json_text.h"
#include "base/text/counted.h"
#include "base/text/printable.h"
#include "report/quantity.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

using nlohmann::ordered_json;

std::string bytes_text(std::int64_t count) { return report::quantity(static_cast<double>(count), "B"); }

std::vector<std::string> texts(std::span<const SizeExpr> sizes) {
  return sizes | ranges::views::transform([](const SizeExpr& size) { return to_string(size); }) |
         ranges::to<std::vector>();
}

/// "image f32[1,3,224,224], mask u8[1,n]"
std::string values_text(const std::vector<Program::Value>& values) {
  std::vector<std::string> result;
  for (const Program::Value& value : values)
    result.push_back(
        fmt::format("{} {}[{}]", value.name, to_string(value.type), fmt::join(texts(value.shape), ",")));
  return fmt::format("{}", fmt::join(result, ", "));
}

ordered_json values_json(const std::vector<Program::Value>& values) {
  ordered_json list = ordered_json::array();
  for (const Program::Value& value : values)
    list.push_back({{"name", value.name}, {"type", to_string(value.type)}, {"shape", texts(value.shape)}});
  return list;
}

std::vector<std::string> param_names(const Program& program) {
  return program.params | ranges::views::transform(&Program::Param::name) | ranges::to<std::vector>();
}

std::size_t binary_bytes(const Package& package) {
  std::size_t sum = 0;
  for (const DeviceBinary& binary : package.binaries) sum += binary.size;
  return sum;
}

/// Returns the names of the tensors that a launch writes, which are those of the model.
std::vector<std::string> written_tensors(const Program& program, const Program::Launch& launch) {
  std::vector<std::string> names;
  const std::vector<KernelArgument>& arguments = program.kernels[launch.kernel].arguments;
  for (std::size_t i = 0; i < arguments.size() && i < launch.tensors.size(); ++i) {
    if (launch.tensors[i] < 0 || arguments[i].access == KernelArgument::Access::ReadOnly) continue;
    names.push_back(program.tensors[static_cast<std::size_t>(launch.tensors[i])].name);
  }
  return names;
}

std::string launch_table(const Program& program, std::optional<int> columns) {
  constexpr int kOtherColumns = 66, kFewest = 10, kMost = 48;
  const auto width =
      static_cast<std::size_t>(std::clamp(columns ? (*columns - kOtherColumns) / 3 : kMost, kFewest, kMost));
  std::vector<std::vector<std::string>> rows{{"", "kernel", "of", "writes", "groups", "items", "flops"}};
  for (std::size_t i = 0; i < program.launches.size(); ++i) {
    const Program::Launch& launch = program.launches[i];
    const KernelSource& kernel = program.kernels[launch.kernel];
    const std::string written = fmt::format("{}", fmt::join(written_tensors(program, launch), ", "));
    rows.push_back({fmt::format("{}", i), shortened_in_middle(printable(kernel.entry), width),
                    shortened_in_middle(printable(launch.label), width),
                    shortened_in_middle(printable(written), width),
                    shortened_in_middle(fmt::format("{}", fmt::join(texts(launch.groups), " x ")), width),
                    fmt::format("{}", fmt::join(kernel.launch.group_size, " x ")),
                    launch.flops > 0 ? report::quantity(static_cast<double>(launch.flops), "") : ""});
  }
  return text_table(rows);
}

}  // namespace

std::string inspect_text(const Package& package, const std::string& place, std::optional<int> columns) {
  const Program& program = *package.program;
  std::string text;
  const auto line = [&](const char* label, const std::string& what) {
    if (!what.empty()) text += labeled(label, printable(what), columns);
  };
  line("package", place);
  line("of", package.made_from.empty() ? program.name : package.made_from);
  line("for", package.compiled_for);
  line("inputs", values_text(program.inputs));
  line("outputs", values_text(program.outputs));
  line("params", fmt::format("{}", fmt::join(param_names(program), ", ")));
  line("kernels", fmt::format("{} ({}), {}", program.kernels.size(),
                              counted(program.launches.size(), "launch", "launches"),
                              report::quantity(static_cast<double>(program.flops()), "FLOP")));
  line("memory", fmt::format("{} of constants, {} between kernels",
                             bytes_text(static_cast<std::int64_t>(program.constants.size)),
                             bytes_text(program.intermediate_bytes())));
  if (!package.binaries.empty())
    line("binaries", fmt::format("{}, {}", package.binaries.size(),
                                 bytes_text(static_cast<std::int64_t>(binary_bytes(package)))));
  line("nodes",
       "not known: a package names the tensors that its kernels write, and the model's file the nodes");
  return text + "\n" + launch_table(program, columns);
}

ordered_json inspect_json(const Package& package, const std::string& place) {
  const Program& program = *package.program;
  ordered_json launches = ordered_json::array();
  for (const Program::Launch& launch : program.launches) {
    const KernelSource& kernel = program.kernels[launch.kernel];
    launches.push_back({{"kernel", kernel.entry},
                        {"label", launch.label},
                        {"writes", written_tensors(program, launch)},
                        {"groups", texts(launch.groups)},
                        {"group_size", kernel.launch.group_size},
                        {"flops", launch.flops}});
  }
  ordered_json j{{"package", place},
                 {"made_from", package.made_from},
                 {"compiled_for", package.compiled_for},
                 {"inputs", values_json(program.inputs)},
                 {"outputs", values_json(program.outputs)},
                 {"params", param_names(program)},
                 {"distinct_kernels", program.kernels.size()},
                 {"flops", program.flops()},
                 {"constant_bytes", program.constants.size},
                 {"intermediate_bytes", program.intermediate_bytes()},
                 {"binaries", package.binaries.size()},
                 {"launches", launches},
                 {"profile", nullptr}};
  if (!package.profile.empty()) {
    j["profile"] = parse_json_or_discard(package.profile);
    if (j["profile"].is_discarded())
      throw Error(
          fmt::format("{}: its hardware profile is not valid JSON; compile the package again", place));
  }
  return j;
}

}  // namespace tensordsl::cli
