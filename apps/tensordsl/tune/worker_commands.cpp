#include "apps/tensordsl/tune/worker_commands.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "apps/tensordsl/tune/dask_script.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {

std::vector<std::string> worker_command(const std::string& device) {
  std::vector<std::string> command{std::filesystem::read_symlink("/proc/self/exe"), "worker"};
  if (!device.empty()) command.insert(command.end(), {"--device", device});
  return command;
}

std::vector<std::string> command_of_worker(const std::string& worker) {
  constexpr std::string_view kDask = "dask://";
  if (!worker.starts_with(kDask)) return worker_command(worker);
  const std::string place = worker.substr(kDask.size());
  const std::size_t slash = place.find('/');
  const std::string address = place.substr(0, slash);
  if (address.find(':') == std::string::npos || address.ends_with(':') || address.starts_with(':')) {
    throw Error(
        fmt::format("--workers {}: expected dask://HOST:PORT of a Dask scheduler, or "
                    "dask://HOST:PORT/RESOURCE for the workers with that resource",
                    worker));
  }
  std::vector<std::string> command{"python3", "-c", dask_script().front().text(), "tcp://" + address};
  if (slash != std::string::npos && slash + 1 < place.size()) command.push_back(place.substr(slash + 1));
  return command;
}

std::chrono::milliseconds milliseconds_of(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

}  // namespace tensordsl::cli
