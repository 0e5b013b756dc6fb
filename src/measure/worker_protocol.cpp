#include "measure/worker_protocol.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/json_problem.h"
#include "base/json_text.h"
#include "runtime/json/program_of_json.h"
#include "tensordsl/error.h"
#include "tensordsl/version.h"

namespace tensordsl::measure {
namespace {

using nlohmann::ordered_json;

// Limits on requests: larger ones are invalid, and no list of such a length is allocated.
constexpr std::size_t kMostPrograms = 4096;

/// JSON has no numbers that are not finite.
ordered_json number_json(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

double number_of(const ordered_json& json) {
  if (!json.is_string()) return json.get<double>();
  const auto text = json.get<std::string>();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf" || text == "-inf")
    return (text == "inf" ? 1 : -1) * std::numeric_limits<double>::infinity();
  throw ParseError(fmt::format("\"{}\" is not a number", text));
}

ordered_json program_json(const std::shared_ptr<const Program>& some) {
  if (!some) return {};
  const Program& program = *some;
  if (program.constants.size != 0) throw InternalError("a candidate kernel has constants");
  ordered_json texts = ordered_json::array();
  for (const KernelSource& kernel : program.kernels) texts.push_back(kernel.text);
  return {{"program", parse_json(to_json(program))}, {"texts", texts}};
}

std::shared_ptr<const Program> tried_program_of(const ordered_json& json) {
  if (json.is_null()) return nullptr;
  Program program = runtime::program_of(json.at("program"));
  const auto texts = json.at("texts").get<std::vector<std::string>>();
  if (texts.size() != program.kernels.size())
    throw ParseError(fmt::format("found {} texts for {} kernels", texts.size(), program.kernels.size()));
  for (std::size_t k = 0; k < texts.size(); ++k) program.kernels[k].text = texts[k];
  return std::make_shared<const Program>(std::move(program));
}

ordered_json expected_json(const ExpectedOutputs& expected) {
  ordered_json elements = ordered_json::array();
  for (const ExpectedOutputs::Element& element : expected.elements)
    elements.push_back({element.output, element.at, number_json(element.value)});
  return {{"tolerance", expected.tolerance}, {"elements", elements}};
}

ExpectedOutputs expected_of(const ordered_json& json) {
  ExpectedOutputs expected;
  expected.tolerance = json.at("tolerance").get<double>();
  for (const ordered_json& element : json.at("elements")) {
    const auto at = element.at(1).get<std::int64_t>();
    if (at < 0) throw ParseError(fmt::format("invalid element index {}", at));
    expected.elements.push_back({element.at(0).get<std::size_t>(), at, number_of(element.at(2))});
  }
  return expected;
}

ordered_json measured_json(const Measured& measured) {
  if (measured.us) return {{"us", *measured.us}};
  if (measured.failure.empty()) return ordered_json::object();
  return {{"failure", measured.failure}, {"wrong", measured.is_wrong}};
}

Measured measured_of(const ordered_json& json) {
  Measured measured;
  if (json.contains("us")) {
    measured.us = json.at("us").get<double>();
    // A timer may be so coarse that a short kernel takes no time.
    if (!(*measured.us >= 0) || !std::isfinite(*measured.us))
      throw ParseError(fmt::format("invalid time {} us", *measured.us));
  } else if (json.contains("failure")) {
    measured.failure = json.at("failure").get<std::string>();
    measured.is_wrong = json.at("wrong").get<bool>();
  }
  return measured;
}

ordered_json message_json(const Hello& hello) {
  return {{"hello",
           {{"protocol", hello.protocol},
            {"library", hello.device.library},
            {"device", hello.device.device},
            {"driver", hello.device.driver}}}};
}

ordered_json message_json(const WorkerError& error) { return {{"error", error.what}}; }

ordered_json message_json(const At& at) {
  return {{"at", {{"id", at.id}, {"program", at.program}, {"doing", at.doing}}}};
}

ordered_json message_json(const Answer& answer) {
  ordered_json programs = ordered_json::array();
  for (const Measured& measured : answer.timed.programs) programs.push_back(measured_json(measured));
  return {{"measured", {{"id", answer.id}, {"lost", answer.timed.is_device_lost}, {"programs", programs}}}};
}

/// Writes JSON; texts of drivers may be in any encoding.
std::string line_of(const ordered_json& json) { return dump_json(json, -1, InvalidUtf8::Replace); }

WorkerMessage message_of(const ordered_json& json) {
  if (json.contains("hello")) {
    const ordered_json& hello = json["hello"];
    return Hello{hello.at("protocol").get<int>(),
                 {hello.at("device").get<std::string>(), hello.at("driver").get<std::string>(),
                  hello.at("library").get<std::string>()}};
  }
  if (json.contains("error")) return WorkerError{json["error"].get<std::string>()};
  if (json.contains("at")) {
    const ordered_json& at = json["at"];
    return At{at.at("id").get<std::int64_t>(), at.at("program").get<std::size_t>(),
              at.at("doing").get<std::string>()};
  }
  const ordered_json& measured = json.at("measured");
  Answer answer{measured.at("id").get<std::int64_t>(), {{}, measured.at("lost").get<bool>()}};
  for (const ordered_json& program : measured.at("programs"))
    answer.timed.programs.push_back(measured_of(program));
  return answer;
}

template <typename F>
auto parsed(std::string_view line, F read) {
  try {
    return read(parse_json(line));
  } catch (const nlohmann::json::exception& error) {
    throw ParseError(json_problem(error.what()));
  }
}

}  // namespace

std::string to_line(const Order& order) {
  ordered_json programs = ordered_json::array();
  for (const auto& program : order.request.programs) programs.push_back(program_json(program));
  return line_of({{"measure",
                   {{"id", order.id},
                    {"one_by_one", order.one_by_one},
                    {"programs", programs},
                    {"expected", expected_json(order.request.expected)},
                    {"between", program_json(order.request.between)}}}});
}

std::string to_line(const WorkerMessage& message) {
  return line_of(std::visit([](const auto& one) { return message_json(one); }, message));
}

Order order_from_line(std::string_view line) {
  return parsed(line, [](const ordered_json& json) {
    const ordered_json& measure = json.at("measure");
    Order order{measure.at("id").get<std::int64_t>(), measure.at("one_by_one").get<bool>(), {}};
    const ordered_json& programs = measure.at("programs");
    if (programs.size() > kMostPrograms)
      throw ParseError(
          fmt::format("found {} programs in one request; the limit is {}", programs.size(), kMostPrograms));
    for (const ordered_json& program : programs) order.request.programs.push_back(tried_program_of(program));
    order.request.expected = expected_of(measure.at("expected"));
    order.request.between = tried_program_of(measure.at("between"));
    return order;
  });
}

WorkerMessage message_from_line(std::string_view line) {
  return parsed(line, [](const ordered_json& json) { return message_of(json); });
}

}  // namespace tensordsl::measure
