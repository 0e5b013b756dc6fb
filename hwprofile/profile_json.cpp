// Profiles as JSON, by the list of their fields.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/json_problem.h"
#include "base/json_text.h"
#include "hwprofile/profile_fields.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

using json = nlohmann::ordered_json;

constexpr int kVersion = 1;

/// Whole numbers without a point: a warp is of 32, not of 32.0.
json number_of(double value) {
  constexpr double kExact = 1e15;
  return value == std::floor(value) && std::abs(value) < kExact ? json(static_cast<std::int64_t>(value))
                                                                : json(value);
}

class Writer {
 public:
  json take() { return std::move(here_); }

  void text(const char* name, const std::string& value) { here_[name] = value; }
  void texts(const char* name, const std::vector<std::string>& values) { here_[name] = values; }
  void numbers(const char* name, const std::vector<int>& values) { here_[name] = values; }
  void steps(const char* name, const std::vector<OccupancyStep>& steps) {
    json list = json::array();
    for (const OccupancyStep& step : steps)
      list.push_back({{"registers", step.registers}, {"items", step.items}});
    here_[name] = std::move(list);
  }
  void field(const char* name, const char*, const std::optional<Measurement>& f) {
    here_[name] = f ? json{{"value", number_of(f->value)},
                           {"low", number_of(f->low)},
                           {"high", number_of(f->high)},
                           {"confident", f->confident}}
                    : json();
  }
  void field(const char* name, const char*, const std::optional<BoolMeasurement>& f) {
    here_[name] = f ? json{{"value", f->value}, {"confident", f->confident}} : json();
  }
  template <typename F>
  void group(const char* name, F visit) {
    json outer = std::exchange(here_, json::object());
    visit();
    outer[name] = std::move(here_);
    here_ = std::move(outer);
  }
  void levels(const char* name, const std::vector<CacheLevel>& levels) {
    json list = json::array();
    for (const CacheLevel& level : levels) {
      Writer writer;
      hwprofile::visit_fields_of_level(level, writer);
      list.push_back(writer.take());
    }
    here_[name] = std::move(list);
  }

 private:
  json here_ = json::object();
};

/// Fields that are missing stay unknown; one that is not in the list is an error.
class Reader {
 public:
  Reader(const json& here, std::string path) : here_(&here), path_(std::move(path)) {
    if (!here.is_object()) fail(path_, fmt::format("expected an object, found {}", here.type_name()));
  }

  void text(const char* name, std::string& value) {
    if (const json* j = member(name)) value = string(*j, at(name));
  }
  void texts(const char* name, std::vector<std::string>& values) {
    const json* j = member(name);
    if (!j) return;
    if (!j->is_array()) fail(at(name), fmt::format("expected a list, found {}", j->type_name()));
    for (const json& item : *j) values.push_back(string(item, at(name)));
  }
  void numbers(const char* name, std::vector<int>& values) {
    const json* j = member(name);
    if (!j) return;
    if (!j->is_array()) fail(at(name), fmt::format("expected a list, found {}", j->type_name()));
    for (const json& item : *j) {
      const bool is_one = item.is_number_integer() && item >= 1 && item <= 1024;
      if (!is_one) fail(at(name), fmt::format("expected integers from 1 to 1024, found {}", dump_json(item)));
      values.push_back(item.get<int>());
    }
  }
  void steps(const char* name, std::vector<OccupancyStep>& steps) {
    const json* j = member(name);
    if (!j) return;
    if (!j->is_array()) fail(at(name), fmt::format("expected a list, found {}", j->type_name()));
    for (const json& item : *j) {
      Reader parts(item, fmt::format("{}[{}]", at(name), steps.size()));
      const OccupancyStep step{parts.count("registers"), parts.count("items")};
      parts.check_all_known();
      const bool is_next =
          steps.empty() || (step.registers > steps.back().registers && step.items < steps.back().items);
      if (!is_next) fail(parts.path_, "registers must be more, and items fewer, than in the step before");
      steps.push_back(step);
    }
  }
  void field(const char* name, const char*, std::optional<Measurement>& figure) {
    const json* j = member(name);
    if (!j || j->is_null()) return;
    Reader parts(*j, at(name));
    figure = Measurement{parts.number("value"), parts.number("low"), parts.number("high"),
                         parts.boolean("confident")};
    parts.check_all_known();
    if (figure->value == 0) fail(at(name), "a figure must not be 0; write null for an unknown figure");
    if (figure->low > figure->value || figure->high < figure->value) {
      fail(at(name),
           fmt::format("the value {} is not between {} and {}", figure->value, figure->low, figure->high));
    }
  }
  void field(const char* name, const char*, std::optional<BoolMeasurement>& finding) {
    const json* j = member(name);
    if (!j || j->is_null()) return;
    Reader parts(*j, at(name));
    finding = BoolMeasurement{parts.boolean("value"), parts.boolean("confident")};
    parts.check_all_known();
  }
  template <typename F>
  void group(const char* name, F visit) {
    const json* j = member(name);
    if (!j) return;
    Reader inner(*j, at(name));
    std::swap(*this, inner);
    visit();
    check_all_known();
    std::swap(*this, inner);
  }
  void levels(const char* name, std::vector<CacheLevel>& levels) {
    const json* j = member(name);
    if (!j) return;
    if (!j->is_array()) fail(at(name), fmt::format("expected a list, found {}", j->type_name()));
    for (const json& item : *j) {
      Reader level(item, fmt::format("{}[{}]", at(name), levels.size()));
      levels.emplace_back();
      hwprofile::visit_fields_of_level(levels.back(), level);
      level.check_all_known();
    }
  }

