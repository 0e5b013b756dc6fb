// in[x - 2]   ->   select(0 <= x - 2 && x - 2 < 8, in[x - 2], 0), in: [8]
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/nodes/stmt.h"

namespace tensordsl::lower {

/// Puts a test around each read of `tensor` that its indices are inside the extents in these dimensions. With
/// `stored`, only around reads in statements that store to it; "" stands for conditions and the ends of
/// loops.
ir::Stmt guard_reads(const ir::Stmt& stmt, const std::string& tensor, const std::vector<Expr>& extents,
                     const std::set<std::size_t>& dimensions,
                     const std::optional<std::string>& stored = std::nullopt);

/// Puts the test `where` around each of them.
ir::Stmt guard_reads(const ir::Stmt& stmt, const std::string& tensor, const Expr& where,
                     const std::optional<std::string>& stored);

}  // namespace tensordsl::lower
