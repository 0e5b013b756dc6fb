// Rotations of the rows of matrices, which make them upper triangles.
#pragma once

#include <vector>

#include "tensordsl/func.h"

namespace tensordsl::ops::definitions {

/// Returns the indices of row i and column j in the matrix of `vars`, whose last two are its row and column.
std::vector<Expr> in_matrix(const std::vector<Var>& vars, const Expr& i, const Expr& j);

/// Rotates pairs of rows of `matrix`, of n rows and one more, until the first n of its `columns` are an upper
/// triangle. The determinant of a rotation is 1. Row n is scratch: it holds the rotated row k until row i has
/// been rotated too.
void rotate_rows(Func& matrix, const std::vector<Var>& vars, const Expr& n, const Expr& columns, Type type);

}  // namespace tensordsl::ops::definitions
