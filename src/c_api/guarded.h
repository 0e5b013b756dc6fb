// Converts exceptions for C: into a status and a text.
#pragma once

#include <string>

#include "tensordsl/runtime.h"

namespace tensordsl::c_api {

/// Calls `work` on `what`. An exception becomes the returned status, and the text of tdsl_error_text(); an
/// Error of no more specific class becomes `otherwise`.
tdsl_status guarded(void (*work)(const void* what), const void* what, tdsl_status otherwise) noexcept;

/// Does the work of a function of the C API; takes no memory of its own.
template <typename Work>
tdsl_status guarded(const Work& work, tdsl_status otherwise = TDSL_INVALID_ARGUMENT) noexcept {
  return guarded([](const void* what) { (*static_cast<const Work*>(what))(); }, &work, otherwise);
}

/// Checks that the pointer is not null. Throws Error that names the call and the argument if it is.
void require(const void* pointer, const char* call, const char* argument);

/// Returns the last error of this thread.
const char* error_text() noexcept;

}  // namespace tensordsl::c_api
