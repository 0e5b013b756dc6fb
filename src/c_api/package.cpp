// tdsl_package_*, versions and errors
#include "c_api/describe_tensor.h"
#include "c_api/guarded.h"
#include "c_api/handles.h"
#include "tensordsl/version.h"

using namespace tensordsl;
using namespace tensordsl::c_api;

std::int32_t tdsl_api_version(void) { return TDSL_API_VERSION; }

const char* tdsl_version(void) { return version(); }

const char* tdsl_error_text(void) { return error_text(); }

tdsl_status tdsl_package_open(const char* path, tdsl_package** package) {
  if (package != nullptr) *package = nullptr;
  const tdsl_status status = guarded([&] {
    require(path, "tdsl_package_open", "path");
    require(package, "tdsl_package_open", "package");
  });
  if (status != TDSL_OK) return status;
  return guarded([&] { *package = new tdsl_package{std::make_shared<const Package>(read_package(path))}; },
                 TDSL_INVALID_PACKAGE);
}

tdsl_status tdsl_package_open_memory(const void* bytes, size_t size, tdsl_package** package) {
  if (package != nullptr) *package = nullptr;
  return guarded([&] {
    require(bytes, "tdsl_package_open_memory", "bytes");
    require(package, "tdsl_package_open_memory", "package");
    const std::span file(static_cast<const std::byte*>(bytes), size);
    *package = new tdsl_package{
        std::make_shared<const Package>(read_package(file, nullptr, "the package in memory"))};
  });
}

void tdsl_package_close(tdsl_package* package) { delete package; }

size_t tdsl_package_input_count(const tdsl_package* package) {
  return package == nullptr ? 0 : package->package->program->inputs.size();
}

size_t tdsl_package_output_count(const tdsl_package* package) {
  return package == nullptr ? 0 : package->package->program->outputs.size();
}

tdsl_status tdsl_package_input(const tdsl_package* package, size_t index, tdsl_tensor* input) {
  return guarded([&] {
    require(package, "tdsl_package_input", "package");
    require(input, "tdsl_package_input", "input");
    *input = describe_tensor(package->package->program->inputs, index, {}, "tdsl_package_input");
  });
}

tdsl_status tdsl_package_output(const tdsl_package* package, size_t index, tdsl_tensor* output) {
  return guarded([&] {
    require(package, "tdsl_package_output", "package");
    require(output, "tdsl_package_output", "output");
    *output = describe_tensor(package->package->program->outputs, index, {}, "tdsl_package_output");
  });
}

size_t tdsl_package_param_count(const tdsl_package* package) {
  return package == nullptr ? 0 : package->package->program->params.size();
}

const char* tdsl_package_param_name(const tdsl_package* package, size_t index) {
  if (index >= tdsl_package_param_count(package)) return nullptr;
  return package->package->program->params[index].name.c_str();
}
