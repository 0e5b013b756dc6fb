// Replaces Funcs, and rebuilds those that read them (replace all uses).
#pragma once

#include <map>

#include "tensordsl/func.h"

namespace tensordsl::definitions {

/// Rebuilds Funcs, each after those it reads, when their inputs become other Funcs.
class Redirector {
 public:
  /// Makes every later read of `from` a read of `to`.
  void redirect(const Func& from, const Func& to);
  /// Returns the Func that replaces `func`: itself, if none does.
  Func now(const Func& func) const;
  /// Returns the Func that replaced `function`; null if none did.
  const Func* replacement_of(const ir::Function& function) const;
  /// Rebuilds the Func if one that it reads was replaced.
  void update(const Func& func);
  /// Makes every later read of `func` a read of `to`, a Func over the old one.
  void replace(const Func& func, const Func& to);

 private:
  bool reads_replaced(const ir::Function& function) const;

  /// Keeps the replaced Func alive, so that no new one can have its address.
  struct Replacement {
    Func from, to;
  };
  std::map<const ir::Function*, Replacement> now_;
};

}  // namespace tensordsl::definitions
