// JSON -> a Program
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>

#include "base/json_integer.h"
#include "base/json_problem.h"
#include "base/json_text.h"
#include "base/kernel_json.h"
#include "runtime/check_program.h"
#include "runtime/evaluate.h"
#include "runtime/function_json.h"
#include "runtime/program_format.h"
#include "runtime/program_of_json.h"
#include "runtime/shared_images.h"
#include "tensordsl/error.h"
#include "tensordsl/program.h"

namespace tensordsl {
namespace {

using nlohmann::ordered_json;

/// Reads what to_json writes, and nothing that does not fit.
class ProgramReader {
 public:
  Program read(const ordered_json& j) {
    const int version = integer_of<int>(j.at("version"));
    if (version < kFirstVersion || version > kVersionWithLoops)
      fail(fmt::format("version {} is not supported; supported: {} to {}", version, kFirstVersion,
                       kVersionWithLoops));
    if (version == kFirstVersion && (j.contains("counts") || j.contains("host_steps")))
      fail(fmt::format("version {} has no counts and no host steps", kFirstVersion));
    j.at("name").get_to(program_.name);
    for (const auto& p : j.at("params"))
      program_.params.push_back({p.at("name").get<std::string>(), type_of(p.at("type"))});
    for (const auto& k : j.at("kernels")) program_.kernels.push_back(kernel_of(k));
    for (const auto& bytes : j.at("slots")) program_.slot_bytes.push_back(amount(bytes, "a slot's size"));
    for (const auto& t : j.at("tensors")) {
      program_.tensors.push_back(tensor(t));
      if (version < kVersionWithOffsets && has_offset(program_.tensors.back()))
        fail(fmt::format("version {} has no offsets in slots", version));
      if (version < kVersionWithSharedImages && is_shared_image(program_.tensors.back()))
        fail(fmt::format("version {} has no images in slots", version));
      if (!program_.tensors.back().stored.layout.lead_params().empty())
        fail(fmt::format("\"{}\" begins at a Param of its memory; only operands of host steps do",
                         program_.tensors.back().name));
    }
    check_shared_images();
    if (j.contains("counts")) {
      for (const auto& c : j.at("counts")) add_count(c);
    }
    if (version < kVersionWithLoops && j.contains("loops"))
      fail(fmt::format("version {} has no loops", version));
    if (j.contains("loops")) {
      for (const auto& l : j.at("loops")) add_loop(l);
    }
    for (const auto& l : j.at("launches")) program_.launches.push_back(launch(l));
    if (j.contains("host_steps")) {
      for (const auto& h : j.at("host_steps")) program_.host_steps.push_back(host_step(h));
    }
    program_.inputs = values(j.at("inputs"));
    program_.outputs = values(j.at("outputs"));
    if (version < kVersionWithStates && j.contains("states"))
      fail(fmt::format("version {} has no states", version));
    if (j.contains("states")) {
      for (const auto& s : j.at("states")) program_.states.push_back(state(s));
    }
    for (const auto& r : j.at("requirements")) {
      program_.requirements.push_back({r.at("reader"), r.at("tensor"), integer_of<int>(r.at("dimension")),
                                       r.at("axis"), index_size(r.at("when")), index_size(r.at("begin")),
                                       index_size(r.at("end")), index_size(r.at("extent")),
                                       r.at("is_input")});
    }
    for (const auto& f : j.at("factors")) {
      program_.factors.push_back({f.at("reader"), f.at("tensor"), f.at("param"),
                                  integer_of<int>(f.at("least")), index_size(f.at("when"))});
    }
    j.at("warnings").get_to(program_.warnings);
    check_program(program_);
    return std::move(program_);
  }

 private:
  [[noreturn]] static void fail(const std::string& what) { throw ParseError("program: " + what); }

  static Type type_of(const ordered_json& j) {
    const auto type = parse_type(j.get<std::string>());
    if (!type) fail("unknown type " + word_of(j));
    return *type;
  }

  /// Of what there cannot be less than none.
  static std::int64_t amount(const ordered_json& j, const char* what) {
    const std::int64_t value = integer_of<std::int64_t>(j);
    if (value < 0) fail(fmt::format("{} is negative: {}", what, value));
    return value;
  }

  static std::size_t place(const ordered_json& j) {
    return static_cast<std::size_t>(amount(j, "a place among the launches or counts"));
  }

