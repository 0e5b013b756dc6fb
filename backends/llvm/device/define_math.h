// Bodies for the functions of mathematics that kernels call: the C library's, for vectors where it has them.
#pragma once

#include <string>
#include <string_view>

namespace tensordsl::host {

/// Returns the text with a definition in place of each declaration of such a function. `has_function` returns
/// true if the process has a function of that name: names of vector functions follow the x86-64 vector
/// function ABI, as in GNU's libmvec. `vector_bits` is the width of the processor's vectors: 128, 256, 512.
std::string define_math_functions(std::string_view module, int vector_bits,
                                  bool (*has_function)(const std::string&));

/// True if the process has a function of this name.
bool process_has_function(const std::string& name);

}  // namespace tensordsl::host
