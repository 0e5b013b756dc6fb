// IR names -> C identifiers.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

namespace tensordsl::codegen {

/// Gives every IR name one C identifier: characters that C has not become '_', reserved words and collisions
/// get a suffix. The same sequence of names gives the same identifiers.
class CNames {
 public:
  explicit CNames(std::function<bool(const std::string&)> is_reserved)
      : is_reserved_(std::move(is_reserved)) {}
  const std::string& of(const std::string& name);
  /// `name` is its own identifier, whatever is reserved.
  void keep(const std::string& name) {
    identifiers_[name] = name;
    taken_.insert(name);
  }

 private:
  std::map<std::string, std::string> identifiers_;
  std::function<bool(const std::string&)> is_reserved_;
  std::set<std::string> taken_;
};

}  // namespace tensordsl::codegen
