// The way from exceptions to what C knows: a status, and a text for people.
#pragma once

#include <functional>
#include <string>

#include "tensordsl/runtime.h"

namespace tensordsl::c_api {

/// Does the work of a function of the C API. What it throws is the status that is returned, and the text that
/// tdsl_error_text() gives; an Error that is of no other kind gives `otherwise`.
tdsl_status guarded(const std::function<void()>& work,
                    tdsl_status otherwise = TDSL_INVALID_ARGUMENT) noexcept;

/// Throws Error that names the call and the argument if the pointer is null.
void require(const void* pointer, const char* call, const char* argument);

/// What went wrong last in this thread.
const char* error_text() noexcept;

}  // namespace tensordsl::c_api