  static SizeExpr size(const ordered_json& j) {
    if (j.is_number_integer()) return integer_of<std::int64_t>(j);
    return SizeExpr::parse(j.get<std::string>());
  }

  /// The same of what a kernel computes with: a number is an i32.
  static SizeExpr index_size(const ordered_json& j) {
    return j.is_number_integer() ? SizeExpr(integer_of<int>(j)) : size(j);
  }

  static std::vector<SizeExpr> extents(const ordered_json& j) {
    std::vector<SizeExpr> result;
    for (const auto& e : j) {
      result.push_back(index_size(e));
      if (result.back().type() != Int(32)) fail("an extent is no i32: " + word_of(e));
    }
    return result;
  }

  std::size_t index(const ordered_json& j, std::size_t count, const char* what) const {
    const std::int64_t value = integer_of<std::int64_t>(j);
    if (value < 0 || value >= static_cast<std::int64_t>(count))
      fail(fmt::format("there is no {} {}; there are {}", what, value, count));
    return static_cast<std::size_t>(value);
  }

  Program::Tensor tensor(const ordered_json& j) const {
    Program::Tensor t;
    const auto kind = std::ranges::find(kTensorKinds, j.at("kind").get<std::string>(),
                                        [](const char* name) { return std::string(name); });
    if (kind == std::end(kTensorKinds)) fail("unknown kind " + word_of(j.at("kind")));
    t.kind = static_cast<Program::Tensor::Kind>(kind - std::begin(kTensorKinds));
    j.at("name").get_to(t.name);
    t.stored.type = type_of(j.at("type"));
    t.stored.extents = extents(j.at("extents"));
    t.stored.layout = Layout::parse(j.at("layout").get<std::string>(), dim_names(t.stored.extents.size()));
    t.elements = size(j.at("elements"));
    if (j.at("elements").is_number() && integer_of<std::int64_t>(j.at("elements")) < 0)
      fail(fmt::format("\"{}\" has a negative number of elements", t.name));
    if (j.contains("image")) {
      const auto& image = j.at("image");
      t.stored.image = image.at("kind").get<ImageKind>();
      // An unknown name is read as the first kind.
      if (ordered_json(*t.stored.image) != image.at("kind"))
        fail("unknown image " + word_of(image.at("kind")));
      if (image.at("channels") != 1 && image.at("channels") != 4)
        fail(fmt::format("the image \"{}\" has neither 1 nor 4 channels", t.name));
      t.image = {integer_of<int>(image.at("channels")), size(image.at("width")), size(image.at("height")),
                 size(image.at("layers"))};
    }
    if (j.contains("slot")) {
      if (t.kind != Program::Tensor::Kind::Intermediate)
        fail(fmt::format("\"{}\" has a slot; only intermediates have one", t.name));
      t.slot = static_cast<int>(index(j.at("slot"), program_.slot_bytes.size(), "slot"));
    }
    if (j.contains("offset")) {
      if (t.kind != Program::Tensor::Kind::Constant && t.slot < 0)
        fail(fmt::format("\"{}\" has an offset, and is no constant and in no slot", t.name));
      t.offset = amount(j.at("offset"), "an offset");
    }
    if (t.slot >= 0) check_slot(t);
    return t;
  }

  void check_slot(const Program::Tensor& t) const {
    const std::int64_t elements = evaluate(t.elements, {}), size = t.stored.type.bytes();
    const std::int64_t room = program_.slot_bytes[static_cast<std::size_t>(t.slot)] - t.offset;
    if (elements < 0 || room < 0 || elements > room / size)
      fail(fmt::format("\"{}\" does not fit its slot", t.name));
    if (t.offset % size != 0)
      fail(fmt::format("\"{}\" is at {} in its slot, which is no multiple of its type's {} bytes", t.name,
                       t.offset, size));
  }

