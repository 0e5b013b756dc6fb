// Commands that start measuring processes.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace tensordsl::cli {

/// Returns the command of this program as a worker on a device; empty: on the default one.
std::vector<std::string> worker_command(const std::string& device);

/// Returns the command that starts the worker that --workers names: a device, or "dask://HOST:PORT" or
/// "dask://HOST:PORT/RESOURCE". Throws Error for another address.
std::vector<std::string> command_of_worker(const std::string& worker);

std::chrono::milliseconds milliseconds_of(double seconds);

}  // namespace tensordsl::cli
