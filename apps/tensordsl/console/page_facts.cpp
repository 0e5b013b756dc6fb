#include "apps/tensordsl/console/page_facts.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>

#include "tensordsl/version.h"

namespace tensordsl::cli {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

}  // namespace

std::string date_text(std::time_t time) { return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(time)); }

PageFacts page_facts(const std::string& command) {
  return {{"date", date_text(std::time(nullptr))},
          {"host", host_name()},
          {"version", fmt::format("tensordsl {}", version())},
          {"command", command}};
}

}  // namespace tensordsl::cli