  /// Those of a slot are alike but for their sizes, and it has room for an image that all of them fit.
  void check_shared_images() const {
    std::map<int, const Program::Tensor*> first;
    for (const Program::Tensor& t : program_.tensors) {
      if (t.slot < 0) continue;
      const Program::Tensor& other = *first.try_emplace(t.slot, &t).first->second;
      if (t.image.has_value() != other.image.has_value())
        fail(fmt::format("\"{}\" and \"{}\" share a slot; one of them is an image", other.name, t.name));
      if (!t.image) continue;
      if (t.offset != 0) fail(fmt::format("the image \"{}\" has an offset in its slot", t.name));
      if (t.stored.type != other.stored.type || t.stored.image != other.stored.image ||
          t.image->channels != other.image->channels)
        fail(fmt::format("\"{}\" and \"{}\" share a slot, and are other images", other.name, t.name));
      for (const SizeExpr& side : {t.image->width, t.image->height, t.image->layers}) {
        if (evaluate(side, {}) < 1) fail(fmt::format("the image \"{}\" in a slot has no texels", t.name));
      }
    }
    for (const auto& [slot, image] : shared_images(program_)) {
      // As a real number, which does not overflow.
      const double texels = static_cast<double>(image.width) * static_cast<double>(image.height) *
                            static_cast<double>(image.layers);
      const auto room = static_cast<double>(program_.slot_bytes[static_cast<std::size_t>(slot)]);
      if (texels * image.channels * image.type.bytes() > room)
        fail(fmt::format("the images of slot {} do not fit it", slot));
    }
  }

  void add_count(const ordered_json& j) {
    const auto name = j.at("param").get<std::string>();
    if (is_param(name)) fail(fmt::format("the count {} is a Param already", name));
    const std::size_t from = index(j.at("tensor"), program_.tensors.size(), "tensor");
    const Type type = program_.tensors[from].stored.type;
    if (type != Int(32) && type != Int(64))
      fail(fmt::format("the count {} is in a tensor of {}", name, to_string(type)));
    const SizeExpr bound = index_size(j.at("bound"));
    if (bound.type() != Int(32)) fail(fmt::format("the bound of the count {} is no i32", name));
    program_.counts.push_back({name, from, place(j.at("launches")), bound});
  }

  void add_loop(const ordered_json& j) {
    Program::Loop loop;
    loop.begin = loop_place(j.at("begin"));
    loop.end = loop_place(j.at("end"));
    j.at("step").get_to(loop.step);
    if (j.contains("taken")) j.at("taken").get_to(loop.taken);
    if (loop.step.empty() || is_param(loop.step))
      fail(fmt::format("the step \"{}\" of a loop is no name, or a Param already", loop.step));
    if (is_param(loop.taken) || loop.taken == loop.step)
      fail(fmt::format("the count {} of a loop's steps is a Param already", loop.taken));
    loop.steps = index_size(j.at("steps"));
    if (loop.steps.type() != Int(32)) fail("the number of a loop's steps is no i32");
    if (j.contains("condition")) loop.condition = index(j.at("condition"), program_.tensors.size(), "tensor");
    for (const auto& c : j.at("carried")) {
      loop.carried.push_back({index(c.at("now"), program_.tensors.size(), "tensor"),
                              index(c.at("next"), program_.tensors.size(), "tensor")});
    }
    program_.loops.push_back(std::move(loop));
  }

  static Program::Loop::Place loop_place(const ordered_json& j) {
    return {place(j.at("launches")), place(j.at("counts")), place(j.at("host_steps"))};
  }

  bool is_param(const std::string& name) const {
    const auto is_of = [&](const Program::Loop& loop) { return loop.step == name || loop.taken == name; };
    return !name.empty() &&
           (std::ranges::find(program_.params, name, &Program::Param::name) != program_.params.end() ||
            std::ranges::find(program_.counts, name, &Program::Count::param) != program_.counts.end() ||
            std::ranges::any_of(program_.loops, is_of));
  }

  Program::HostStep host_step(const ordered_json& j) const {
    Program::HostStep step;
    j.at("label").get_to(step.label);
    step.definitions = functions_from_json(j.at("definitions"));
    step.reads = operands(j.at("reads"), step, true);
    step.writes = operands(j.at("writes"), step, false);
    for (const ir::FunctionPtr& function : step.definitions) {
      const bool is_read = std::ranges::find(step.reads, function->name, &Program::HostStep::Operand::name) !=
                           step.reads.end();
      if (function->is_input() && !is_read)
        fail(fmt::format("the host step's {} has no tensor", function->name));
    }
    step.launches = place(j.at("launches"));
    step.counts = place(j.at("counts"));
    return step;
  }

