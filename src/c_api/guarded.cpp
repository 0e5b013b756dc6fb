#include "c_api/guarded.h"

#include <fmt/format.h>

#include <exception>
#include <new>

#include "c_api/no_opencl_error.h"
#include "tensordsl/error.h"

namespace tensordsl::c_api {
namespace {

std::string& last_text() {
  static thread_local std::string text;
  return text;
}

tdsl_status fail(tdsl_status status, const char* text) noexcept {
  try {
    last_text() = text;
  } catch (...) {
    last_text().clear();  // there is no memory left for a text
  }
  return status;
}

}  // namespace

tdsl_status guarded(void (*work)(const void* what), const void* what, tdsl_status otherwise) noexcept {
  try {
    work(what);
    return TDSL_OK;
  } catch (const NoOpenClError& e) {
    return fail(TDSL_NO_OPENCL, e.what());
  } catch (const DeviceError& e) {
    return fail(TDSL_DEVICE_ERROR, e.what());
  } catch (const ShapeError& e) {
    return fail(TDSL_INVALID_SHAPE, e.what());
  } catch (const ParseError& e) {
    return fail(TDSL_INVALID_PACKAGE, e.what());
  } catch (const Error& e) {
    return fail(otherwise, e.what());
  } catch (const std::bad_alloc&) {
    return fail(TDSL_OUT_OF_MEMORY, "the host is out of memory");
  } catch (const std::exception& e) {
    return fail(TDSL_INTERNAL_ERROR, e.what());
  } catch (...) {
    return fail(TDSL_INTERNAL_ERROR, "unknown exception");
  }
}

void require(const void* pointer, const char* call, const char* argument) {
  if (pointer == nullptr) throw Error(fmt::format("{}: {} is NULL", call, argument));
}

const char* error_text() noexcept { return last_text().c_str(); }

}  // namespace tensordsl::c_api
