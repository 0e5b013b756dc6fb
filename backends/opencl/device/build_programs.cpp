#include "backends/opencl/device/build_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <utility>

#include "backends/opencl/device/check.h"
#include "base/run_in_parallel.h"
#include "base/write_file.h"
#include "tensordsl/error.h"

namespace tensordsl::opencl {
namespace {

namespace fs = std::filesystem;

std::string build_log(cl_program program, cl_device_id device) {
  std::size_t size = 0;
  if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size) != CL_SUCCESS)
    return "";
  std::string log(size, '\0');
  if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr) != CL_SUCCESS)
    return "";
  while (!log.empty() && (log.back() == '\0' || log.back() == '\n')) log.pop_back();
  return log;
}

/// Saves the text for the user to examine: returns the path, or the reason why there is none.
std::string save_failing_source(const BuildTarget& target, const KernelSource& source) {
  const runtime::ProgramKey key = runtime::program_key(source, target.identity);
  std::string name = source.entry;
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  std::error_code error;
  const char* temporary = std::getenv("TMPDIR");
  const fs::path folder = temporary != nullptr && *temporary != '\0' ? fs::path(temporary)
                          : target.cache.folder()                    ? *target.cache.folder()
                                                                     : fs::temp_directory_path(error);
  fs::create_directories(folder, error);
  const fs::path path = folder / fmt::format("{}-{}.cl", name, key.name().substr(0, 8));
  try {
    write_file(path, source.text);
  } catch (const Error&) {
    return fmt::format("(not saved: {} cannot be written)", path.string());
  }
  return path.string();
}

Program compile(const BuildTarget& target, const KernelSource& source) {
  const char* text = source.text.data();
  const std::size_t length = source.text.size();
  cl_int status = CL_SUCCESS;
  Program program(clCreateProgramWithSource(target.context.get(), 1, &text, &length, &status));
  check(status, "clCreateProgramWithSource", source.entry);
  status = clBuildProgram(program.get(), 1, &target.device, source.options.c_str(), nullptr, nullptr);
  if (status != CL_SUCCESS) {
    throw DeviceError(fmt::format("kernel {} does not build on {}: clBuildProgram failed: {}\nsource: {}\n{}",
                                  source.entry, target.device_name, status_text(status),
                                  save_failing_source(target, source),
                                  build_log(program.get(), target.device)));
  }
  return program;
}

/// Loads a binary; empty if the driver refuses it.
Program load(const BuildTarget& target, const KernelSource& source, const runtime::ProgramBinary& binary) {
  const unsigned char* bytes = binary.data();
  const std::size_t length = binary.size();
  cl_int binary_status = CL_SUCCESS, status = CL_SUCCESS;
  Program program(clCreateProgramWithBinary(target.context.get(), 1, &target.device, &length, &bytes,
                                            &binary_status, &status));
  if (status != CL_SUCCESS || binary_status != CL_SUCCESS) return {};
  if (clBuildProgram(program.get(), 1, &target.device, source.options.c_str(), nullptr, nullptr) !=
      CL_SUCCESS) {
    return {};
  }
  const Kernel kernel(clCreateKernel(program.get(), source.entry.c_str(), &status));
  return status == CL_SUCCESS ? program : Program();
}

struct BuiltProgram {
  Program program;
  bool from_cache = false;
};

BuiltProgram build_program(const BuildTarget& target, const KernelSource& source) {
  const runtime::ProgramKey key = runtime::program_key(source, target.identity);
  if (const auto binary = target.offered->find(key)) {
    if (Program program = load(target, source, *binary)) return {std::move(program), true};
  }
  if (!target.cache.folder()) return {compile(target, source), false};
  if (const auto binary = target.cache.load(key)) {
    if (Program program = load(target, source, *binary)) return {std::move(program), true};
  }
  Program program = compile(target, source);
  if (const runtime::ProgramBinary binary = binary_of(program, target.device); !binary.empty())
    target.cache.store(key, binary);
  return {std::move(program), false};
}

}  // namespace

runtime::ProgramBinary binary_of(const Program& program, cl_device_id device) {
  // A program has a binary for each device of its context, which may be a program's own with several.
  cl_uint count = 0;
  if (clGetProgramInfo(program.get(), CL_PROGRAM_NUM_DEVICES, sizeof count, &count, nullptr) != CL_SUCCESS)
    return {};
  std::vector<cl_device_id> devices(count);
  std::vector<std::size_t> sizes(count);
  const auto ask = [&](cl_program_info what, auto& list) {
    return clGetProgramInfo(program.get(), what, list.size() * sizeof list[0], list.data(), nullptr) ==
           CL_SUCCESS;
  };
  if (!ask(CL_PROGRAM_DEVICES, devices) || !ask(CL_PROGRAM_BINARY_SIZES, sizes)) return {};
  const auto place = static_cast<std::size_t>(std::ranges::find(devices, device) - devices.begin());
  if (place == devices.size()) return {};
  runtime::ProgramBinary binary(sizes[place]);
  std::vector<unsigned char*> binaries(count, nullptr);  // null: that one is left out
  binaries[place] = binary.data();
  return ask(CL_PROGRAM_BINARIES, binaries) ? binary : runtime::ProgramBinary();
}

BuiltPrograms build_programs(const BuildTarget& target, const std::vector<KernelSource>& sources,
                             const std::function<void(int, int)>& progress) {
  const std::uintmax_t cache_limit = runtime::ProgramCache::limit_of_environment();
  std::vector<const KernelSource*> distinct;
  std::vector<std::size_t> program_of;  // per source, an index into `distinct`
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> seen;
  for (const KernelSource& source : sources) {
    const auto [place, is_new] = seen.try_emplace({source.text, source.options}, distinct.size());
    if (is_new) distinct.push_back(&source);
    program_of.push_back(place->second);
  }

  std::vector<BuiltProgram> built(distinct.size());
  run_in_parallel(
      static_cast<int>(distinct.size()),
      [&](int job) {
        const auto i = static_cast<std::size_t>(job);
        built[i] = build_program(target, *distinct[i]);
      },
      progress);

  BuiltPrograms result;
  for (const std::size_t i : program_of) result.programs.push_back(built[i].program);
  for (const BuiltProgram& program : built) ++(program.from_cache ? result.from_cache : result.compiled);
  if (result.compiled > 0) target.cache.trim(cache_limit);
  return result;
}

}  // namespace tensordsl::opencl
