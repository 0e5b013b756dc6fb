#include "apps/tensordsl/report/inspect_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "apps/tensordsl/console/text_table.h"
#include "base/text/counted.h"
#include "report/quantity.h"

namespace tensordsl::cli {
namespace {

using TextRows = std::vector<std::vector<std::string>>;

constexpr std::size_t kLongestName = 48, kLabels = 10;

/// Returns the room for each of `count` names next to columns of `other` characters.
std::size_t name_width(std::optional<int> columns, int count, int other) {
  constexpr int kShortest = 10;
  const int room = columns ? (*columns - other) / count : static_cast<int>(kLongestName);
  return static_cast<std::size_t>(std::clamp(room, kShortest, static_cast<int>(kLongestName)));
}

std::string changed(std::size_t before, std::size_t after) {
  return before == after ? fmt::format("{}", after) : fmt::format("{} -> {}", before, after);
}

std::string bytes_or_unknown(const std::optional<std::int64_t>& count) {
  return count ? report::quantity(static_cast<double>(*count), "B") : "?";
}

std::string pass_table(const Inspection& inspection) {
  TextRows rows{{"pass", "operators", "transformations"}};
  for (const Inspection::Pass& pass : inspection.passes) {
    rows.push_back({pass.name, changed(pass.before.operators, pass.after.operators),
                    changed(pass.before.movements, pass.after.movements)});
  }
  return text_table(rows);
}

std::string kernel_table(const Inspection& inspection, std::optional<int> columns) {
  const std::size_t width = name_width(columns, 2, 66);
  const double flops = static_cast<double>(inspection.flops());
  TextRows rows{{"kernel", "of", "strategy", "launches", "flops", "reads", "writes"}};
  for (const Inspection::Group& group : inspection.groups) {
    const bool has_flops = flops > 0 && group.flops > 0;
    rows.push_back({shortened_in_middle(group.stores.empty() ? "" : group.stores[0].tensor, width),
                    shortened_in_middle(group.label, width),
                    group.host.empty() ? group.strategy : "on the host",
                    fmt::format("{}", group.launches.size()),
                    has_flops ? fmt::format("{:.1f} %", 100 * static_cast<double>(group.flops) / flops) : "",
                    bytes_or_unknown(group.bytes_read), bytes_or_unknown(group.bytes_written)});
  }
  return text_table(rows);
}

std::string movements(const Inspection& inspection, std::optional<int> columns) {
  std::string text;
  const std::size_t longest = name_width(columns, 3, 0);
  std::size_t width = 0;
  for (const Inspection::Group& group : inspection.groups) {
    if (group.is_movement) width = std::max(width, std::min(longest, group.stores[0].tensor.size()));
  }
  for (const Inspection::Group& group : inspection.groups) {
    if (!group.is_movement) continue;
    text += labeled("  " + shortened_in_middle(group.stores[0].tensor, longest),
                    fmt::format("{}: {}", shortened_in_middle(group.label, longest), group.stays), width + 4,
                    columns);
  }
  return text.empty() ? text : "\nremaining layout transformations\n" + text;
}

/// Equal ones of several kernels once.
std::string divisions(const Inspection& inspection, std::optional<int> columns) {
  const std::size_t width = name_width(columns, 3, 30);
  TextRows rows{{"division", "places", "loops", "kernels"}};
  struct Found {
    int count = 0, depth = 0;
    std::string kernels;
  };
  std::map<std::string, Found> found;
  for (const Inspection::Code& code : inspection.codes) {
    for (const Inspection::Division& division : code.divisions) {
      Found& all = found[division.text];
      all.count += division.count;
      all.depth = std::max(all.depth, division.loop_depth);
      const std::string& name = inspection.kernels[code.kernels.front()].entry;
      all.kernels += (all.kernels.empty() ? "" : ", ") + name;
    }
  }
  for (const auto& [text, all] : found) {
    rows.push_back({shortened_in_middle(text, 2 * width), fmt::format("{}", all.count),
                    fmt::format("{}", all.depth), shortened_in_middle(all.kernels, width)});
  }
  return found.empty() ? "" : "\nremaining divisions in indices\n" + text_table(rows);
}

std::string memory(const Inspection& inspection, std::optional<int> columns) {
  const Inspection::Memory& memory = inspection.memory;
  std::string text =
      "\n" +
      labeled("memory",
              fmt::format("{} for {} intermediates in {} allocations; lower bound {}, without sharing {}",
                          bytes_or_unknown(memory.planned), memory.tensors.size(), memory.slot_bytes.size(),
                          bytes_or_unknown(memory.lower_bound), bytes_or_unknown(memory.apart)),
              kLabels, columns);
  if (memory.open > 0) {
    text += labeled("", fmt::format("{} more have unknown sizes; --dim fixes them", memory.open), kLabels,
                    columns);
  }
  return text + labeled("constants",
                        fmt::format("{}, of which {} are copies in another layout",
                                    bytes_or_unknown(inspection.constant_bytes),
                                    bytes_or_unknown(memory.copied_constants)),
                        kLabels, columns);
}

}  // namespace

std::string inspect_text(const Inspection& inspection, std::optional<int> columns) {
  return pass_table(inspection) + "\n" + kernel_table(inspection, columns) + movements(inspection, columns) +
         divisions(inspection, columns) + memory(inspection, columns) +
         labeled("kernels",
                 fmt::format(
                     "{} of {}; {}", counted(inspection.launches(), "launch", "launches"),
                     counted(inspection.kernels.size(), "distinct kernel", "distinct kernels"),
                     counted(inspection.movement_launches(), "only moves elements", "only move elements")),
                 kLabels, columns);
}

}  // namespace tensordsl::cli
