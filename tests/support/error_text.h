// Returns the text of the error that a call throws.
#pragma once

#include <string>

#include "tensordsl/error.h"

namespace tensordsl {

template <typename F>
std::string error_of(F f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace tensordsl
