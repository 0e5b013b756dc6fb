#include "report/pages/inspection_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

#include "base/size/format_size.h"
#include "base/text/counted.h"
#include "report/pages/inspection_graphs.h"
#include "report/quantity.h"

namespace tensordsl::report {
namespace {

std::string changed(std::size_t before, std::size_t after) {
  return before == after ? fmt::format("{}", after) : fmt::format("{} \xe2\x86\x92 {}", before, after);
}

Section pass_section(const Inspection& inspection) {
  Table table{{"pass", "tensors or groups", "of these only move elements", "notes"}, {}};
  Section section{"Passes", {}};
  std::vector<TextBlock> notes;
  for (const Inspection::Pass& pass : inspection.passes) {
    table.rows.push_back(
        {{pass.name, changed(pass.before.operators, pass.after.operators),
          changed(pass.before.movements, pass.after.movements), fmt::format("{}", pass.notes.size())},
         pass.before == pass.after && pass.notes.empty()});
    if (!pass.notes.empty())
      notes.push_back({fmt::format("{}: what it changed, and what remains", pass.name),
                       fmt::format("{}\n", fmt::join(pass.notes, "\n"))});
  }
  section.elements.emplace_back(std::move(table));
  section.elements.insert(section.elements.end(), notes.begin(), notes.end());
  return section;
}

Section kernel_section(const Inspection& inspection) {
  Table table{
      {"#", "kernel", "computes", "strategy", "flops", "reads", "writes", "work-items", "registers", "local"},
      {}};
  for (std::size_t i = 0; i < inspection.groups.size(); ++i) {
    const Inspection::Group& group = inspection.groups[i];
    std::vector<std::string> row{fmt::format("{}", i),
                                 group.stores.empty() ? "" : group.stores[0].tensor,
                                 group.label,
                                 group.host.empty() ? group.strategy : "the host",
                                 flops_share(inspection, group),
                                 bytes_text(group.bytes_read),
                                 bytes_text(group.bytes_written)};
    std::string items, registers, local;
    for (const std::size_t launch : group.launches) {
      const KernelSource& kernel = inspection.kernels[launch];
      items += fmt::format("{}{} of {}", items.empty() ? "" : "; ", fmt::join(kernel.launch.groups, "x"),
                           fmt::join(kernel.launch.group_size, "x"));
      const auto bytes = [](std::int64_t count) { return quantity(static_cast<double>(count), "B"); };
      registers += (registers.empty() ? "" : "; ") + bytes(kernel.resources.register_bytes);
      local += (local.empty() ? "" : "; ") + bytes(kernel.resources.local_bytes);
    }
    row.insert(row.end(), {items, registers, local});
    table.rows.push_back({std::move(row), group.is_movement});
  }
  return {"Kernels", {std::move(table)}};
}

Section movement_section(const Inspection& inspection) {
  Table table{{"layout transformation", "of", "writes", "why it remains"}, {}};
  for (const Inspection::Group& group : inspection.groups) {
    if (group.is_movement)
      table.rows.push_back({{group.stores.empty() ? "" : group.stores[0].tensor, group.label,
                             bytes_text(group.bytes_written), group.stays}});
  }
  if (table.rows.empty())
    return {"Remaining layout transformations", {Paragraph{"None: every kernel computes something."}}};
  return {"Remaining layout transformations", {std::move(table)}};
}

Section division_section(const Inspection& inspection) {
  Table table{{"kernel", "division", "places", "loops around it"}, {}};
  for (const Inspection::Code& code : inspection.codes) {
    for (const Inspection::Division& division : code.divisions) {
      table.rows.push_back({{inspection.kernels[code.kernels.front()].entry, division.text,
                             fmt::format("{}", division.count), fmt::format("{}", division.loop_depth)},
                            division.loop_depth == 0});
    }
  }
  const std::string about =
      table.rows.empty()
          ? "None: indices are made of sums, products, shifts and masks."
          : "Integer divisions and remainders that are not shifts and masks, for each distinct kernel.";
  Section section{"Remaining divisions in indices", {Paragraph{about}}};
  if (!table.rows.empty()) section.elements.emplace_back(std::move(table));
  return section;
}

Timeline memory_picture(const Inspection::Memory& memory) {
  Timeline picture{"intermediates in memory over time", "launch", {"memory", "B"}, {}, {}, {}};
  // Allocations are drawn one above the other; a tensor with its own allocation is above them.
  std::vector<std::int64_t> begins;
  std::int64_t end = 0;
  for (const std::int64_t bytes : memory.slot_bytes) {
    begins.push_back(end);
    end += bytes;
    picture.rules.push_back(static_cast<double>(end));
  }
  for (const Inspection::Memory::Tensor& tensor : memory.tensors) {
    const bool is_shared = tensor.slot >= 0;
    const std::int64_t low = is_shared ? begins[static_cast<std::size_t>(tensor.slot)] + tensor.offset : end;
    if (!is_shared) end += tensor.bytes;
    picture.bars.push_back(
        {tensor.name, tensor.first, tensor.last, static_cast<double>(low),
         static_cast<double>(low + tensor.bytes),
         fmt::format("{}, launches {} to {}", bytes_text(tensor.bytes), tensor.first, tensor.last)});
  }
  picture.marks.push_back({Mark::At::Y, static_cast<double>(memory.lower_bound), "lower bound of any plan"});
  return picture;
}

Section memory_section(const Inspection& inspection) {
  const Inspection::Memory& memory = inspection.memory;
  const std::string text = fmt::format(
      "{} intermediates of {} share {} allocations of {}; one step needs {}, which is a lower bound of any "
      "plan. Constants take {}, of which {} are copies in a second layout.",
      memory.tensors.size(), bytes_text(memory.apart), memory.slot_bytes.size(), bytes_text(memory.planned),
      bytes_text(memory.lower_bound), bytes_text(inspection.constant_bytes),
      bytes_text(memory.copied_constants));
  Section section{"Memory", {Paragraph{text}}};
  if (memory.open > 0) {
    section.elements.emplace_back(
        Paragraph{fmt::format("{} more have unknown sizes, and their own allocations.", memory.open)});
  }
  if (!memory.tensors.empty()) section.elements.emplace_back(memory_picture(memory));
  return section;
}

}  // namespace

Page inspection_page(const Inspection& inspection, const std::string& title,
                     const std::vector<std::pair<std::string, std::string>>& facts) {
  Page page{title, facts, {}};
  page.facts.emplace_back(
      "kernels",
      fmt::format("{} of {} for {}; {}", counted(inspection.launches(), "launch", "launches"),
                  counted(inspection.kernels.size(), "distinct kernel", "distinct kernels"),
                  counted(inspection.operators.size(), "operator", "operators"),
                  counted(inspection.movement_launches(), "only moves elements", "only move elements")));
  page.facts.emplace_back(
      "memory", fmt::format("{} for intermediates, {} for constants", bytes_text(inspection.memory.planned),
                            bytes_text(inspection.constant_bytes)));
  for (const std::string& warning : inspection.warnings) page.facts.emplace_back("warning", warning);
  page.sections.push_back({"Before and after", {inspection_graphs(inspection)}});
  page.sections.push_back(pass_section(inspection));
  page.sections.push_back(movement_section(inspection));
  page.sections.push_back(memory_section(inspection));
  page.sections.push_back(kernel_section(inspection));
  page.sections.push_back(division_section(inspection));
  return page;
}

}  // namespace tensordsl::report
