#include "apps/tensordsl/console/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace tensordsl::cli {

std::optional<int> terminal_columns(int descriptor) {
  if (isatty(descriptor) == 0) return std::nullopt;
  if (const char* told = std::getenv("COLUMNS")) {
    const std::string_view text = told;
    int columns = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), columns);
    if (failed == std::errc() && end == text.data() + text.size() && columns > 0) return columns;
  }
  winsize size{};
  constexpr int kUsual = 80;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

}  // namespace tensordsl::cli
