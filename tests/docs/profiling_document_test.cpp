// The table of docs/PROFILING.md against what the readers of a profile do with each figure.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "docs/text_file.h"
#include "hwprofile/named_fields.h"
#include "predict/device_figures.h"
#include "predict/prune.h"
#include "schedules/support/target_of_profile.h"

namespace tensordsl::docs {
namespace {

/// Gives the figure called `wanted` a value of its own: `change` 0 removes it, others make it small or large.
class FieldChanger : public hwprofile::NamedFields<FieldChanger> {
 public:
  static constexpr int kChanges = 4;

  FieldChanger(std::string wanted, int change) : wanted_(std::move(wanted)), change_(change) {}

  void levels(const char* name, std::vector<CacheLevel>& levels) {
    for (std::size_t i = 0; i < levels.size(); ++i)
      group(fmt::format("{}[{}]", name, i), [&] { hwprofile::visit_fields_of_level(levels[i], *this); });
  }
  void field(const char* name, const char*, std::optional<Measurement>& figure) {
    if (full_name(name) != wanted_) return;
    constexpr double kValues[kChanges] = {0, 1, 64, 1e7};
    figure = change_ == 0 ? std::nullopt : std::optional(Measurement::exact(kValues[change_]));
  }
  void field(const char* name, const char*, std::optional<BoolMeasurement>& finding) {
    if (full_name(name) != wanted_) return;
    finding = change_ == 0 ? std::nullopt : std::optional(BoolMeasurement{change_ == 1, true});
  }
  void steps(const char* name, std::vector<OccupancyStep>& steps) {
    if (full_name(name) != wanted_) return;
    steps.clear();
    for (int i = 1; i <= change_; ++i) steps.push_back({32 * i, 1024 / i});
  }
  void numbers(const char* name, std::vector<int>& values) {
    if (full_name(name) == wanted_) values = std::vector<int>(static_cast<std::size_t>(change_), 16);
  }

 private:
  std::string wanted_;
  int change_;
};

class FieldNames : public hwprofile::NamedFields<FieldNames> {
 public:
  void field(const char* name, const char*, const auto&) { names.push_back(full_name(name)); }
  void numbers(const char* name, const std::vector<int>&) { names.push_back(full_name(name)); }
  void steps(const char* name, const std::vector<OccupancyStep>&) { names.push_back(full_name(name)); }

  std::vector<std::string> names;
};

/// The names of the fields of a profile with two levels of each kind of cache.
std::vector<std::string> field_names(const HwProfile& profile) {
  FieldNames fields;
  hwprofile::visit_fields(profile, fields);
  return fields.names;
}

/// "buffer_caches[1].bytes" -> "buffer_caches[].bytes"
std::string row_of(std::string name) {
  if (const auto open = name.find('['); open != std::string::npos) name.erase(open + 1, 1);
  return name;
}

std::string text_of(const std::vector<predict::MemoryLevel>& levels) {
  std::string text;
  for (const predict::MemoryLevel& l : levels)
    text += fmt::format("{} {} {} {}\n", l.name, l.bytes, l.bytes_per_clock, l.is_shared);
  return text;
}

/// All that is decided by a profile.
std::string decisions_of(const HwProfile& profile) {
  const Target t = schedules::target_of(profile, 1024);
  const predict::PruningLimits l = predict::limits_of(profile);
  const predict::DeviceFigures f = predict::figures_of(profile);
  std::string steps;
  for (const OccupancyStep& step : f.occupancy) steps += fmt::format("{} {} ", step.registers, step.items);
  for (const OccupancyStep& step : l.occupancy) steps += fmt::format("{} {} ", step.registers, step.items);
  const UnitRates& u = t.unit;
  return steps + fmt::format("{} {}\n", t.loop_registers, t.gathers_reads) +
         fmt::format("{} {} {} {} {} {} {} {} {} {} {} {}\n", u.multiply_adds, u.matrix_multiply_adds,
                     u.warp_items, u.most_items, u.most_groups, u.memory_wait, u.local_wait, u.barrier_wait,
                     u.local_bytes, u.cache_bytes, u.shared_bytes, u.memory_bytes) +
         fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {}\n", t.vector_width, t.accumulators,
                     t.group_items, t.most_group_items, t.compute_units, t.parallel_items, t.work_per_group,
                     t.unit_cache_bytes, t.local_bytes, t.registers_per_unit, t.has_local_memory,
                     t.is_local_memory_off_chip, t.prefers_images, t.computes_halves,
                     t.autobroadcast_pays ? static_cast<int>(*t.autobroadcast_pays) : -1) +
         fmt::format("{} {} {} {} {} {} {} {} {} {} {}\n", l.buffer_cache_bytes, l.image_cache_bytes,
                     l.registers_per_unit, l.registers_per_item, l.alus, l.warp, l.buffer_width,
                     l.image_width, l.only_images_cached, l.local_off_chip, l.instructions) +
         fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}\n", f.runs_in_step,
                     f.warp, f.vector_lanes, f.takes_halves, f.moves_repeated, f.units, f.clocks_per_us,
                     f.issues, f.registers_per_item, f.registers_per_unit, f.most_groups,
                     f.local_bytes_per_unit, f.local_bytes_per_clock, f.line_bytes, f.memory_wait,
                     f.local_wait, f.barrier_wait, f.launch_us, f.most_instructions, f.gathers_reads,
                     f.delivered_bytes) +
         text_of(f.buffers) + text_of(f.images);
}

