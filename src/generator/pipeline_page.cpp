#include "generator/pipeline_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/size/format_size.h"
#include "report/page.h"
#include "tensordsl/version.h"

namespace tensordsl::generator {
namespace {

using report::Section;
using report::Table;
using report::TextBlock;

Table kernel_table(const Program& program) {
  Table table{
      {"kernel", "work-groups", "work-items of each", "local memory", "private arrays", "registers", "flops"},
      {}};
  for (const KernelSource& k : program.kernels) {
    const auto bytes = [](std::int64_t count) { return fmt::format("{} B", count); };
    table.rows.push_back(
        {{k.entry, fmt::format("{}", fmt::join(k.launch.groups, " x ")),
          fmt::format("{}", fmt::join(k.launch.group_size, " x ")), bytes(k.resources.local_bytes),
          bytes(k.resources.private_bytes), bytes(k.resources.register_bytes),
          k.resources.flops > 0 ? fmt::format("{}", k.resources.flops) : ""}});
  }
  return table;
}

Table memory_table(const Program& program) {
  constexpr const char* kKinds[] = {"input", "output", "constant", "intermediate"};
  Table table{{"tensor", "is", "stored as", "elements in memory"}, {}};
  for (const Program::Tensor& t : program.tensors) {
    table.rows.push_back(
        {{t.name, kKinds[static_cast<std::size_t>(t.kind)], to_string(t.stored), to_string(t.elements)}});
  }
  return table;
}

}  // namespace

std::string pipeline_page(const Pipeline& pipeline, const Program& program, const std::string& text,
                          const std::string& origin) {
  report::Page page;
  page.title = program.name;
  page.facts = {{"origin", origin}, {"version", version()}};
  page.sections.push_back({"Kernels", {kernel_table(program)}});
  page.sections.push_back({"Memory", {memory_table(program)}});
  page.sections.push_back({"From definitions to kernels",
                           {TextBlock{"definitions", pipeline.emit("funcs")},
                            TextBlock{"schedule", pipeline.schedule().to_cpp("schedule")},
                            TextBlock{"loops", pipeline.emit("nest")},
                            TextBlock{"loops with all they compute", pipeline.emit("loops")},
                            TextBlock{"lowered", pipeline.emit("ir")}, TextBlock{"OpenCL C", text, true}}});
  return report::to_html(page);
}

}  // namespace tensordsl::generator
