// The list of the fields of a Program's JSON, which the writer, the reader and the schema share.
#pragma once

#include <optional>

#include "base/json/kernel_fields.h"
#include "runtime/json/function_json.h"
#include "runtime/json/program_format.h"
#include "runtime/program/dim_names.h"
#include "tensordsl/program.h"

namespace tensordsl {

template <MaybeConst<Program::Param> Param, typename Visitor>
void visit_fields(Param& p, Visitor& v) {
  v.text("name", p.name);
  v.type("type", p.type);
}

template <MaybeConst<Program::Value> Value, typename Visitor>
void visit_fields(Value& value, Visitor& v) {
  v.text("name", value.name);
  v.type("type", value.type);
  v.extents("shape", value.shape);
  v.index("tensor", value.tensor, "tensors", "tensor");
}

/// A tensor's image as JSON has it.
struct ImageFields {
  ImageKind kind = ImageKind::Image2D;
  Program::Tensor::ImageSize size;
};

template <MaybeConst<ImageFields> Image, typename Visitor>
void visit_fields(Image& image, Visitor& v) {
  v.word("kind", image.kind, kImageKinds, "image");
  v.one_of("channels", image.size.channels, kChannels);
  v.size("width", image.size.width);
  v.size("height", image.size.height);
  v.size("layers", image.size.layers);
}

/// Visits the order of the elements in memory, over the dimensions d0, d1, ..; after the extents.
template <MaybeConst<Program::Storage> Storage, typename Visitor>
void visit_layout(Storage& stored, Visitor& v, const char* about = "") {
  v.text_of(
      "layout", [&] { return stored.layout.to_string(runtime::dim_names(stored.extents.size())); },
      [&](const std::string& text) {
        if constexpr (!std::is_const_v<Storage>)
          stored.layout = Layout::parse(text, runtime::dim_names(stored.extents.size()));
      },
      about);
}

template <MaybeConst<Program::Tensor> Tensor, typename Visitor>
void visit_fields(Tensor& t, Visitor& v) {
  using Kind = Program::Tensor::Kind;
  v.word("kind", t.kind, runtime::kTensorKinds, "kind");
  v.text("name", t.name);
  v.type("type", t.stored.type);
  v.extents("extents", t.stored.extents);
  visit_layout(t.stored, v);
  v.size("elements", t.elements);
  v.written_only([&] {
    const auto elements = t.elements.type() == Int(32) ? t.elements.constant() : std::nullopt;
    std::int64_t bytes = elements.value_or(0) * t.stored.type.bytes();
    v.optional(elements.has_value(), [&] { v.number("bytes", bytes, "If `elements` is a number."); });
  });
  v.optional(t.image && t.stored.image, [&] {
    ImageFields image;
    if (t.image && t.stored.image) image = {*t.stored.image, *t.image};
    const bool is_there = v.part("image", image, "In texels. If absent, the tensor is a buffer.");
    if constexpr (!std::is_const_v<Tensor>) {
      if (is_there) {
        t.stored.image = image.kind;
        t.image = image.size;
      }
    }
  });
  v.optional(t.slot >= 0, [&] {
    v.index("slot", t.slot, "slots", "slot",
            "The slot that holds the tensor; if absent, the tensor has its own allocation. Images in a slot "
            "share an image that is as large as each of them needs in every dimension.");
  });
  v.optional(t.kind == Kind::Constant || runtime::has_offset(t), [&] {
    v.amount(
        "offset", t.offset, "an offset",
        "Byte offset: of a constant in the file of constants, of an intermediate in its slot; 0 if absent.");
  });
}

template <MaybeConst<Program::Launch> Launch, typename Visitor>
void visit_fields(Launch& l, Visitor& v) {
  v.index("kernel", l.kernel, "kernels", "kernel");
  v.numbers("tensors", l.tensors,
            "One per argument of the kernel; -1 for a scalar, whose value is that of the Param with the "
            "argument's name.");
  v.three_sizes("groups", l.groups,
                "Number of work-groups, as in the kernel; times group_size it is the global size.");
  v.text("label", l.label);
  v.amount("flops", l.flops, "a number of operations");
}

inline constexpr const char* kPlaceOfSteps = "a place among the launches or counts";

template <MaybeConst<Program::Count> Count, typename Visitor>
void visit_fields(Count& c, Visitor& v) {
  v.text("param", c.param);
  v.index("tensor", c.tensor, "tensors", "tensor", "The tensor that holds the number: one i32 or i64.");
  v.amount("launches", c.launches, kPlaceOfSteps, "Number of launches after which the number is known.");
  v.index_size("bound", c.bound, "Upper bound, over the Params and the counts before it.");
}

template <MaybeConst<Program::HostStep::Operand> Operand, typename Visitor>
void visit_fields(Operand& o, Visitor& v) {
  v.text("name", o.name);
  v.index("tensor", o.tensor, "tensors", "tensor");
  v.extents("extents", o.stored.extents, "The shape in the definitions.");
  visit_layout(o.stored, v, "How the shape is stored in the tensor's memory, of which it may be a part.");
}

template <MaybeConst<Program::HostStep> HostStep, typename Visitor>
void visit_fields(HostStep& h, Visitor& v) {
  v.text("label", h.label);
  v.json(
      "definitions", [&] { return runtime::functions_to_json(h.definitions); },
      [&](const nlohmann::ordered_json& j) {
        if constexpr (!std::is_const_v<HostStep>) h.definitions = runtime::functions_from_json(j);
      },
      "function",
      "Inputs, which have a shape, and Funcs, which have definitions; each after those it reads.");
  v.list("reads", h.reads, "The tensors of its Inputs.");
  v.list("writes", h.writes, "The tensors of its Funcs.");
  v.amount("launches", h.launches, kPlaceOfSteps, "Number of launches before it.");
  v.amount("counts", h.counts, kPlaceOfSteps, "Number of counts before it.");
}

template <MaybeConst<Program::Loop::Place> Place, typename Visitor>
void visit_fields(Place& place, Visitor& v) {
  v.amount("launches", place.launches, kPlaceOfSteps);
  v.amount("counts", place.counts, kPlaceOfSteps);
  v.amount("host_steps", place.host_steps, kPlaceOfSteps);
}

template <MaybeConst<Program::Loop::Carried> Carried, typename Visitor>
void visit_fields(Carried& c, Visitor& v) {
  v.index("now", c.now, "tensors", "tensor", "The tensor before the loop, in a step, and after the loop.");
  v.index("next", c.next, "tensors", "tensor", "The tensor that a step writes.");
}

template <MaybeConst<Program::Loop> Loop, typename Visitor>
void visit_fields(Loop& l, Visitor& v) {
  v.part("begin", l.begin, "Number of launches, counts and host steps before the loop.");
  v.part("end", l.end, "Number of launches, counts and host steps before its end.");
  v.text("step", l.step, "The i32 scalar that is 0, 1, .. in the steps.");
  v.index_size("steps", l.steps, "Maximum number of steps.");
  v.list("carried", l.carried,
         "Tensors that each step replaces: the memory of both is swapped after each step.");
  v.optional(l.condition.has_value(), [&] {
    constexpr std::size_t kNone = SIZE_MAX;
    std::size_t condition = l.condition.value_or(kNone);
    v.index("condition", condition, "tensors", "tensor",
            "The loop ends after a step that sets its element to 0. If absent, all steps run.");
    if constexpr (!std::is_const_v<Loop>) {
      if (condition != kNone) l.condition = condition;
    }
  });
  v.optional(!l.taken.empty(), [&] {
    v.text("taken", l.taken, "With a condition: the name of a count, the number of steps that ran.");
  });
}

template <MaybeConst<Program::State> State, typename Visitor>
void visit_fields(State& s, Visitor& v) {
  v.index("input", s.input, "inputs", "input");
  v.index("output", s.output, "outputs", "output");
  v.optional(s.axis >= 0, [&] {
    v.amount("axis", s.axis, "an axis",
             "The dimension along which the state grows: the input's extent is a Param, whose next value is "
             "the output's extent. If absent, the shape is fixed.");
  });
}

template <MaybeConst<ReadRequirement> Requirement, typename Visitor>
void visit_fields(Requirement& r, Visitor& v) {
  v.text("reader", r.reader);
  v.text("tensor", r.tensor);
  v.number("dimension", r.dimension);
  v.text("axis", r.axis);
  v.index_size("when", r.when);
  v.index_size("begin", r.begin);
  v.index_size("end", r.end);
  v.index_size("extent", r.extent);
  v.flag("is_input", r.is_input);
}

template <MaybeConst<FactorRequirement> Requirement, typename Visitor>
void visit_fields(Requirement& f, Visitor& v) {
  v.text("reader", f.reader);
  v.text("tensor", f.tensor);
  v.text("param", f.param);
  v.number("least", f.least);
  v.index_size("when", f.when);
}

/// Names the file with the bytes of the constants.
struct ConstantsFields {
  std::string file;
  std::size_t bytes = 0;
};

template <MaybeConst<ConstantsFields> Constants, typename Visitor>
void visit_fields(Constants& c, Visitor& v) {
  v.text("file", c.file);
  v.number("bytes", c.bytes);
}

/// Visits all but the version. The visitor has kernels(program) and constants(program), too: both name files.
template <MaybeConst<Program> P, typename Visitor>
void visit_fields(P& p, Visitor& v) {
  v.text("name", p.name);
  v.list("params", p.params);
  v.list("inputs", p.inputs);
  v.list("outputs", p.outputs);
  v.kernels(p);
  v.list("tensors", p.tensors);
  v.amounts("slots", p.slot_bytes, "a slot's size",
            "Bytes of the allocations, buffers or images, that intermediate tensors share.");
  v.constants(p);
  v.list("launches", p.launches, "In order.");
  v.list_since(
      runtime::kVersionWithSteps, "counts and no host steps", "counts", p.counts,
      "Params that kernels compute: data-dependent extents. In the order in which they become known.");
  v.list_since(runtime::kVersionWithSteps, "counts and no host steps", "host_steps", p.host_steps,
               "Operators that the host computes by their definitions, because no kernel can. In order.");
  v.list_since(runtime::kVersionWithLoops, "loops", "loops", p.loops,
               "Steps that are repeated. Ordered by their begin, outer loops first.");
  v.list_since(runtime::kVersionWithStates, "states", "states", p.states,
               "Inputs that take the value of an output of the previous run, from the second run on. In the "
               "order of the inputs.");
  v.list("requirements", p.requirements,
         "Requirements that a host checks before launch: if `when` is not 0, [begin, end) must be inside [0, "
         "extent).");
  v.list("factors", p.factors, "If `when` is not 0, the Param must be at least `least`.");
  v.texts("warnings", p.warnings);
}

}  // namespace tensordsl