/// Profiles of a CPU and of GPUs, with and without images, and one that knows nothing.
std::vector<HwProfile> some_profiles() {
  std::vector<HwProfile> profiles{HwProfile()};
  for (const char* name : {"pocl_cpu_avx512", "adreno640", "mali_g76", "nvidia_h100"})
    profiles.push_back(load_hw_profile(name));
  for (HwProfile& profile : profiles) {
    profile.buffer_caches.resize(2);
    profile.image_caches.resize(2);
  }
  return profiles;
}

/// The rows of the table whose figure decides something.
std::set<std::string> deciding() {
  std::set<std::string> found;
  for (const HwProfile& profile : some_profiles()) {
    const std::string before = decisions_of(profile);
    for (const std::string& name : field_names(profile)) {
      for (int change = 0; change < FieldChanger::kChanges; ++change) {
        HwProfile changed = profile;
        FieldChanger changer(name, change);
        hwprofile::visit_fields(changed, changer);
        if (decisions_of(changed) != before) found.insert(row_of(name));
      }
    }
  }
  return found;
}

/// The table's text for each figure.
std::map<std::string, std::string> table() {
  const std::string document = read_file("docs/PROFILING.md");
  const std::size_t begin = document.find("| figure | decides |"), end = document.find("\n\n", begin);
  std::map<std::string, std::string> rows;
  for (std::size_t at = document.find("\n| `", begin); at < end; at = document.find("\n| `", at + 1)) {
    const std::size_t name = at + 4, name_end = document.find('`', name);
    const std::size_t text = name_end + 4;
    rows.emplace(document.substr(name, name_end - name),
                 document.substr(text, document.find(" |\n", text) - text));
  }
  return rows;
}

}  // namespace

TEST_CASE("PROFILING.md has a row for each figure of a profile, and for nothing else") {
  std::set<std::string> rows, fields;
  for (const auto& [name, text] : table()) rows.insert(name);
  for (const std::string& name : field_names(some_profiles().front())) fields.insert(row_of(name));
  CHECK(fields.size() > 40);
  CHECK(fmt::format("{}", rows) == fmt::format("{}", fields));
}

TEST_CASE("PROFILING.md says of a figure that it decides nothing if, and only if, that is so") {
  const std::set<std::string> deciding = docs::deciding();
  for (const auto& [name, text] : table())
    CHECK_MESSAGE(text.starts_with("nothing yet") != deciding.contains(name), name);
}

}  // namespace tensordsl::docs
