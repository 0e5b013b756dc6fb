// Numbers with their units, for people.
#pragma once

#include <string>
#include <string_view>

namespace tensordsl::report {

/// Of bytes ("B") in KiB, MiB and GiB, of seconds ("s") in ms, us and ns, of GFLOPS and GB/s in TFLOPS and
/// TB/s; four digits count.
std::string quantity(double value, std::string_view unit);

}  // namespace tensordsl::report
