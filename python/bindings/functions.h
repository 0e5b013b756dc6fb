// Elements of Funcs, and tuples of values.
#pragma once

#include "python/bindings/bindings.h"
#include "tensordsl/func.h"
#include "tensordsl/tuple.h"

namespace tensordsl::python {

/// f[x, y]: read as an expression, or defined by assignment.
struct Element {
  Func func;
  FuncRef ref;
};

/// f[x, y][1]: one of several values.
struct Component {
  Func func;
  FuncTupleElementRef ref;
};

/// True if it is a tuple or a list of Python, or an element of a Func with several values.
bool is_tuple(nb::handle object);
Tuple tuple_of(nb::handle object);
/// Returns the values as a tuple of Python.
nb::tuple list_of(const Tuple& values);

}  // namespace tensordsl::python
