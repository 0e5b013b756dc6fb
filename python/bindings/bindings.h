// Parts of the Python module, each of which binds some public headers, and their shared helpers.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "tensordsl/expr.h"
#include "tensordsl/size_expr.h"
#include "tensordsl/type.h"
#include "tensordsl/var.h"

namespace tensordsl::python {

namespace nb = nanobind;

void bind_errors(nb::module_& module);
void bind_types(nb::module_& module);
void bind_layouts(nb::module_& module);
void bind_expressions(nb::module_& module);
void bind_functions(nb::module_& module);
void bind_math(nb::module_& module);
void bind_stages(nb::module_& module);
void bind_devices(nb::module_& module);
void bind_programs(nb::module_& module);
void bind_runners(nb::module_& module);
void bind_pipelines(nb::module_& module);
void bind_models(nb::module_& module);

// Arguments that Python gives in several forms. Stubs show the names.

inline bool is_anything(PyObject*) { return true; }
bool is_variable(PyObject* object);
bool names_type(PyObject* object);

/// A number, or an object that reads as an expression.
struct ExprLike : nb::object {
  NB_OBJECT(ExprLike, nb::object, "ExprLike", is_anything)
  ExprLike() = default;
};
/// A Var, or its name.
struct VarLike : nb::object {
  NB_OBJECT(VarLike, nb::object, "Var | str", is_variable)
};
/// A Type, "f32", "float32", or an element type of NumPy.
struct TypeLike : nb::object {
  NB_OBJECT(TypeLike, nb::object, "Type | DTypeLike", names_type)
};
/// Any object that NumPy converts to an array.
struct ArrayLike : nb::object {
  NB_OBJECT(ArrayLike, nb::object, "ArrayLike", is_anything)
};
/// A method's own object, which it returns.
struct Self : nb::object {
  NB_OBJECT(Self, nb::object, "Self", is_anything)
};

/// Returns the expression that the object reads as. Throws TypeError if it is not one.
Expr expr_of(nb::handle object);
/// Returns the expressions of one object, or of a sequence of them.
std::vector<Expr> exprs_of(nb::handle object);
/// True if the object is of a class that reads as an expression, and is not a plain number.
bool is_expression(nb::handle object);
/// Returns the Var of a Var or a name. Throws TypeError on anything else.
Var var_of(nb::handle object);
/// Returns the type that the object names. Throws TypeError if it names none, Error on a type that the
/// language does not have.
Type type_of(nb::handle object);
/// Returns a shape's extents: numbers where they are known, else text.
nb::tuple extents_of(const std::vector<Expr>& extents);
nb::tuple extents_of(const std::vector<SizeExpr>& extents);
/// Returns the text of a path of Python.
std::string path_of(nb::handle path);
/// Returns the numpy.dtype of one element.
nb::object dtype_of(Type type);

}  // namespace tensordsl::python
