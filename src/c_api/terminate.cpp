// Replaces the function that GCC's C++ library calls for an exception without a handler. Its own prints the
// exception's type, for which it links a demangler into the runtime, a twentieth of its size; no exception
// leaves a function of the C API.
#include <version>

#ifdef __GLIBCXX__
#include <cstdlib>

namespace __gnu_cxx {

void __verbose_terminate_handler() { std::abort(); }

}  // namespace __gnu_cxx
#endif
