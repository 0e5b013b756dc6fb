#include "generator/output_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "base/cpp_text.h"
#include "tensordsl/error.h"

namespace tensordsl::generator {
namespace {

bool is_upper(unsigned char c) { return std::isupper(c) != 0; }
bool is_lower(unsigned char c) { return std::islower(c) != 0; }

bool is_identifier(const std::string& name) {
  const auto is_part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !name.empty() && std::ranges::all_of(name, is_part) &&
         std::isdigit(static_cast<unsigned char>(name[0])) == 0 && name.find("__") == std::string::npos &&
         name[0] != '_' && !is_cpp_word(name) && name != "std";
}

/// cl_mem, CL_TRUE, clFinish
bool is_of_opencl(const std::string& name) {
  return name.starts_with("cl_") || name.starts_with("CL_") ||
         (name.starts_with("cl") && name.size() > 2 && is_upper(static_cast<unsigned char>(name[2])));
}

/// NULL, EOF, M_PI
bool is_in_capitals(const std::string& name) {
  return name.size() > 1 && std::ranges::any_of(name, is_upper) && std::ranges::none_of(name, is_lower);
}

/// True for headers of C and POSIX, and those that they include: a NAME.h in an include folder would be taken
/// for <NAME.h>.
bool is_header(const std::string& name) {
  static constexpr std::string_view kHeaders[] = {
      "aio",       "alloca",  "assert",    "byteswap", "complex",  "cpio",     "ctype",       "dirent",
      "dlfcn",     "endian",  "errno",     "fcntl",    "features", "fenv",     "float",       "fmtmsg",
      "fnmatch",   "ftw",     "glob",      "grp",      "iconv",    "inttypes", "iso646",      "langinfo",
      "libgen",    "libintl", "limits",    "locale",   "malloc",   "math",     "memory",      "monetary",
      "mqueue",    "ndbm",    "netdb",     "nl_types", "poll",     "pthread",  "pwd",         "regex",
      "sched",     "search",  "semaphore", "setjmp",   "signal",   "spawn",    "stdalign",    "stdarg",
      "stdatomic", "stdbool", "stddef",    "stdint",   "stdio",    "stdlib",   "stdnoreturn", "string",
      "strings",   "stropts", "syslog",    "tar",      "termios",  "tgmath",   "threads",     "time",
      "trace",     "uchar",   "ulimit",    "unistd",   "utime",    "utmpx",    "wchar",       "wctype",
      "wordexp"};
  return std::ranges::binary_search(kHeaders, name);
}

}  // namespace

void check_output_name(const std::string& name, const std::string& given) {
  if (!is_identifier(name)) {
    throw Error(
        fmt::format("{}: the name must be valid for a C++ namespace: letters, digits and single \"_\", not "
                    "starting with a digit or \"_\", and not a C++ keyword",
                    given));
  }
  if (is_of_opencl(name))
    throw Error(fmt::format("{}: the prefix is reserved for OpenCL; use another name, such as kernels_{}",
                            given, name));
  if (is_in_capitals(name))
    throw Error(fmt::format("{}: names in capitals are reserved for macros; use lower-case letters", given));
  if (is_header(name)) {
    throw Error(
        fmt::format("{0}: a header {1}.h would hide the C library's; use another name, such as {1}_kernels",
                    given, name));
  }
}

}  // namespace tensordsl::generator
