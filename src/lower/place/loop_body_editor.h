// Finds the loops of a name in a nest, and rewrites their bodies.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

/// Rewrites the body of each loop `name`, inside the Lets and tests that open it.
class LoopBodyEditor {
 public:
  LoopBodyEditor(std::string name, std::function<ir::Stmt(const ir::Stmt&)> edit)
      : name_(std::move(name)), edit_(std::move(edit)) {}

  ir::Stmt run(const ir::Stmt& stmt);

  bool found() const { return found_; }
  /// Returns the statements around the body that is being edited, outermost first.
  const std::vector<ir::Stmt>& path() const { return path_; }

 private:
  ir::Stmt enter(const ir::Stmt& stmt, ir::LoopKind group);

  template <typename F>
  ir::Stmt inside(const ir::Stmt& stmt, F f) {
    path_.push_back(stmt);
    ir::Stmt result = ir::map_children(stmt, nullptr, f);
    path_.pop_back();
    return result;
  }

  std::string name_;
  std::function<ir::Stmt(const ir::Stmt&)> edit_;
  std::vector<ir::Stmt> path_;
  bool found_ = false;
};

/// The work-items that share a tensor.
enum class Sharing : std::uint8_t { None, SubGroup, Group };

/// Wraps `body` in the loops of its path whose variables differ between the work-items that share, and in the
/// names bound on the way.
ir::Stmt over_those_who_share(ir::Stmt body, const std::vector<ir::Stmt>& path, Sharing sharing);

/// Returns the loop at the end of the path if it is serial; null otherwise.
const ir::StmtNode* repeating_loop(const std::vector<ir::Stmt>& path);

}  // namespace tensordsl::lower
