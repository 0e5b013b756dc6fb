// Tests that keep reads and statements inside a boundary: of a padded tensor, of a tile at the end of an
// extent.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/nodes/linear_form.h"
#include "ir/nodes/stmt.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::lower {

/// The context of a test.
struct TestSite {
  bool is_of_statement = false;  // not of reads only
  bool is_in_loop = false;
  bool is_innermost = false;  // true: it is made in each iteration of a loop without inner loops
  int reads = 0;              // number of selects in the text that make it
  TestSite& operator|=(const TestSite& other);
};

/// A comparison, of scalars or of vectors that are linear in the lane, or one part of a conjunction of them.
struct BoundaryTest {
  Expr condition;
  bool inside = true;                    // its value inside the boundary
  std::vector<ir::LinearForm> required;  // it has that value where all of these are >= 0
  bool is_exact = false;                 // and the other value elsewhere
  TestSite site;                         // the union over all occurrences
};

/// Returns the tests in the body of a loop, or in another statement, that use no name which the statement
/// binds: conditions of Ifs, and of selects that read memory where they hold. Each once, in the order of the
/// text.
std::vector<BoundaryTest> boundary_tests(const ir::Stmt& stmt);

/// Returns `stmt` with the tests replaced by their value inside the boundary, or by the other one.
ir::Stmt with_tests_decided(const ir::Stmt& stmt, const std::vector<BoundaryTest>& tests, bool inside);

/// Facts about the names in scope.
struct KernelScope {
  ir::Bounds bounds;              // bounds of the indices of work-items and loops
  std::set<std::string> varying;  // names whose values differ between the work-items of a group

  /// True if the value may differ between the work-items of a group.
  bool varies(const Expr& expr) const;
  /// Returns the scope inside a loop or a Let.
  KernelScope inside(const ir::StmtNode& stmt) const;
};

/// Returns a sum that is uniform in a group, and negative where `form` is negative for one of its work-items;
/// nothing if there is none.
std::optional<ir::LinearForm> least_in_group(const ir::LinearForm& form, const KernelScope& scope);

/// Counts the Stores in a statement, as a measure of code size.
int count_stores(const ir::Stmt& stmt);

}  // namespace tensordsl::lower
