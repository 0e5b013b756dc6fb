// Numbers with their units, for people.
#pragma once

#include <string>
#include <string_view>

#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

/// Of bytes ("B") in KiB and MiB, of seconds ("s") in ms, us and ns, of GFLOPS and GB/s in TFLOPS and TB/s;
/// three digits count.
std::string quantity(double value, std::string_view unit);

/// "132", "34.2 MiB", "about 4.3 us" of a guess, "?" of what is not known.
std::string quantity(const std::optional<Measurement>& figure, std::string_view unit);

}  // namespace tensordsl::hwprofile