  void know(const char* name) { known_.insert(name); }

  void check_all_known() const {
    for (const auto& [key, value] : here_->items()) {
      if (!known_.contains(key)) fail(at(key), "unknown field");
    }
  }

  [[noreturn]] static void fail(const std::string& path, const std::string& finding) {
    throw ParseError(fmt::format("profile: {}{}{}", path, path.empty() ? "" : ": ", finding));
  }

 private:
  std::string at(const std::string& name) const { return path_.empty() ? name : path_ + "." + name; }

  const json* member(const char* name) {
    know(name);
    const auto it = here_->find(name);
    return it == here_->end() ? nullptr : &*it;
  }

  double number(const char* name) {
    const json* j = member(name);
    if (!j) fail(path_, fmt::format("\"{}\" is missing", name));
    if (!j->is_number()) fail(at(name), fmt::format("expected a number, found {}", j->type_name()));
    const double value = j->get<double>();
    if (!std::isfinite(value) || value < 0)
      fail(at(name), fmt::format("expected a non-negative number, found {}", dump_json(*j)));
    return value;
  }

  /// Returns a whole number of registers or work-items.
  int count(const char* name) {
    const json* j = member(name);
    if (!j) fail(path_, fmt::format("\"{}\" is missing", name));
    const bool is_count = j->is_number_integer() && *j >= 1 && *j <= 65536;
    if (!is_count)
      fail(at(name), fmt::format("expected an integer from 1 to 65536, found {}", dump_json(*j)));
    return j->get<int>();
  }

  bool boolean(const char* name) {
    const json* j = member(name);
    if (!j) fail(path_, fmt::format("\"{}\" is missing", name));
    if (!j->is_boolean()) fail(at(name), fmt::format("expected true or false, found {}", j->type_name()));
    return j->get<bool>();
  }

  static std::string string(const json& j, const std::string& path) {
    if (!j.is_string()) fail(path, fmt::format("expected a string, found {}", j.type_name()));
    return j.get<std::string>();
  }

  const json* here_;
  std::string path_;
  std::set<std::string> known_;
};

}  // namespace

std::string to_json(const HwProfile& profile) {
  Writer writer;
  hwprofile::visit_fields(profile, writer);
  json result{{"version", kVersion}};
  result.update(writer.take());
  // A driver may write its name in any encoding.
  return dump_json(result, 2, InvalidUtf8::Replace) + "\n";
}

HwProfile hw_profile_from_json(const std::string& text) {
  json parsed;
  try {
    parsed = parse_json(text);
  } catch (const json::exception& e) {
    throw ParseError(fmt::format("profile: not valid JSON: {}", json_problem(e.what())));
  } catch (const ParseError& e) {
    throw ParseError(fmt::format("profile: {}", e.what()));
  }
  Reader reader(parsed, "");
  reader.know("version");
  const auto version = parsed.find("version");
  if (version == parsed.end()) Reader::fail("", "\"version\" is missing");
  if (!version->is_number_integer() || *version < 1)
    Reader::fail("version", fmt::format("expected a positive integer, found {}", dump_json(*version)));
  if (*version > kVersion) {
    Reader::fail(
        "version",
        fmt::format("unsupported version {}; this library reads versions up to {}; use a newer library",
                    dump_json(*version), kVersion));
  }
  HwProfile profile;
  hwprofile::visit_fields(profile, reader);
  reader.check_all_known();
  return profile;
}

}  // namespace tensordsl
