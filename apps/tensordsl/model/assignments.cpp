#include "apps/tensordsl/model/assignments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/transform.hpp>

#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

struct Assignment {
  std::string name, value;
};

std::optional<Assignment> split(const std::string& text) {
  const auto cut = text.rfind('=');
  if (cut == std::string::npos || cut == 0) return std::nullopt;
  return Assignment{text.substr(0, cut), text.substr(cut + 1)};
}

template <typename Number>
std::optional<Number> parse(const std::string& text) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (text.empty() || parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  return value;
}

/// "0.5,1"
std::optional<std::vector<double>> parse_list(const std::string& text) {
  std::vector<double> values;
  for (std::size_t begin = 0, end = 0; end < text.size(); begin = end + 1) {
    end = std::min(text.find(',', begin), text.size());
    const auto value = parse<double>(text.substr(begin, end - begin));
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values.empty() || text.back() == ',' ? std::nullopt : std::optional(values);
}

/// Means and deviations: "0.485,0.456,0.406:0.229"
std::optional<Picture> parse_picture(const std::string& text) {
  const auto cut = text.find(':');
  if (cut == std::string::npos) return std::nullopt;
  const auto mean = parse_list(text.substr(0, cut)), deviation = parse_list(text.substr(cut + 1));
  if (!mean || !deviation) return std::nullopt;
  return Picture{*mean, *deviation};
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> parts{""};
  for (const char c : text) c == ',' ? parts.emplace_back() : parts.back() += c;
  return parts;
}

/// Returns the numbers in a type that represents all of them, a single one as a scalar; nullopt if one of
/// them is not a number.
template <typename Number>
std::optional<Buffer> parse_numbers(const std::vector<std::string>& parts) {
  const auto count = static_cast<std::int64_t>(parts.size());
  Buffer value(type_of<Number>(), count == 1 ? std::vector<std::int64_t>{} : std::vector{count});
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool is_bool = parts[i] == "true" || parts[i] == "false";
    const auto number = is_bool ? Number(parts[i] == "true") : parse<Number>(parts[i]);
    if (!number) return std::nullopt;
    value.as<Number>()[i] = *number;
  }
  return value;
}

/// "16000", "true", "0.5,1". Whole numbers are not made floats, which do not have all of them.
std::optional<Buffer> parse_constant(const std::vector<std::string>& parts) {
  if (auto value = parse_numbers<std::int64_t>(parts)) return value;
  if (auto value = parse_numbers<std::uint64_t>(parts)) return value;
  return parse_numbers<double>(parts);
}

std::optional<ParamValue> parse_param(const std::string& text) {
  if (const auto value = parse<std::int64_t>(text)) return *value;
  if (const auto value = parse<std::uint64_t>(text)) return *value;
  if (const auto value = parse<double>(text)) return *value;
  return std::nullopt;
}

std::vector<std::string> names_of(const std::vector<Program::Param>& params) {
  const auto name = [](const Program::Param& param) {
    return fmt::format("\"{}\" ({})", param.name, to_string(param.type));
  };
  return params | ranges::views::transform(name) | ranges::to<std::vector>();
}

}  // namespace

std::map<std::string, std::int64_t> parse_dims(const std::vector<std::string>& dims) {
  std::map<std::string, std::int64_t> values;
  for (const std::string& dim : dims) {
    const auto assignment = split(dim);
    const auto value = assignment ? parse<std::int64_t>(assignment->value) : std::nullopt;
    if (!value) throw Error(fmt::format("--dim {}: expected NAME=NUMBER, for example --dim batch=1", dim));
    if (!values.emplace(assignment->name, *value).second)
      throw Error(fmt::format("--dim {}: {} is given twice; give it once", dim, assignment->name));
  }
  return values;
}

std::map<std::string, Buffer> parse_constants(const std::vector<std::string>& constants) {
  std::map<std::string, Buffer> values;
  for (const std::string& constant : constants) {
    const auto assignment = split(constant);
    constexpr const char* kExamples =
        "for example --constant rate=16000, --constant flag=true or --constant scales=1,2.5";
    if (!assignment) throw Error(fmt::format("--constant {}: expected NAME=VALUE, {}", constant, kExamples));
    const std::vector<std::string> parts = split_list(assignment->value);
    const auto value = parse_constant(parts);
    if (!value) {
      const auto wrong =
          std::ranges::find_if(parts, [](const std::string& part) { return !parse_constant({part}); });
      throw Error(
          fmt::format("--constant {}: \"{}\" is not a number, true or false; separate numbers with commas, "
                      "without spaces, {}",
                      constant, *wrong, kExamples));
    }
    if (!values.emplace(assignment->name, *value).second)
      throw Error(fmt::format("--constant {}: {} is given twice; give it once", constant, assignment->name));
  }
  return values;
}

std::map<std::string, std::string> parse_states(const std::vector<std::string>& states) {
  std::map<std::string, std::string> outputs;
  for (const std::string& state : states) {
    const auto assignment = split(state);
    if (!assignment || assignment->value.empty())
      throw Error(
          fmt::format("--state {}: expected INPUT=OUTPUT, for example --state past_key=present_key", state));
    if (!outputs.emplace(assignment->name, assignment->value).second)
      throw Error(fmt::format("--state {}: {} is given twice; give it once", state, assignment->name));
  }
  return outputs;
}

std::map<std::string, Picture> parse_pictures(const std::vector<std::string>& pictures) {
  std::map<std::string, Picture> values;
  for (const std::string& text : pictures) {
    const auto assignment = split(text);
    const std::string name = assignment ? assignment->name : text;
    const auto picture = assignment ? parse_picture(assignment->value) : std::optional(Picture());
    if (!picture || name.empty() || name[0] == '=')
      throw Error(
          fmt::format("--picture {}: expected NAME or NAME=MEAN:DEVIATION, with one number or one per "
                      "channel, for example --picture data=0.485,0.456,0.406:0.229,0.224,0.225",
                      text));
    if (!values.emplace(name, *picture).second)
      throw Error(fmt::format("--picture {}: {} is given twice; give it once", text, name));
  }
  return values;
}

ParamValues parse_params(const std::vector<std::string>& params) {
  ParamValues values;
  for (const std::string& param : params) {
    const auto assignment = split(param);
    const auto value = assignment ? parse_param(assignment->value) : std::nullopt;
    if (!value)
      throw Error(fmt::format("--param {}: expected NAME=NUMBER, for example --param count=1024", param));
    if (!values.emplace(assignment->name, *value).second)
      throw Error(fmt::format("--param {}: {} is given twice; give it once", param, assignment->name));
  }
  return values;
}

void check_params(const std::string& place, const std::vector<Program::Param>& params,
                  const ParamValues& values) {
  for (const auto& [name, value] : values) {
    if (std::ranges::find(params, name, &Program::Param::name) != params.end()) continue;
    throw Error(fmt::format("--param {}: {} has no Param of this name; it has {}", name, place,
                            params.empty() ? "none" : fmt::format("{}", fmt::join(names_of(params), ", "))));
  }
  std::vector<Program::Param> missing;
  for (const Program::Param& param : params) {
    const auto value = values.find(param.name);
    if (value == values.end()) {
      missing.push_back(param);
    } else {
      require_fits(param.name, param.type, value->second);
    }
  }
  if (missing.empty()) return;
  throw Error(fmt::format("{}: no value for the Param{} {}; pass {} with --param NAME=NUMBER", place,
                          missing.size() > 1 ? "s" : "", fmt::join(names_of(missing), ", "),
                          missing.size() > 1 ? "each" : "it"));
}

}  // namespace tensordsl::cli
