// The tests that keep reads and statements inside a boundary: of a padded tensor, of a tile at the end of an
// extent.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/nodes/stmt.h"
#include "ir/simplify/linear_form.h"
#include "ir/simplify/simplify.h"

namespace tensordsl::lower {

/// Where a test is made.
struct TestSite {
  bool is_of_statement = false;  // not of reads only
  bool is_in_loop = false;
  bool is_innermost = false;  // in each iteration of a loop without loops in it
  int reads = 0;              // how many selects of the text make it
  TestSite& operator|=(const TestSite& other);
};

/// A comparison, of scalars or of vectors that are linear in the lane, or one part of a conjunction of them.
struct BoundaryTest {
  Expr condition;
  bool inside = true;                    // its value inside the boundary
  std::vector<ir::LinearForm> required;  // it has that value where none of these is negative
  bool is_exact = false;                 // and the other one elsewhere
  TestSite site;                         // all of them together
};

/// Those in the body of a loop, or in any other statement, which speak of no name that the statement binds:
/// of selects that read memory where they hold, and of Ifs. Each once, in the order of the text.
std::vector<BoundaryTest> boundary_tests(const ir::Stmt& stmt);

/// `stmt` where the tests have the value that they have inside the boundary, or the other one.
ir::Stmt with_tests_decided(const ir::Stmt& stmt, const std::vector<BoundaryTest>& tests, bool inside);

/// What a place in a kernel knows of the names around it.
struct KernelScope {
  ir::Bounds bounds;              // of the indices of work-items, of loops
  std::set<std::string> varying;  // names whose values differ between the work-items of a group

  /// Whether the value may differ between the work-items of a group.
  bool varies(const Expr& expr) const;
  /// Inside a loop or a Let.
  KernelScope inside(const ir::StmtNode& stmt) const;
};

/// A sum that is the same for all work-items of a group, and negative where `form` is so for one of them;
/// none if there is no such sum.
std::optional<ir::LinearForm> least_in_group(const ir::LinearForm& form, const KernelScope& scope);

/// How many Stores there are in a statement: a measure of its text.
int count_stores(const ir::Stmt& stmt);

}  // namespace tensordsl::lower
