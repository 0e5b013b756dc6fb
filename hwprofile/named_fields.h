// Helper of visitors of a profile's fields that want each by its full name: "registers.pool",
// "buffer_caches[0].bytes".
#pragma once

#include <string>
#include <vector>

#include "hwprofile/profile_fields.h"

namespace tensordsl::hwprofile {

/// `Visitor` derives from it and has field() for figures and for findings, numbers() and steps(); texts are
/// left out.
template <typename Visitor>
class NamedFields {
 public:
  void text(const char*, const std::string&) {}
  void texts(const char*, const std::vector<std::string>&) {}

  template <typename F>
  void group(const std::string& name, F visit) {
    const std::string outer = prefix_;
    prefix_ += name + ".";
    visit();
    prefix_ = outer;
  }

  void levels(const char* name, const std::vector<CacheLevel>& levels) {
    for (std::size_t i = 0; i < levels.size(); ++i) {
      group(std::string(name) + "[" + std::to_string(i) + "]",
            [&] { visit_fields_of_level(levels[i], static_cast<Visitor&>(*this)); });
    }
  }

 protected:
  std::string full_name(const std::string& name) const { return prefix_ + name; }

 private:
  std::string prefix_;
};

}  // namespace tensordsl::hwprofile
