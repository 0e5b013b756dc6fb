// IR names -> C identifiers.
#pragma once

#include <map>
#include <set>
#include <string>

namespace tensordsl::codegen {

/// Gives every IR name one C identifier: characters that C has not become '_', reserved words and collisions get
/// a suffix. The same sequence of names gives the same identifiers.
class CNames {
 public:
  explicit CNames(std::set<std::string> reserved) : taken_(std::move(reserved)) {}
  const std::string& of(const std::string& name);
  /// `name` is its own identifier, whatever is reserved.
  void keep(const std::string& name) { identifiers_[name] = name; }

 private:
  std::map<std::string, std::string> identifiers_;
  std::set<std::string> taken_;
};

}  // namespace tensordsl::codegen
