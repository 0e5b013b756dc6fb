// IR names -> C identifiers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace tensordsl::codegen {

/// Gives every IR name one C identifier: characters that C has not become '_', reserved words and collisions
/// get a suffix. A buffer and a variable may share a name in IR, and never do in C. The same sequence of
/// names gives the same identifiers.
class CNames {
 public:
  explicit CNames(std::function<bool(const std::string&)> is_reserved)
      : is_reserved_(std::move(is_reserved)) {}

  /// Returns the name of a loop, a Let or a scalar argument.
  const std::string& variable(const std::string& name) { return of(Kind::Variable, name); }
  /// Returns the name of a buffer or image argument, or an allocation.
  const std::string& buffer(const std::string& name) { return of(Kind::Buffer, name); }
  /// Returns the name of a function, or of something outside functions.
  const std::string& global(const std::string& name) { return of(Kind::Global, name); }
  /// Keeps `name` as the identifier of the variable, whatever is reserved.
  void keep(const std::string& name) {
    identifiers_[{Kind::Variable, name}] = name;
    taken_.insert(name);
  }

 private:
  enum class Kind : std::uint8_t { Variable, Buffer, Global };
  const std::string& of(Kind kind, const std::string& name);

  std::map<std::pair<Kind, std::string>, std::string> identifiers_;
  std::function<bool(const std::string&)> is_reserved_;
  std::set<std::string> taken_;
};

}  // namespace tensordsl::codegen
