// Profiles of parts put together.
#pragma once

#include "tensordsl/hw_profile.h"

namespace tensordsl::hwprofile {

/// What `part` knows goes into `whole`; what it does not know stays as it is there. Texts stay.
void merge_into(HwProfile& whole, const HwProfile& part);

}  // namespace tensordsl::hwprofile
