#include "fuzz/settings.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <string_view>

#include "tensordsl/error.h"

namespace tensordsl::fuzz {
namespace {

int whole_number(const char* name, std::string_view text, int least, int most) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && least <= value && value <= most)
    return value;
  throw Error(fmt::format("{}=\"{}\": give it a whole number from {} to {}", name, text, least, most));
}

}  // namespace

Settings read_settings(const std::function<const char*(const char* name)>& value_of) {
  constexpr int kMost = std::numeric_limits<int>::max() / 32;  // seeds go on past the last case
  const auto number = [&](const char* name, int otherwise, int least, int most) {
    const char* text = value_of(name);
    return text == nullptr ? otherwise : whole_number(name, text, least, most);
  };
  Settings s;
  s.cases = number("TENSORDSL_FUZZ_CASES", s.cases, 0, kMost);
  s.first = number("TENSORDSL_FUZZ_FIRST", s.first, 0, kMost);
  if (value_of("TENSORDSL_FUZZ_SEED"))
    s.seed = number("TENSORDSL_FUZZ_SEED", 0, 0, std::numeric_limits<int>::max());
  // The interpreter visits every point of every Func.
  s.extent = number("TENSORDSL_FUZZ_EXTENT", s.extent, 1, 64);
  s.device_cases = number("TENSORDSL_FUZZ_DEVICE_CASES", s.device_cases, 0, kMost);
  s.host_cases = number("TENSORDSL_FUZZ_HOST_CASES", s.host_cases, 0, kMost);
  if (s.seed) {
    s.first = *s.seed;
    s.cases = s.device_cases = s.host_cases = 1;
  }
  s.kernels_of_program = number("TENSORDSL_FUZZ_BATCH", s.kernels_of_program, 1, kMost);
  s.prints_refusals = number("TENSORDSL_FUZZ_REFUSALS", 0, 0, 1) == 1;
  return s;
}

}  // namespace tensordsl::fuzz
