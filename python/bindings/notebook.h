// Pages for notebooks.
#pragma once

#include "python/bindings/bindings.h"

namespace tensordsl::python {

/// Gives the class a _repr_html_, which tensordsl.notebook writes.
template <typename Class>
void bind_page(Class& cls) {
  cls.def(
      "_repr_html_",
      [](nb::handle self) { return nb::module_::import_("tensordsl.notebook").attr("html_of")(self); },
      nb::sig("def _repr_html_(self) -> str"), "A page about it, for notebooks.");
}

}  // namespace tensordsl::python
