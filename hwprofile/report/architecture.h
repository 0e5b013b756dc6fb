// What a device is made of, as a drawing.
#pragma once

#include <string>

#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

/// One compute unit with its ALUs, registers and first caches, the caches behind it, and memory; what is not
/// known has a question mark. Source: Romou (MobiCom 2022), figure 9.
std::string draw_architecture(const HwProfile& profile);

}  // namespace tensordsl::hwprofile
