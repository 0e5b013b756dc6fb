#include "apps/tensordsl/run_tool.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <new>
#include <span>
#include <system_error>

#include "apps/tensordsl/commands/commands.h"
#include "tensordsl/error.h"
#include "tensordsl/version.h"

namespace {

enum ExitCode { kOk = 0, kCheckFailed = 1, kUserError = 2, kInternalError = 3 };

/// The exit status that shells show for a program that SIGPIPE ended.
constexpr int kReaderGone = 141;

constexpr const char* kFooter =
    R"(Exit codes: 0 ok, 1 a check failed, 2 user error, 3 internal error,
130 interrupted, 141 broken pipe (the reader of the output exited).

Environment:
  TENSORDSL_DEVICE       default of --device: gpu, cpu, host, PLATFORM:DEVICE
                         or a part of a device's name
  TENSORDSL_CACHE        off: do not cache built kernels and lowered models on
                         disk
  TENSORDSL_CACHE_DIR    the cache folder (default: $XDG_CACHE_HOME/tensordsl
                         or ~/.cache/tensordsl)
  TENSORDSL_CACHE_LIMIT  size limit of the cache in MiB (default: 1024)
  TENSORDSL_LLVM         the LLVM library, 15 to 19, that compiles kernels for
                         --device host (default: the newest installed one)
  TENSORDSL_OPENCL_LIBRARY  the OpenCL library for programs that run packages
                         (libtensordsl_rt), if it is not found by itself
  TENSORDSL_DB           the database of tuning records (default: tuning.db in
                         $XDG_DATA_HOME/tensordsl or ~/.local/share/tensordsl))";

/// Errors are one line each, so that scripts can read them.
int report_failure(const char* kind, std::string text, int code) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) text.replace(at, 1, " | ");
  // A failure to write this message cannot be reported.
  std::fputs(fmt::format("tensordsl: {}: {}\n", kind, text).c_str(), stderr);
  return code;
}

/// Returns the exit code if standard output could not be written. A reader that goes away, as in `tensordsl
/// ... | head`, has read enough, so that is not an error. A failed check is still reported.
int output_failed(int error, int code) {
  if (error == EPIPE) return code == kOk ? kReaderGone : code;
  return report_failure("error", fmt::format("cannot write to standard output: {}", std::strerror(error)),
                        kUserError);
}

/// After the command's own text.
void add_footer(CLI::App& command) {
  const std::string own = command.get_footer();
  if (own != kFooter) command.footer(own.empty() ? kFooter : fmt::format("{}\n\n{}", own, kFooter));
  for (CLI::App* inner : command.get_subcommands({})) add_footer(*inner);
}

/// The command whose options were being read.
std::string help_of(const CLI::App& app) {
  std::string command = "tensordsl";
  for (const CLI::App* inner : app.get_subcommands()) command += " " + inner->get_name();
  return command + " --help";
}

/// Checks the first word after `before`, the words that led to `app`, and goes on with the command's own
/// commands.
void check_command(const CLI::App& app, const std::string& before, std::span<char* const> words) {
  const std::vector<const CLI::App*> commands = app.get_subcommands({});
  if (commands.empty() || words.empty() || words[0][0] == '-') return;
  std::string names;
  for (const CLI::App* command : commands) {
    if (command->get_name() == words[0])
      return check_command(*command, before + command->get_name() + " ", words.subspan(1));
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  throw tensordsl::Error(fmt::format("unknown command {}{}; the commands are {}", before, words[0], names));
}

/// Sets PATH where a process has none, as after `env -i`: some OpenCL drivers run a linker that they look for
/// there, and end the process if they do not find it.
void complete_environment() {
  if (std::getenv("PATH") == nullptr) setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 0);
}

}  // namespace

int tensordsl::cli::run_tool(int argc, char** argv, const std::vector<ToolCommand>& commands) {
  CLI::App app{"tensordsl: tensor computations to OpenCL kernels"};
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string("tensordsl ") + version(), "print the version");
  app.footer(kFooter);
  cli::Command chosen;
  for (const ToolCommand& command : commands) {
    CLI::App* added = app.add_subcommand(command.name, command.description);
    added->callback([&chosen, run = command.add(*added)] { chosen = run; });
    add_footer(*added);
  }
  complete_environment();
  // Ignores SIGPIPE: a closed output becomes a write error, so that work is not cut off in the middle.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit of files fails, and is reported
  try {
    check_command(app, "", std::span(argv, static_cast<std::size_t>(argc)).subspan(argc > 0 ? 1 : 0));
    app.parse(argc, argv);
    const int code = chosen();
    return std::fflush(stdout) == 0 ? code : output_failed(errno, code);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) {
      app.exit(e);
      std::cout.flush();
      return std::cout ? kOk : output_failed(errno, kOk);
    }
    return report_failure("error", fmt::format("{} (see {})", e.what(), help_of(app)), kUserError);
  } catch (const Error& e) {
    return report_failure("error", e.what(), kUserError);
  } catch (const std::system_error& e) {
    if (e.code() == std::errc::broken_pipe) return kReaderGone;
    return report_failure("error", e.what(), kUserError);
  } catch (const std::bad_alloc&) {
    return report_failure("error", "the host is out of memory", kUserError);
  } catch (const std::exception& e) {
    return report_failure("internal error", fmt::format("internal error: {}; please report it", e.what()),
                          kInternalError);
  }
}
