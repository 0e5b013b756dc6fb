#include "apps/tensordsl/profile/profile_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "apps/tensordsl/console/text_table.h"
#include "apps/tensordsl/profile/profile_rows.h"
#include "base/json_text.h"

namespace tensordsl::cli {
namespace {

using Cells = std::vector<std::vector<std::string>>;

void drop_column(Cells& cells, std::size_t column) {
  for (auto& row : cells) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
}

/// Marks guesses in the cells, instead of a column of words.
void mark_guesses(Cells& cells) {
  for (auto& row : cells) {
    if (row[2] == "a guess") row[1] = "~" + row[1];
  }
  drop_column(cells, 2);
}

/// Cells of the last column that are too long for `most` stand below their rows.
void wrap_last_column(Cells& cells, std::size_t most) {
  const std::size_t last = cells[0].size() - 1;
  Cells others = cells;
  drop_column(others, last);
  const std::size_t before = table_width(others) + kColumnGap;
  Cells wrapped;
  for (auto& row : cells) {
    const std::string text = row[last];
    if (before + text.size() <= most) {
      wrapped.push_back(row);
      continue;
    }
    row[last].clear();
    wrapped.push_back(row);
    if (wrapped.size() == 1) continue;  // the heading
    wrapped.emplace_back(row.size());
    wrapped.back()[0] = "    " + text;
  }
  cells = std::move(wrapped);
}

std::string row_text(const ProfileRow& row) { return row.is_known() ? row.text() : "not seen"; }

/// One parameter in all profiles. Rows are matched by name, because the number of cache levels differs.
struct ProfileComparison {
  std::string name, unit;
  std::vector<ProfileRow> values;
  bool differs = false;
};

std::vector<ProfileComparison> compared(const std::vector<NamedProfile>& profiles) {
  std::vector<std::map<std::string, ProfileRow>> rows;
  std::vector<std::pair<std::string, std::string>> names;  // with units
  for (const auto& [name, profile] : profiles) {
    rows.emplace_back();
    auto after = names.begin();
    for (const ProfileRow& row : profile_rows(profile)) {
      rows.back()[row.name] = row;
      const auto known = std::find(names.begin(), names.end(), std::pair{row.name, row.unit});
      // A level that no earlier profile had comes after the row before it.
      after = (known != names.end() ? known : names.insert(after, {row.name, row.unit})) + 1;
    }
  }
  std::vector<ProfileComparison> comparisons;
  for (const auto& [name, unit] : names) {
    ProfileComparison c{name, unit, {}};
    for (auto& of_profile : rows) {
      const auto row = of_profile.find(name);
      c.values.push_back(row == of_profile.end() ? ProfileRow{name, unit, {}} : row->second);
    }
    if (std::none_of(c.values.begin(), c.values.end(), [](const ProfileRow& r) { return r.is_known(); }))
      continue;
    for (const ProfileRow& row : c.values) c.differs |= differs(c.values[0], row);
    comparisons.push_back(std::move(c));
  }
  return comparisons;
}

Cells comparison_cells(const std::vector<NamedProfile>& profiles,
                       const std::vector<ProfileComparison>& comparisons, std::size_t first,
                       std::size_t end) {
  Cells cells{{"", "parameter"}};
  for (std::size_t i = first; i < end; ++i) cells[0].push_back(profiles[i].first);
  for (const ProfileComparison& c : comparisons) {
    cells.push_back({c.differs ? "*" : "", c.name});
    for (std::size_t i = first; i < end; ++i) {
      const bool is_guess = c.values[i].confidence() == "a guess";
      cells.back().push_back((is_guess ? "~" : "") + row_text(c.values[i]));
    }
  }
  return cells;
}

}  // namespace

std::string profile_table(const HwProfile& found, const HwProfile& reported, bool with_unknown,
                          std::optional<int> columns) {
  const auto most = static_cast<std::size_t>(columns.value_or(std::numeric_limits<int>::max()));
  // OpenCL reports one cache, without saying which of the measured ones it is.
  HwProfile limits = reported;
  limits.buffer_caches.clear();
  std::map<std::string, std::string> reported_values;
  for (const ProfileRow& row : profile_rows(limits)) reported_values[row.name] = row.text();
  Cells cells{{"parameter", "found", "", "between", "OpenCL says"}};
  std::string told;
  for (const ProfileRow& row : profile_rows(found)) {
    if (!row.is_known() && !with_unknown) continue;
    const std::string& other = reported_values[row.name];
    cells.push_back({row.name, row_text(row), row.confidence(), row.range(), other});
    if (!other.empty() && other != row.text())
      told += fmt::format("{}{} {}", told.empty() ? "" : ", ", row.name, other);
  }
  const bool has_told =
      std::any_of(cells.begin() + 1, cells.end(), [](const auto& row) { return !row[4].empty(); });
  const bool is_narrow = table_width(cells) > most;
  if (is_narrow || !has_told) drop_column(cells, 4);
  const bool has_marks = table_width(cells) > most;
  if (has_marks) mark_guesses(cells);
  if (table_width(cells) > most) wrap_last_column(cells, most);
  std::string table = text_table(cells);
  if (has_marks) table += "  ~ a guess\n";
  if (is_narrow && !told.empty())
    table += "  " + wrapped("OpenCL reports different values: " + told, most - 2, 4);
  for (const CacheLevel& cache : reported.buffer_caches) {
    HwProfile one;
    one.buffer_caches = {cache};
    std::vector<std::string> parts;
    for (const ProfileRow& row : profile_rows(one)) {
      if (row.name == "buffer_caches[0].bytes") parts.push_back(row.text());
      if (row.name == "buffer_caches[0].line_bytes" && row.is_known())
        parts.push_back("lines of " + row.text());
    }
    table += fmt::format("  OpenCL reports one cache: {}\n", fmt::join(parts, ", "));
  }
  return table;
}

std::string comparison_table(const std::vector<NamedProfile>& profiles, std::optional<int> columns) {
  const auto most = static_cast<std::size_t>(columns.value_or(std::numeric_limits<int>::max()));
  const std::vector<ProfileComparison> comparisons = compared(profiles);
  std::string text;
  for (std::size_t first = 0; first < profiles.size();) {
    std::size_t end = profiles.size();
    while (end > first + 1 && table_width(comparison_cells(profiles, comparisons, first, end)) > most) --end;
    text += text_table(comparison_cells(profiles, comparisons, first, end)) + "\n";
    first = end;
  }
  return text + "  " +
         wrapped("* differs by more than 10 %, or is unknown for some; ~ an estimate", most - 2, 4);
}

std::string comparison_json(const std::vector<NamedProfile>& profiles) {
  using json = nlohmann::ordered_json;
  json names = json::array(), parameters = json::array();
  for (const auto& [name, profile] : profiles) names.push_back(name);
  for (const ProfileComparison& c : compared(profiles)) {
    json values = json::array();
    for (const ProfileRow& row : c.values) {
      if (const auto* figure = std::get_if<Measurement>(&row.value)) {
        values.push_back({{"value", figure->value},
                          {"low", figure->low},
                          {"high", figure->high},
                          {"confident", figure->confident}});
      } else if (const auto* finding = std::get_if<BoolMeasurement>(&row.value)) {
        values.push_back({{"value", finding->value}, {"confident", finding->confident}});
      } else if (const auto* numbers = std::get_if<std::vector<int>>(&row.value)) {
        values.push_back(*numbers);
      } else {
        values.push_back(nullptr);
      }
    }
    parameters.push_back({{"name", c.name}, {"unit", c.unit}, {"values", values}, {"differs", c.differs}});
  }
  return dump_json(json{{"profiles", names}, {"parameters", parameters}}, 2, InvalidUtf8::Replace) + "\n";
}

}  // namespace tensordsl::cli
