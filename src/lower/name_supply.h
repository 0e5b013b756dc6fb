// Fresh names for passes.
#pragma once

#include <map>
#include <set>
#include <string>

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

/// Returns names that do not occur in a kernel, whatever users call their Funcs, Vars and Params.
class NameSupply {
 public:
  /// Creates a supply of names that `kernel` does not use for variables, bound or free, or for buffers.
  explicit NameSupply(const ir::Stmt& kernel) : kernel_(kernel) {}

  /// Returns "a.0", "a.1", ...: another one each time.
  std::string numbered(const std::string& base);
  /// Returns "conv.value", with a number appended if it is used; the same one each time. A caller that binds
  /// it twice does so in disjoint scopes.
  const std::string& named(const std::string& name);

 private:
  bool take(const std::string& name);

  ir::Stmt kernel_;  // not searched before the first name is asked for
  std::set<std::string> taken_;
  std::map<std::string, int> next_;           // next number by base
  std::map<std::string, std::string> given_;  // names that were given, by the name that was asked for
};

}  // namespace tensordsl::lower
