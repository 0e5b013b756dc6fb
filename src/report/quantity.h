// Numbers with their units, as text.
#pragma once

#include <string>
#include <string_view>

namespace tensordsl::report {

/// Formats a value with four digits and a suitable unit: bytes ("B") in KiB, MiB and GiB, seconds ("s") in
/// ms, us and ns, GFLOPS and GB/s in TFLOPS and TB/s.
std::string quantity(double value, std::string_view unit);

}  // namespace tensordsl::report
