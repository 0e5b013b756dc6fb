#include "backends/opencl/emit/opencl_printer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <utility>

#include "backends/opencl/emit/copied_registers.h"
#include "backends/opencl/emit/division_functions.h"
#include "backends/opencl/emit/opencl_types.h"
#include "backends/opencl/emit/product_function.h"
#include "ir/nodes/dot_product.h"
#include "ir/nodes/reinterpret.h"
#include "ir/text/print.h"
#include "tensordsl/error.h"

namespace tensordsl::opencl {

using namespace ir;
using codegen::CPrinter;
using codegen::Precedence;

namespace {

bool is_half(Type type) { return type.is_float() && type.bits == 16; }
bool is_unsigned(Type type) { return type.is_uint() || type.is_bool(); }
/// Lies in images as fewer bits than texels have in kernels.
bool is_narrow(Type type) { return type.is_integer() && type.bits < 32; }

constexpr const char* kSampler = "image.sampler";

}  // namespace

OpenCLPrinter::OpenCLPrinter(codegen::CNames& names, const lower::LoweredKernel& kernel, bool has_dp4a)
    : CPrinter(names),
      autobroadcast_(kernel.autobroadcast),
      half_arithmetic_(kernel.half_arithmetic),
      assigned_(assigned_registers(kernel.body)),
      streams_(streamed_reads(kernel)),
      dots_(has_dp4a) {
  for (const lower::BufferArgument& b : kernel.buffers) {
    memory_types_[b.name] = b.type;
    spaces_[b.name] = address_space(b);
    if (b.image) images_[b.name] = *b.image;
    has_double_ = has_double_ || b.type == Float(64);
  }
  if (kernel.body.defined()) find_pairs(kernel.body);
  if (kernel.body.defined() && !half_arithmetic_) {
    std::set<std::string> halves;
    for (const auto& [name, type] : memory_types_) {
      if (type == Float(16) && !images_.contains(name)) halves.insert(name);
    }
    if (!halves.empty()) copied_ = copied_registers(kernel.body, halves);
  }
  for (const lower::ScalarArgument& s : kernel.scalars) has_double_ = has_double_ || s.type == Float(64);
}

std::string OpenCLPrinter::type_name(Type type) const {
  if (!is_kept_half(type)) return value_type(type);
  return type.lanes == 1 ? "half" : fmt::format("half{}", type.lanes);
}

bool OpenCLPrinter::is_kept_half(Type value) const { return is_half(value) && half_arithmetic_; }
bool OpenCLPrinter::is_converted_half(Type stored) const { return is_half(stored) && !half_arithmetic_; }

/// The integer vector that select() wants as the mask for values of this type.
std::string OpenCLPrinter::mask_type(Type type) const {
  const char* name = type.bits == 8 && !type.is_bool()                           ? "char"
                     : type.bits == 64                                           ? "long"
                     : is_kept_half(type) || (type.bits == 16 && !is_half(type)) ? "short"
                                                                                 : "int";
  return fmt::format("{}{}", name, type.lanes);
}

Type OpenCLPrinter::memory_type_of(const std::string& name, Type value) const {
  const auto it = memory_types_.find(name);
  return it == memory_types_.end() ? value.element() : it->second;
}

std::string OpenCLPrinter::pointer(const std::string& buffer, const Expr& index) {
  const std::string& name = names_.buffer(buffer);
  return is_const(index, 0) ? name : fmt::format("{} + {}", name, expr(index, Precedence::Multiplicative));
}

std::string OpenCLPrinter::coordinate(const std::vector<Expr>& texel) {
  std::vector<std::string> parts;
  for (std::size_t i = texel.size(); i-- > 0;) parts.push_back(expr(texel[i], Precedence::Conditional));
  if (parts.size() == 1) return parts[0];
  if (parts.size() == 3) parts.emplace_back("0");
  return fmt::format("(int{})({})", parts.size(), fmt::join(parts, ", "));
}

CPrinter::Printed OpenCLPrinter::read_texel(const ExprNode& load, const lower::ImageShape& image) {
  const Type stored = memory_type_of(load.name, load.type);
  const std::string_view function = is_kept_half(load.type) ? "read_imageh"
                                    : stored.is_float()     ? "read_imagef"
                                    : is_unsigned(stored)   ? "read_imageui"
                                                            : "read_imagei";
  std::string sampler;
  if (image.kind != ImageKind::Image1DBuffer && load.value != kInside) {
    has_sampler_ = true;
    sampler = names_.global(kSampler) + ", ";
  }
  std::string texel =
      fmt::format("{}({}, {}{})", function, names_.buffer(load.name), sampler, coordinate(load.operands));
  if (load.type.lanes == 1) {
    texel += ".x";
    if (stored.is_bool()) return {texel + " != 0", Precedence::Equality};
    if (is_narrow(stored)) return {fmt::format("({}){}", type_name(load.type), texel), Precedence::Unary};
    return {std::move(texel), Precedence::Primary};
  }
  if (stored.is_bool()) return {texel + " != (uint4)(0)", Precedence::Equality};
  if (is_narrow(stored))
    return {fmt::format("convert_{}({})", type_name(load.type), texel), Precedence::Primary};
  return {std::move(texel), Precedence::Primary};
}

std::string OpenCLPrinter::write_texel(const StmtNode& store) {
  const Expr& value = store.value();
  const Type stored = memory_type_of(store.name, value.type());
  const auto pick = [&](std::string_view half, std::string_view real, std::string_view natural,
                        std::string_view integer) {
    return is_kept_half(value.type()) ? half
           : stored.is_float()        ? real
           : is_unsigned(stored)      ? natural
                                      : integer;
  };
  const std::string_view function = pick("write_imageh", "write_imagef", "write_imageui", "write_imagei");
  const std::string_view texel_type = pick("half4", "float4", "uint4", "int4");
  std::string texel;
  if (value.type().lanes == 1) {
    texel = fmt::format("({})({}, 0, 0, 0)", texel_type, expr(value, Precedence::Conditional));
  } else if (stored.is_bool()) {
    texel = fmt::format("convert_uint4({} & 1)", expr(value, Precedence::Unary));
  } else if (is_narrow(stored)) {
    texel = fmt::format("convert_{}({})", texel_type, expr(value));
  } else {
    texel = expr(value, Precedence::Conditional);
  }
  return fmt::format("{}({}, {}, {});", function, names_.buffer(store.name), coordinate(store.indices()),
                     texel);
}

CPrinter::Printed OpenCLPrinter::print_arithmetic(const ExprNode& e) {
  const bool is_scalar[2] = {e[0]->kind == ExprKind::Broadcast, e[1]->kind == ExprKind::Broadcast};
  if (!autobroadcast_ || !e.type.is_float() || is_scalar[0] == is_scalar[1])
    return CPrinter::print_arithmetic(e);
  ExprNode mixed = e;
  const std::size_t scalar = is_scalar[0] ? 0 : 1;
  mixed.operands[scalar] = (*e[scalar])[0];
  return CPrinter::print_arithmetic(mixed);
}

CPrinter::Printed OpenCLPrinter::print_load(const ExprNode& load) {
  if (const auto image = images_.find(load.name); image != images_.end())
    return read_texel(load, image->second);
  if (is_register(load.name)) return {names_.buffer(load.name), Precedence::Primary};
  const Type stored = memory_type_of(load.name, load.type);
  const int lanes = load.type.lanes;
  if (lanes == 1) {
    if (is_converted_half(stored))
      return {halves_.load_element(names_.buffer(load.name), expr(load[0])), Precedence::Primary};
    std::string element = fmt::format("{}[{}]", names_.buffer(load.name), expr(load[0]));
    if (stored.is_bool()) return {element + " != 0", Precedence::Equality};
    return {std::move(element), Precedence::Primary};
  }
  const std::string vector = load_vector(load, stored);
  if (is_converted_half(stored)) return {halves_.load(lanes, vector), Precedence::Primary};
  if (stored.is_bool())
    return {fmt::format("convert_int{}({} != (uchar)0)", lanes, vector), Precedence::Primary};
  return {vector, vector.starts_with('*') ? Precedence::Unary : Precedence::Primary};
}

std::string OpenCLPrinter::print_store(const StmtNode& store) {
  if (images_.contains(store.name)) return write_texel(store);
  const Expr& value = store.value();
  const Expr& index = store.index();
  const Type stored = memory_type_of(store.name, value.type());
  if (is_copied(store, stored)) return copy_halves(store);
  if (is_register(store.name)) return fmt::format("{} = {};", names_.buffer(store.name), expr(value));
  const int lanes = value.type().lanes;
  if (lanes == 1) {
    if (is_converted_half(stored))
      return halves_.store_element(expr(unrounded(value)), names_.buffer(store.name), expr(index));
    return fmt::format("{}[{}] = {};", names_.buffer(store.name), expr(index), expr(value));
  }
  if (is_converted_half(stored)) {
    const std::string floats = expr(unrounded(value), Precedence::Conditional);
    const Expr first = first_index(index);
    // A wider access needs a known alignment; PoCL 3.1 has no instruction for a vstore_half of more than
    // four.
    constexpr int kAtOnce = 4;
    if (lanes > kAtOnce && lanes_at_once(stored, lanes, store.alignment) == lanes)
      return fmt::format("{} = {};", whole_vector(store.name, stored, lanes, first),
                         halves_.to_half(floats, lanes));
    const std::string to = pointer(store.name, first);
    return halves_.store(floats, to, lanes, local_.contains(names_.buffer(store.name)));
  }
  return store_vector(store, stored);
}

std::string OpenCLPrinter::declare(const StmtNode& allocation) {
  const std::string& name = names_.buffer(allocation.name);
  if (allocation.memory == Memory::Register) {
    registers_.insert(allocation.name);
    // Never read without a value; but PoCL 3.1 loses one that is first assigned under a test in a loop.
    if (copied_.contains(allocation.name))
      return fmt::format("ushort{0} {1} = (ushort{0})(0);", allocation.type.lanes, name);
    const std::string value = assigned_.contains(&allocation) ? "" : " = " + expr(make_zero(allocation.type));
    return fmt::format("{} {}{};", type_name(allocation.type), name, value);
  }
  // Memory of a single work-item may stay f32.
  const bool stays_float = allocation.memory == Memory::Private && is_converted_half(allocation.type);
  const Type element = stays_float ? Float(32) : allocation.type.element();
  memory_types_[allocation.name] = element;
  spaces_[allocation.name] = allocation.memory == Memory::Local ? "__local" : "__private";
  const int alignment = accessed_alignment(allocation.body[0], allocation.name, element);
  const auto array = [&](const std::string& extent, int aligned) {
    return fmt::format("{} {}[{}]{};", memory_type(element, half_arithmetic_), name, extent,
                       aligned > 1 ? fmt::format(" __attribute__((aligned({})))", aligned) : "");
  };
  if (allocation.memory != Memory::Local) return array(expr(allocation.extents()[0]), alignment);
  // Copies of a loop, at its borders and between them, share their tiles.
  LocalTile& tile = local_[name];
  const std::int64_t* elements = ir::as_int(allocation.extents()[0]);
  tile.elements = std::max(tile.elements, elements ? *elements : 0);
  tile.alignment = std::max(tile.alignment, alignment);
  tile.declaration = "__local " + array(fmt::format("{}", tile.elements), tile.alignment);
  return "";
}

std::string OpenCLPrinter::local_declarations() const {
  std::string text;
  for (const auto& [name, tile] : local_) text += "  " + tile.declaration + "\n";
  return text;
}

std::vector<std::string> OpenCLPrinter::first_lines(const StmtNode& loop) {
  index_bounds_.note_loop(loop);
  std::vector<std::string> lines;
  const auto streams = streams_.find(&loop);
  if (streams == streams_.end()) return lines;
  for (const StreamedLine& line : streams->second)
    lines.push_back(
        fmt::format("{}({}, {});", kReadAhead, pointer(line.buffer, line.index), line.is_soon ? 3 : 2));
  return lines;
}

std::string OpenCLPrinter::print_barrier(const StmtNode& barrier) {
  return barrier.memory == Memory::Global ? "barrier(CLK_GLOBAL_MEM_FENCE);"
                                          : "barrier(CLK_LOCAL_MEM_FENCE);";
}

CPrinter::Printed OpenCLPrinter::print_intrinsic(const ExprNode& call) {
  if (call.name == "sub_group_multiply") return print_product(call);
  if (is_reinterpret(call)) return print_reinterpret(call);
  if (is_dot_product(call)) {
    const std::string function = dots_.name_of(call[0].type().element(), call[1].type().element());
    return {fmt::format("{}({}, {}, {})", function, expr(call[0], Precedence::Conditional),
                        expr(call[1], Precedence::Conditional), expr(call[2], Precedence::Conditional)),
            Precedence::Primary};
  }
  static constexpr std::pair<std::string_view, std::string_view> kRenamed[] = {
      {"abs", "fabs"}, {"count_leading_zeros", "clz"}, {"round", "rint"}};
  std::string_view name = call.name;
  for (const auto& [ours, theirs] : kRenamed) {
    if (name == ours) name = theirs;
  }
  std::vector<std::string> operands;
  for (const Expr& e : call.operands) operands.push_back(expr(e, Precedence::Conditional));
  return {fmt::format("{}({})", name, fmt::join(operands, ", ")), Precedence::Primary};
}

CPrinter::Printed OpenCLPrinter::print_cast(const ExprNode& cast) {
  const Type from = cast[0].type();
  const Type to = cast.type;
  has_double_ = has_double_ || from.element() == Float(64) || to.element() == Float(64);
  if (from.is_float() && to.is_float()) return print_float_cast(cast);
  // A value of 8 bits converts to f16 exactly.
  if (is_converted_half(to) && from.bits > 8) {
    const Expr single = make_cast(Float(32, to.lanes), cast[0]);
    return {halves_.round(expr(single, Precedence::Conditional), to.lanes), Precedence::Primary};
  }
  if (to.is_bool()) {
    const std::string zero = to.lanes == 1 ? "0" : fmt::format("({})(0)", type_name(from));
    const std::string test = fmt::format("{} != {}", expr(cast[0], Precedence::Relational), zero);
    if (to.lanes == 1) return {test, Precedence::Equality};
    return {fmt::format("convert_int{}({})", to.lanes, test), Precedence::Primary};
  }
  if (from.is_bool()) {
    if (to.lanes == 1)
      return {fmt::format("({}){}", type_name(to), expr(cast[0], Precedence::Unary)), Precedence::Unary};
    return {fmt::format("convert_{}({} & 1)", type_name(to), expr(cast[0], Precedence::Unary)),
            Precedence::Primary};
  }
  if (from.is_float())
    return {fmt::format("convert_{}_sat_rtz({})", type_name(to), expr(cast[0])), Precedence::Primary};
  if (to.lanes == 1)
    return {fmt::format("({}){}", type_name(to), expr(cast[0], Precedence::Unary)), Precedence::Unary};
  return {fmt::format("convert_{}({})", type_name(to), expr(cast[0])), Precedence::Primary};
}

CPrinter::Printed OpenCLPrinter::print_float_cast(const ExprNode& cast) {
  const Type to = cast.type;
  const Type from = cast[0].type();
  if (is_half(to) && from.bits == 64)
    return print_float_cast(*make_cast(to, make_cast(Float(32, to.lanes), cast[0])));
  if (!half_arithmetic_ && to.bits != 64 && from.bits != 64) {
    const bool rounds = is_half(to) && !is_half(from);
    if (!rounds) return {expr(cast[0], Precedence::Primary), Precedence::Primary};
    return {halves_.round(expr(cast[0], Precedence::Conditional), to.lanes), Precedence::Primary};
  }
  if (to.lanes == 1)
    return {fmt::format("({}){}", type_name(to), expr(cast[0], Precedence::Unary)), Precedence::Unary};
  return {fmt::format("convert_{}({})", type_name(to), expr(cast[0])), Precedence::Primary};
}

CPrinter::Printed OpenCLPrinter::print_division(const ExprNode& e) {
  const bool is_division = e.kind == ExprKind::Div;
  if (e.type.is_float()) return binary(e, "/", Precedence::Multiplicative);
  // C truncates; where that would do, reduce_strength has said so.
  const std::string type = type_name(e.type);
  division_types_.insert(type);
  return {fmt::format("{}_{}({}, {})", is_division ? "floor_div" : "floor_mod", type,
                      expr(e[0], Precedence::Conditional), expr(e[1], Precedence::Conditional)),
          Precedence::Primary};
}

std::vector<std::string> OpenCLPrinter::helpers() {
  std::vector<std::string> functions;
  if (has_sampler_) {
    functions.push_back(fmt::format(
        "__constant sampler_t {} = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n",
        names_.global(kSampler)));
  }
  if (!streams_.empty()) functions.push_back(read_ahead_macro());
  if (multiplies_) functions.push_back(product_function());
  std::ranges::move(dots_.helpers(), std::back_inserter(functions));
  for (const std::string& type : division_types_)
    std::ranges::move(division_functions(type), std::back_inserter(functions));
  for (std::string& function : halves_.helpers()) functions.push_back(std::move(function));
  return functions;
}

CPrinter::Printed OpenCLPrinter::print_vector(const ExprNode& e) {
  const std::string type = type_name(e.type);
  switch (e.kind) {
    case ExprKind::Broadcast: {
      const std::string scalar = expr(e[0]);
      if (e.type.is_bool()) return {fmt::format("({})(-(int)({}))", type, scalar), Precedence::Unary};
      return {fmt::format("({})({})", type, scalar), Precedence::Unary};
    }
    case ExprKind::Ramp: {
      std::vector<int> steps;
      for (int i = 0; i < e.type.lanes; ++i) steps.push_back(i);
      const std::string lanes = fmt::format("({})({})", type, fmt::join(steps, ", "));
      const std::string base = expr(e[0], Precedence::Additive);
      if (is_const(e[1], 1)) return {fmt::format("{} + {}", base, lanes), Precedence::Additive};
      return {fmt::format("{} + {} * {}", base, expr(e[1], Precedence::Multiplicative), lanes),
              Precedence::Additive};
    }
    case ExprKind::Slice: {
      std::string lanes;
      for (int i = 0; i < e.type.lanes; ++i) lanes += "0123456789abcdef"[e.value + i];
      const std::string part = fmt::format("{}.s{}", expr(e[0], Precedence::Primary), lanes);
      if (e.type.is_bool() && e.type.lanes == 1) return {part + " != 0", Precedence::Equality};
      return {part, Precedence::Primary};
    }
    case ExprKind::Concat: {
      std::vector<std::string> parts;
      for (const Expr& part : e.operands) {
        const bool is_flag = part.type().is_bool() && part.type().lanes == 1;
        parts.push_back(is_flag ? fmt::format("-(int)({})", expr(part))
                                : expr(part, Precedence::Conditional));
      }
      return {fmt::format("({})({})", type, fmt::join(parts, ", ")), Precedence::Unary};
    }
    default:
      throw InternalError("OpenCL: not a vector operation");
  }
}

CPrinter::Printed OpenCLPrinter::print_select(const ExprNode& e) {
  if (e[0].type().lanes == 1) {
    const std::string choice = fmt::format("{} ? {} : {}", expr(e[0], Precedence::Or),
                                           expr(e[1], Precedence::Or), expr(e[2], Precedence::Conditional));
    // C makes an int of narrow operands, and min(int, char) has no overload.
    const bool widens = e.type.is_integer() && e.type.bits < 32 && e.type.lanes == 1;
    if (widens) return {fmt::format("({})({})", type_name(e.type), choice), Precedence::Unary};
    return {choice, Precedence::Conditional};
  }
  std::string mask = expr(e[0], Precedence::Conditional);
  const std::string wanted = mask_type(e.type);
  if (wanted != mask_type(Bool(e.type.lanes))) mask = fmt::format("convert_{}({})", wanted, mask);
  return {fmt::format("select({}, {}, {})", expr(e[2], Precedence::Conditional),
                      expr(e[1], Precedence::Conditional), mask),
          Precedence::Primary};
}

CPrinter::Printed OpenCLPrinter::print_logic(const ExprNode& e) {
  const bool is_vector = e.type.lanes > 1;
  switch (e.kind) {
    case ExprKind::And:
      return is_vector ? binary(e, "&", Precedence::BitAnd) : binary(e, "&&", Precedence::And);
    case ExprKind::Or:
      return is_vector ? binary(e, "|", Precedence::BitOr) : binary(e, "||", Precedence::Or);
    case ExprKind::Not:
      return {fmt::format("{}{}", is_vector ? "~" : "!", expr(e[0], Precedence::Unary)), Precedence::Unary};
    default:
      break;
  }
  const bool is_order = e.kind == ExprKind::Lt || e.kind == ExprKind::Le;
  if (is_vector && is_order && e[0].type().is_bool()) {
    // True is -1 in a vector, and so the smaller one.
    ExprNode swapped = e;
    std::swap(swapped.operands[0], swapped.operands[1]);
    return binary(swapped, e.kind == ExprKind::Lt ? "<" : "<=", Precedence::Relational);
  }
  Printed test = e.kind == ExprKind::Eq   ? binary(e, "==", Precedence::Equality)
                 : e.kind == ExprKind::Ne ? binary(e, "!=", Precedence::Equality)
                 : e.kind == ExprKind::Lt ? binary(e, "<", Precedence::Relational)
                                          : binary(e, "<=", Precedence::Relational);
  const Type compared = e[0].type();
  if (!is_vector || mask_type(compared) == mask_type(e.type)) return test;
  return {fmt::format("convert_{}({})", mask_type(e.type), test.text), Precedence::Primary};
}

CPrinter::Printed OpenCLPrinter::print_constant(const ExprNode& e) {
  std::string text = constant(e);
  has_double_ = has_double_ || e.type == Float(64);
  if (is_kept_half(e.type))
    return {fmt::format("(half){}", text[0] == '-' ? "(" + text + ")" : text), Precedence::Unary};
  return {text, text[0] == '-' || text[0] == '(' ? Precedence::Unary : Precedence::Primary};
}

}  // namespace tensordsl::opencl
