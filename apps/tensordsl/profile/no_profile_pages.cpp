// Stands in for the pages of profiles in builds without the code that draws them.
#include "apps/tensordsl/profile/profile_files.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {

std::filesystem::path page_in(const std::string&) {
  throw Error(
      "--plots: this build cannot write pages; write the profile with -o, and run `tensordsl profile show "
      "FILE --plots FOLDER` with a full build");
}

ProfileFacts measured_facts(const std::string&) { return {}; }

ProfileFacts shown_facts(const std::string&, const std::string&) { return {}; }

void write_page(const std::filesystem::path&, const hwprofile::DeviceProfile&, const ProfileFacts&,
                const std::vector<std::string>&) {
  throw InternalError("this build has no page to write");
}

}  // namespace tensordsl::cli
