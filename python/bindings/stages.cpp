#include <fmt/format.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <array>

#include "python/bindings/arguments.h"
#include "tensordsl/func.h"
#include "tensordsl/schedule.h"

namespace tensordsl::python {
namespace {

/// Converts an argument of Python to an argument of C++ of type T.
template <typename T>
struct Given {
  using Type = T;
  static T take(T value) { return value; }
};
template <>
struct Given<const Var&> {
  using Type = VarLike;
  static Var take(const VarLike& value) { return var_of(value); }
};
template <>
struct Given<const Expr&> {
  using Type = ExprLike;
  static Expr take(const ExprLike& value) { return expr_of(value); }
};
struct VarsLike : nb::object {
  NB_OBJECT(VarsLike, nb::object, "Sequence[Var | str]", is_anything)
};
template <>
struct Given<const std::vector<Var>&> {
  using Type = VarsLike;
  static std::vector<Var> take(const VarsLike& values) {
    std::vector<Var> result;
    if (nb::isinstance<nb::str>(values) || !nb::hasattr(values, "__iter__"))
      throw nb::type_error(
          fmt::format("expected a sequence of Vars or their names, found {}", class_name(values)).c_str());
    for (nb::handle value : values) result.push_back(var_of(value));
    return result;
  }
};
struct ExprsLike : nb::object {
  NB_OBJECT(ExprsLike, nb::object, "Sequence[ExprLike]", is_anything)
};
template <>
struct Given<const std::vector<Expr>&> {
  using Type = ExprsLike;
  static std::vector<Expr> take(const ExprsLike& values) { return exprs_of(values); }
};

/// A method that gives a directive and returns its own object, whatever its class.
template <typename... Args>
auto directive(Stage& (Stage::*method)(Args...)) {
  return [method](Self self, typename Given<Args>::Type... args) {
    (nb::cast<Stage&>(self).*method)(Given<Args>::take(args)...);
    return self;
  };
}

using StageClass = nb::class_<Stage>;

void bind_loops(StageClass& stage) {
  stage.def("split", directive(&Stage::split), nb::arg("axis"), nb::arg("outer"), nb::arg("inner"),
            nb::arg("factor"), nb::arg("tail") = Tail::Guard,
            "for i -> for outer, for inner in [0, factor).");
  stage.def("fuse", directive(&Stage::fuse), nb::arg("outer"), nb::arg("inner"), nb::arg("fused"),
            "for outer, for inner -> for fused: they are neighbors.");
  stage.def("reorder", directive(&Stage::reorder), nb::arg("axes"),
            "Puts the named axes into the given order, outermost first, in the places that they held.");
  stage.def(
      "reorder",
      [](Self self, nb::args axes) {
        nb::cast<Stage&>(self).reorder(Given<const std::vector<Var>&>::take(nb::borrow<VarsLike>(axes)));
        return self;
      },
      nb::sig("def reorder(self, *axes: Var | str) -> Self"),
      "Puts the named axes into the given order, outermost first.");
  stage.def("tile", directive(&Stage::tile), nb::arg("x"), nb::arg("y"), nb::arg("xo"), nb::arg("yo"),
            nb::arg("xi"), nb::arg("yi"), nb::arg("xfactor"), nb::arg("yfactor"),
            nb::arg("tail") = Tail::Guard, "Splits both, then reorders to xo, yo, xi, yi.");
  stage.def("unroll", directive(nb::overload_cast<const Var&>(&Stage::unroll)), nb::arg("axis"),
            "Repeats the body once for each value; the extent is constant.");
  stage.def("unroll", directive(nb::overload_cast<const Var&, int, Tail>(&Stage::unroll)), nb::arg("axis"),
            nb::arg("factor"), nb::arg("tail") = Tail::Guard,
            "Splits by `factor`, then unrolls the inner loop.");
  stage.def("vectorize", directive(nb::overload_cast<const Var&>(&Stage::vectorize)), nb::arg("axis"),
            "Computes all values by one vector operation; the extent is 2, 3, 4, 8 or 16, on the host also "
            "32 or 64.");
  stage.def("vectorize", directive(nb::overload_cast<const Var&, int, Tail>(&Stage::vectorize)),
            nb::arg("axis"), nb::arg("factor"), nb::arg("tail") = Tail::Guard,
            "Splits by `factor`, then vectorizes the inner loop.");
}

void bind_gpu(StageClass& stage) {
  const char* blocks = "Maps up to three axes, dimension 0 first, to work-group indices.";
  stage.def("gpu_blocks", directive(nb::overload_cast<const Var&>(&Stage::gpu_blocks)), nb::arg("x"), blocks);
  stage.def("gpu_blocks", directive(nb::overload_cast<const Var&, const Var&>(&Stage::gpu_blocks)),
            nb::arg("x"), nb::arg("y"), blocks);
  stage.def("gpu_blocks",
            directive(nb::overload_cast<const Var&, const Var&, const Var&>(&Stage::gpu_blocks)),
            nb::arg("x"), nb::arg("y"), nb::arg("z"), blocks);
  const char* threads =
      "Maps up to three axes, dimension 0 first, to work-item indices; their extents are constant.";
  stage.def("gpu_threads", directive(nb::overload_cast<const Var&>(&Stage::gpu_threads)), nb::arg("x"),
            threads);
  stage.def("gpu_threads", directive(nb::overload_cast<const Var&, const Var&>(&Stage::gpu_threads)),
            nb::arg("x"), nb::arg("y"), threads);
  stage.def("gpu_threads",
            directive(nb::overload_cast<const Var&, const Var&, const Var&>(&Stage::gpu_threads)),
            nb::arg("x"), nb::arg("y"), nb::arg("z"), threads);
  stage.def("gpu_lanes", directive(&Stage::gpu_lanes), nb::arg("axis"),
            "Maps a reduction loop of constant extent to the work-items of a sub-group.");
  stage.def("matrix_multiply", directive(&Stage::matrix_multiply), nb::arg("rows"), nb::arg("columns"),
            nb::arg("depth"),
            "Computes the three innermost loops as one product of matrices of f16, summed in f32.");
  const char* tile = "Splits each axis by its size, makes the outer loops blocks and the inner ones threads.";
  stage.def("gpu_tile", directive(nb::overload_cast<const Var&, int, Tail>(&Stage::gpu_tile)), nb::arg("x"),
            nb::arg("x_size"), nb::arg("tail") = Tail::Guard, tile);
  stage.def("gpu_tile",
            directive(nb::overload_cast<const Var&, const Var&, std::array<int, 2>, Tail>(&Stage::gpu_tile)),
            nb::arg("x"), nb::arg("y"), nb::arg("sizes"), nb::arg("tail") = Tail::Guard, tile);
  stage.def("gpu_tile",
            directive(nb::overload_cast<const Var&, const Var&, const Var&, std::array<int, 3>, Tail>(
                &Stage::gpu_tile)),
            nb::arg("x"), nb::arg("y"), nb::arg("z"), nb::arg("sizes"), nb::arg("tail") = Tail::Guard, tile);
}

void bind_stage_reductions(StageClass& stage) {
  stage.def(
      "rfactor",
      [](const Stage& self, VarLike axis, VarLike pure) { return self.rfactor(var_of(axis), var_of(pure)); },
      nb::arg("axis"), nb::arg("pure"),
      "Splits a reduction into two steps; returns the Func of the partial results.");
  stage.def(
      "rfactor_in_half",
      [](const Stage& self, VarsLike axes, VarsLike pures) {
        return self.rfactor_in_half(Given<const std::vector<Var>&>::take(axes),
                                    Given<const std::vector<Var>&>::take(pures));
      },
      nb::arg("axes"), nb::arg("pures"),
      "Applies rfactor to several loops at once, with partial results in f16.");
  stage.def(
      "split_k",
      [](const Stage& self, VarLike axis, int parts, VarLike part) {
        return self.split_k(var_of(axis), parts, var_of(part));
      },
      nb::arg("axis"), nb::arg("parts"), nb::arg("part"),
      "Applies rfactor in runs of consecutive steps, which a kernel of their own computes.");
  stage.def(
      "specialize", [](const Stage& self, ExprLike condition) { return self.specialize(expr_of(condition)); },
      nb::arg("condition"),
      "Adds a variant of this stage that runs if the condition, of numbers and Params, holds.");
  stage.def("specialization", &Stage::specialization, nb::arg("index"),
            "Returns the index-th variant that specialize() made.");
}

void bind_places(StageClass& stage) {
  stage.def("compute_root", directive(&Stage::compute_root),
            "Computes the Func into its own buffer, by kernels of its own.");
  stage.def("compute_at", directive(&Stage::compute_at), nb::arg("consumer"), nb::arg("axis"),
            "Computes the Func inside the loop `axis` of `consumer`, over the region that the body needs.");
  stage.def(
      "store_at", directive(&Stage::store_at), nb::arg("consumer"), nb::arg("axis"),
      "Allocates the Func outside the loop `axis` of `consumer`, so that no element is computed twice.");
  stage.def("fold_storage", directive(&Stage::fold_storage), nb::arg("dimension"), nb::arg("factor"),
            "Stores element i of the dimension at i % factor.");
  stage.def("compute_with", directive(&Stage::compute_with), nb::arg("other"), nb::arg("axis"),
            "Shares the loops from the outermost to `axis` with another Func's stage.");
  stage.def("compute_inline", directive(&Stage::compute_inline), "Substitutes the Func into its consumers.");
  stage.def("bound", directive(&Stage::bound), nb::arg("extents"),
            "Sets the extents, one per dimension, counted from 0.");
  stage.def(
      "bound",
      [](Self self, nb::args extents) {
        nb::cast<Stage&>(self).bound(exprs_of(extents));
        return self;
      },
      nb::sig("def bound(self, *extents: ExprLike) -> Self"),
      "Sets the extents, one per dimension, counted from 0.");
  stage.def("layout", directive(nb::overload_cast<std::string_view>(&Stage::layout)), nb::arg("notation"),
            "Sets the order in memory, as in \"n c/4 h w c%4\".");
  stage.def("layout", directive(nb::overload_cast<const Layout&>(&Stage::layout)), nb::arg("layout"),
            "Sets the order in memory.");
  stage.def("align_storage", directive(&Stage::align_storage), nb::arg("dimension"), nb::arg("alignment"),
            "Rounds the dimension's extent in memory up to a multiple of `alignment`.");
  stage.def("set_image", directive(&Stage::set_image), nb::arg("kind"),
            "Stores the Func in an image, in the layout's groups.");
  stage.def("store_in", directive(&Stage::store_in), nb::arg("scope"),
            "Stores a Func with compute_at in Local, SubGroup or Private memory, or an Input in Constant.");
  stage.def("autobroadcast", directive(&Stage::autobroadcast),
            "Keeps an operation on a scalar and a vector as it is.");
  stage.def("half_arithmetic", directive(&Stage::half_arithmetic), "Does arithmetic on f16 values in f16.");
  stage.def("double_buffer", directive(&Stage::double_buffer),
            "Double-buffers a Local Func: twice the storage, half the barriers.");
  stage.def("trace_loads", directive(&Stage::trace_loads),
            "Makes interpret() and simulate() report each element that is read.");
  stage.def("trace_stores", directive(&Stage::trace_stores),
            "Makes interpret() and simulate() report each element that is written.");
}

void bind_schedules(nb::module_& module) {
  nb::class_<Schedule>(module, "Schedule", "The directives of a pipeline, as data.")
      .def_static("of", nb::overload_cast<const Func&>(&Schedule::of), nb::arg("output"),
                  "Returns the directives given so far to `output` and all that it reads.")
      .def_static("of", nb::overload_cast<const std::vector<Func>&>(&Schedule::of), nb::arg("outputs"),
                  "Returns the directives given so far to a pipeline of several outputs.")
      .def_static("from_json", &Schedule::from_json, nb::arg("text"), "Reads what to_json() wrote.")
      .def("__repr__",
           [](const Schedule& self) {
             const nb::object json = nb::module_::import_("json").attr("loads")(self.to_json());
             const nb::object directives = json["directives"];
             const std::size_t count = nb::len(directives);
             return fmt::format("Schedule({} directive{})", count, count == 1 ? "" : "s");
           })
      .def("to_json", &Schedule::to_json, "Returns the directives as JSON.")
      .def("to_cpp", &Schedule::to_cpp, nb::arg("name"), "Returns a C++ function that gives the directives.")
      .def("apply", nb::overload_cast<const Func&>(&Schedule::apply, nb::const_), nb::arg("output"),
           "Gives the directives to a pipeline that has none yet.")
      .def("apply", nb::overload_cast<const std::vector<Func>&>(&Schedule::apply, nb::const_),
           nb::arg("outputs"), "Gives the directives to a pipeline of several outputs that has none yet.");
}

}  // namespace

void bind_stages(nb::module_& module) {
  StageClass stage(module, "Stage", "One definition of a Func, as the target of directives.");
  bind_loops(stage);
  bind_gpu(stage);
  bind_stage_reductions(stage);
  bind_places(stage);
  stage.def_prop_ro("function_name", &Stage::function_name, "Name of the Func that the stage belongs to.");
  stage.def("to_string", &Stage::to_string, "Returns the stage's directives as the C++ that makes them.");
  bind_schedules(module);
}

}  // namespace tensordsl::python
