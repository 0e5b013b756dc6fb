#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <map>

#include "python/bindings/arguments.h"
#include "python/bindings/operators.h"

namespace tensordsl::python {
namespace {

/// Methods of an expression that stands on the left and on the right of an operator.
struct Methods {
  const char* left;
  const char* right;
};

const std::map<std::string, Methods>& operators() {
  static const std::map<std::string, Methods> kOperators{
      {"add", {"__add__", "__radd__"}},
      {"subtract", {"__sub__", "__rsub__"}},
      {"multiply", {"__mul__", "__rmul__"}},
      {"divide", {"__truediv__", "__rtruediv__"}},
      {"floor_divide", {"__floordiv__", "__rfloordiv__"}},
      {"remainder", {"__mod__", "__rmod__"}},
      {"power", {"__pow__", "__rpow__"}},
      {"bitwise_and", {"__and__", "__rand__"}},
      {"bitwise_or", {"__or__", "__ror__"}},
      {"bitwise_xor", {"__xor__", "__rxor__"}},
      {"left_shift", {"__lshift__", "__rlshift__"}},
      {"right_shift", {"__rshift__", "__rrshift__"}},
      {"less", {"__lt__", "__gt__"}},
      {"less_equal", {"__le__", "__ge__"}},
      {"greater", {"__gt__", "__lt__"}},
      {"greater_equal", {"__ge__", "__le__"}},
      {"equal", {"__eq__", "__eq__"}},
      {"not_equal", {"__ne__", "__ne__"}},
  };
  return kOperators;
}

/// Returns the language's name of a function of NumPy, where it is another one.
std::string name_of(const std::string& function) {
  static const std::map<std::string, std::string> kNames{{"absolute", "abs"},
                                                         {"fabs", "abs"},
                                                         {"maximum", "max"},
                                                         {"minimum", "min"},
                                                         {"fmax", "max"},
                                                         {"fmin", "min"},
                                                         {"arcsin", "asin"},
                                                         {"arccos", "acos"},
                                                         {"arctan", "atan"},
                                                         {"arctan2", "atan2"},
                                                         {"arcsinh", "asinh"},
                                                         {"arccosh", "acosh"},
                                                         {"arctanh", "atanh"},
                                                         {"rint", "round"},
                                                         {"isnan", "is_nan"},
                                                         {"isinf", "is_inf"},
                                                         {"isfinite", "is_finite"},
                                                         {"float_power", "pow"},
                                                         {"bitwise_count", "popcount"},
                                                         {"clip", "clamp"}};
  const auto found = kNames.find(function);
  return found == kNames.end() ? function : found->second;
}

}  // namespace

nb::object apply_numpy_function(nb::handle, nb::handle ufunc, const std::string& method,
                                const nb::args& inputs, const nb::kwargs& named) {
  const auto function = nb::cast<std::string>(ufunc.attr("__name__"));
  const auto found = operators().find(function);
  if (found != operators().end() && method == "__call__" && inputs.size() == 2 && named.size() == 0) {
    const nb::handle a = inputs[0], b = inputs[1];
    return is_expression(a) ? a.attr(found->second.left)(b) : b.attr(found->second.right)(a);
  }
  const std::string ours = name_of(function);
  const bool is_there = nb::hasattr(nb::module_::import_("tensordsl"), ours.c_str());
  throw nb::type_error(
      fmt::format("numpy.{} needs arrays, but an expression has no value before kernels run{}", function,
                  is_there ? fmt::format("; write td.{}", ours) : "")
          .c_str());
}

}  // namespace tensordsl::python
