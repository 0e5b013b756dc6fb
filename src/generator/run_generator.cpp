#include "generator/run_generator.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

#include "generator/find_target.h"
#include "generator/output_name.h"
#include "generator/write_outputs.h"
#include "tensordsl/error.h"
#include "tensordsl/version.h"

namespace tensordsl::generator {
namespace {

constexpr const char* kDefaultKinds = "cl,manifest,header";

struct Arguments {
  std::string folder, name, kinds = kDefaultKinds, target = "any";
  bool wants_help = false, wants_version = false;
};

std::string help(const GeneratorEntry& entry, const std::string& executable) {
  std::string text = fmt::format(
      "{0}: {1}\n\nusage: {0} -o FOLDER [-n NAME] [-e LIST] [target=TARGET] [PARAMETER=VALUE "
      "...]\n\noptions:\n  -o, --output FOLDER  output folder; created if missing\n  -n, --name NAME      "
      "name of the files, and of the launcher's namespace in kernels:: [{2}]\n  -e, --emit LIST      outputs "
      "to write, separated by commas [{3}]\n",
      executable, entry.summary, entry.name, kDefaultKinds);
  for (const OutputKind& kind : output_kinds())
    text += fmt::format("                         {:<9} NAME{}: {}\n", kind.name, kind.ending, kind.help);
  text += fmt::format(
      "  -h, --help           print this text\n      --version        print the version of "
      "tensordsl\n\ntarget [any]:\n  {}\n",
      legal_targets());
  if (!entry.generator->params().empty()) text += "\nparameters:\n";
  std::size_t width = 0;
  for (const AnyGeneratorParam* p : entry.generator->params()) width = std::max(width, p->name().size());
  for (const AnyGeneratorParam* p : entry.generator->params()) {
    text += fmt::format("  {:<{}}  {} [{}]\n  {:<{}}    {}\n", p->name(), width, p->help(), p->text(), "",
                        width, p->legal());
  }
  return text + "\nExit codes: 0 ok, 2 user error, 3 internal error.\n";
}

std::string without_folder(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

void set_param(const GeneratorEntry& entry, const std::string& name, const std::string& value) {
  std::vector<std::string> names{"target"};
  for (AnyGeneratorParam* param : entry.generator->params()) {
    if (param->name() == name) return param->set(value);
    names.push_back(param->name());
  }
  throw Error(fmt::format("{}={}: unknown parameter \"{}\"; the parameters are {}", name, value, name,
                          fmt::join(names, ", ")));
}

Arguments read_arguments(const GeneratorEntry& entry, int argc, const char* const* argv) {
  Arguments arguments;
  arguments.name = entry.name;
  std::set<std::string> given;
  const auto once = [&](const std::string& what) {
    if (!given.insert(what).second) throw Error(fmt::format("{} is given twice; give it once", what));
  };
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    std::optional<std::string> value;
    const std::size_t equals = argument.find('=');
    if (equals != std::string::npos) {
      value = argument.substr(equals + 1);
      argument.resize(equals);
    }
    if (!argument.starts_with('-')) {
      if (!value)
        throw Error(fmt::format("unknown argument \"{}\"; expected an option or PARAMETER=VALUE; see --help",
                                argument));
      once(argument);
      if (argument == "target") {
        arguments.target = *value;
      } else {
        set_param(entry, argument, *value);
      }
      continue;
    }
    const bool is_help = argument == "-h" || argument == "--help";
    if (is_help || argument == "--version") {
      if (value)
        throw Error(fmt::format("{}={}: this option takes no value; drop \"={}\"", argument, *value, *value));
      (is_help ? arguments.wants_help : arguments.wants_version) = true;
      continue;
    }
    std::string* to = argument == "-o" || argument == "--output" ? &arguments.folder
                      : argument == "-n" || argument == "--name" ? &arguments.name
                      : argument == "-e" || argument == "--emit" ? &arguments.kinds
                                                                 : nullptr;
    if (to == nullptr)
      throw Error(fmt::format("unknown option {}; the options are -o, -n, -e, --help, --version", argument));
    once(argument);
    if (!value && i + 1 < argc) {
      value = argv[++i];
      if (value->starts_with('-')) {
        throw Error(
            fmt::format("{}: the value is missing, and \"{}\" is an option; use {}={} to pass it as a value",
                        argument, *value, argument, *value));
      }
    }
    if (!value || value->empty()) throw Error(fmt::format("{}: the value is missing", argument));
    *to = *value;
  }
  return arguments;
}

std::set<std::string> kinds_of(const std::string& list) {
  std::vector<std::string> names;
  for (const OutputKind& kind : output_kinds()) names.push_back(kind.name);
  std::set<std::string> kinds;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string kind = list.substr(begin, end - begin);
    if (std::ranges::find(names, kind) == names.end())
      throw Error(fmt::format("-e {}: unknown output \"{}\"; the outputs are {}", list, kind,
                              fmt::join(names, ", ")));
    kinds.insert(kind);
    begin = end + 1;
  }
  return kinds;
}

/// "written by the generator conv2d of tensordsl 0.1.0: target=any channels=64"
std::string origin_of(const GeneratorEntry& entry, const std::string& target) {
  std::string text = fmt::format("Written by the generator {} of tensordsl {}: target={}", entry.name,
                                 version(), without_folder(target));
  for (const AnyGeneratorParam* p : entry.generator->params())
    text += fmt::format(" {}={}", p->name(), p->text());
  return text;
}

/// Flushes standard output, which is buffered: a write may fail only now.
void flush_output() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  throw Error(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
}

void generate(GeneratorEntry& entry, int argc, const char* const* argv) {
  const std::string before = help(entry, without_folder(argv[0]));  // with the defaults
  const Arguments arguments = read_arguments(entry, argc, argv);
  if (arguments.wants_help || arguments.wants_version) {
    std::fputs(arguments.wants_help ? before.c_str() : fmt::format("tensordsl {}\n", version()).c_str(),
               stdout);
    return;
  }
  if (arguments.folder.empty()) throw Error("no output folder; pass -o FOLDER; see --help");
  const bool is_own_name = arguments.name == entry.name;
  check_output_name(arguments.name, is_own_name
                                        ? fmt::format("the generator's name \"{}\", without -n", entry.name)
                                        : "-n " + arguments.name);
  const std::set<std::string> kinds = kinds_of(arguments.kinds);
  const GeneratorTarget target = find_target(arguments.target);
  const Pipeline pipeline = entry.generator->generate(target);
  for (const std::string& path : write_outputs(
           pipeline, target, {arguments.folder, arguments.name, origin_of(entry, arguments.target), kinds}))
    std::puts(path.c_str());
}

}  // namespace

int run(GeneratorEntry& entry, int argc, const char* const* argv) {
  const auto report = [&](const char* kind, const char* text, int code) {
    std::fputs(fmt::format("{}: {}: {}\n", without_folder(argv[0]), kind, text).c_str(), stderr);
    return code;
  };
  try {
    generate(entry, argc, argv);
    flush_output();
    return 0;
  } catch (const Error& error) {
    return report("error", error.what(), 2);
  } catch (const std::exception& error) {
    return report("internal error", error.what(), 3);
  } catch (...) {
    return report("internal error", "unknown exception", 3);
  }
}

}  // namespace tensordsl::generator
