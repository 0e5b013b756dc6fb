// Profiles of parts put together.
#pragma once

#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

/// Copies the known figures of `part` into `whole`; figures that it lacks stay. Texts stay.
void merge_into(HwProfile& whole, const HwProfile& part);

}  // namespace tensordsl::hwprofile
