// The commands of the CLI. Each returns the exit code: 0 ok, 1 a check failed. Errors are thrown.
#pragma once

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace tensordsl::cli {

using Command = std::function<int()>;

// Each adds its options to `app` and returns the function to run if it is chosen.
Command add_devices_command(CLI::App& app);
Command add_run_command(CLI::App& app);
Command add_compile_command(CLI::App& app);
Command add_autoschedule_command(CLI::App& app);
Command add_inspect_command(CLI::App& app);
Command add_diff_command(CLI::App& app);
Command add_bench_command(CLI::App& app);
Command add_profile_command(CLI::App& app);
Command add_db_command(CLI::App& app);
Command add_worker_command(CLI::App& app);

}  // namespace tensordsl::cli
