// Names for what passes make.
#pragma once

#include <map>
#include <set>
#include <string>

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

/// Gives names that nothing in a kernel has, whatever users call their Funcs, Vars and Params.
class NameSupply {
 public:
  /// Every name in `kernel` is taken: of variables, bound or free, and of buffers.
  explicit NameSupply(const ir::Stmt& kernel) : kernel_(kernel) {}

  /// "a.0", "a.1", ...: another one each time.
  std::string numbered(const std::string& base);
  /// "conv.value", or with a number behind it; the same one each time. Who binds it twice does so in scopes
  /// that do not meet.
  const std::string& named(const std::string& name);

 private:
  bool take(const std::string& name);

  ir::Stmt kernel_;  // that is not looked through yet, as long as what it may hold is not asked for
  std::set<std::string> taken_;
  std::map<std::string, int> next_;           // by base
  std::map<std::string, std::string> given_;  // by what was asked for
};

}  // namespace tensordsl::lower