  /// Of Inputs, or of Funcs.
  std::vector<Program::HostStep::Operand> operands(const ordered_json& j, const Program::HostStep& step,
                                                   bool are_inputs) const {
    std::vector<Program::HostStep::Operand> list;
    for (const auto& o : j) {
      Program::HostStep::Operand operand{
          o.at("name").get<std::string>(), index(o.at("tensor"), program_.tensors.size(), "tensor"), {}};
      operand.stored.type = program_.tensors[operand.tensor].stored.type;
      operand.stored.extents = extents(o.at("extents"));
      operand.stored.layout =
          Layout::parse(o.at("layout").get<std::string>(), dim_names(operand.stored.extents.size()));
      const auto function = std::ranges::find_if(
          step.definitions, [&](const ir::FunctionPtr& f) { return f->name == operand.name; });
      if (function == step.definitions.end() || (*function)->is_input() != are_inputs ||
          (*function)->type() != operand.stored.type ||
          (*function)->rank() != static_cast<int>(operand.stored.extents.size()))
        fail(fmt::format("the host step's {} is not what its tensor is", operand.name));
      list.push_back(std::move(operand));
    }
    return list;
  }

  Program::Launch launch(const ordered_json& j) const {
    Program::Launch l;
    l.kernel = index(j.at("kernel"), program_.kernels.size(), "kernel");
    for (const auto& t : j.at("tensors")) l.tensors.push_back(integer_of<int>(t));
    const auto& arguments = program_.kernels[l.kernel].arguments;
    if (l.tensors.size() != arguments.size()) {
      fail(fmt::format("a launch of {} has {} arguments; it takes {}", program_.kernels[l.kernel].entry,
                       l.tensors.size(), arguments.size()));
    }
    for (std::size_t a = 0; a < arguments.size(); ++a) check_argument(arguments[a], l.tensors[a]);
    const auto& groups = j.at("groups");
    if (groups.size() != 3) fail("a launch has not three numbers of groups");
    for (std::size_t d = 0; d < 3; ++d) l.groups[d] = size(groups[d]);
    if (l.groups != program_.kernels[l.kernel].launch.groups)
      fail(fmt::format("a launch of {} has other groups than the kernel", program_.kernels[l.kernel].entry));
    j.at("label").get_to(l.label);
    l.flops = amount(j.at("flops"), "a number of operations");
    return l;
  }

  void check_argument(const KernelArgument& argument, int tensor) const {
    if (argument.kind == KernelArgument::Kind::Scalar) {
      if (tensor != -1 || !is_param(argument.name))
        fail(fmt::format("the scalar {} is no Param", argument.name));
      return;
    }
    const Program::Tensor& t = program_.tensors[index(tensor, program_.tensors.size(), "tensor")];
    const bool is_image = argument.kind == KernelArgument::Kind::Image;
    if (is_image != t.image.has_value() || argument.type != t.stored.type)
      fail(fmt::format("the argument {} is not what \"{}\" is stored as", argument.name, t.name));
    if (t.slot >= 0 && argument.alignment > 0 && t.offset % argument.alignment != 0) {
      fail(fmt::format("the argument {} begins at a multiple of {} bytes, and \"{}\" is at {} in its slot",
                       argument.name, argument.alignment, t.name, t.offset));
    }
  }

  Program::State state(const ordered_json& j) const {
    return {index(j.at("input"), program_.inputs.size(), "input"),
            index(j.at("output"), program_.outputs.size(), "output"),
            j.contains("axis") ? static_cast<int>(amount(j.at("axis"), "an axis")) : -1};
  }

  std::vector<Program::Value> values(const ordered_json& j) const {
    std::vector<Program::Value> list;
    for (const auto& v : j) {
      list.push_back({v.at("name").get<std::string>(), type_of(v.at("type")), extents(v.at("shape")),
                      index(v.at("tensor"), program_.tensors.size(), "tensor")});
      const auto is_same = [&](const Program::Value& other) { return other.name == list.back().name; };
      if (std::ranges::count_if(list, is_same) > 1)
        fail(fmt::format("\"{}\" is listed twice", list.back().name));
    }
    return list;
  }

  Program program_;
};

/// What goes wrong is a ParseError of the program.
template <typename Read>
Program reading(Read read) {
  try {
    return read();
  } catch (const nlohmann::json::exception& e) {
    throw ParseError(fmt::format("program: {}", json_problem(e.what())));
  } catch (const Error& e) {
    const std::string what = e.what();
    throw ParseError(what.starts_with("program: ") ? what : "program: " + what);
  }
}

}  // namespace

Program program_from_json(const std::string& json) {
  return reading([&] { return ProgramReader().read(parse_json(json)); });
}

Program program_of(const ordered_json& json) {
  return reading([&] { return ProgramReader().read(json); });
}

}  // namespace tensordsl
