// Vectors in buffers and arrays: as one object in memory where their alignment is known, by vloadN and
// vstoreN elsewhere.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "backends/opencl/emit/copied_registers.h"
#include "backends/opencl/emit/opencl_printer.h"
#include "backends/opencl/emit/opencl_types.h"
#include "ir/simplify/simplify.h"
#include "ir/text/print.h"
#include "tensordsl/error.h"

namespace tensordsl::opencl {

using namespace ir;
using codegen::Precedence;

const Expr& OpenCLPrinter::first_index(const Expr& index) {
  if (index->kind != ExprKind::Ramp || !is_const((*index)[1], 1)) {
    throw InternalError(fmt::format("OpenCL: vector access at {} is not consecutive", ir::print(index)));
  }
  return (*index)[0];
}

int OpenCLPrinter::lanes_at_once(Type stored, int lanes, std::int64_t alignment) {
  constexpr int kFewestBytes = 16;  // of a part: GPUs load as much at once
  if (lanes == 3) return 1;         // a float3 is as large as a float4
  if (alignment >= lanes) return lanes;
  return alignment * stored.bytes() >= kFewestBytes ? static_cast<int>(alignment) : 1;
}

std::string OpenCLPrinter::whole_vector(const std::string& buffer, Type stored, int lanes,
                                        const Expr& index) {
  int& alignment = alignments_[buffer];
  alignment = std::max(alignment, lanes * stored.bytes());
  const std::string& space = spaces_.at(buffer);
  // Local and private memory have short addresses.
  const std::int64_t vectors =
      space.starts_with("__global") ? index_bounds_.vectors_after_base(index, lanes) : 0;
  const std::string at = pointer(buffer, vectors > 0 ? (*index)[0] : index);
  const bool is_sum = at.find(' ') != std::string::npos;
  const std::string whole = fmt::format("({} {}{}*){}", space, memory_type(stored, half_arithmetic_), lanes,
                                        is_sum ? "(" + at + ")" : at);
  return vectors > 0 ? fmt::format("({})[{}]", whole, vectors) : "*" + whole;
}

std::string OpenCLPrinter::load_vector(const ExprNode& load, Type stored) {
  const int lanes = load.type.lanes;
  const Expr first = first_index(load[0]);
  const int at_once = lanes_at_once(stored, lanes, load.value);
  if (at_once == 1) return fmt::format("vload{}(0, {})", lanes, pointer(load.name, first));
  if (at_once == lanes) return whole_vector(load.name, stored, lanes, first);
  std::vector<std::string> parts;
  for (int lane = 0; lane < lanes; lane += at_once)
    parts.push_back(whole_vector(load.name, stored, at_once, ir::simplify(first + lane)));
  return fmt::format("({}{})({})", memory_type(stored, half_arithmetic_), lanes, fmt::join(parts, ", "));
}

std::string OpenCLPrinter::store_vector(const StmtNode& store, Type stored) {
  const Expr& value = store.value();
  const int lanes = value.type().lanes;
  const Expr first = first_index(store.index());
  const int at_once = lanes_at_once(stored, lanes, store.alignment);
  const bool has_name =
      value->kind == ExprKind::Var || (value->kind == ExprKind::Load && is_register(value->name));
  std::string text = expr(value);
  if (stored.is_bool()) text = fmt::format("convert_uchar{}({} & 1)", lanes, expr(value, Precedence::Unary));
  if (at_once == lanes) return fmt::format("{} = {};", whole_vector(store.name, stored, lanes, first), text);
  if (at_once == 1 || !has_name || stored.is_bool())
    return fmt::format("vstore{}({}, 0, {});", lanes, text, pointer(store.name, first));
  std::vector<std::string> parts;
  for (int lane = 0; lane < lanes; lane += at_once) {
    const Expr part = make_slice(value, lane, at_once);
    parts.push_back(fmt::format(
        "{} = {};", whole_vector(store.name, stored, at_once, ir::simplify(first + lane)), expr(part)));
  }
  return fmt::format("{}", fmt::join(parts, " "));
}

bool OpenCLPrinter::is_half_in_memory(const std::string& name) const {
  const auto type = memory_types_.find(name);
  return type != memory_types_.end() && is_converted_half(type->second);
}

bool OpenCLPrinter::is_copied(const StmtNode& store, Type stored) const {
  if (is_register(store.name)) return copied_.contains(store.name);
  const Expr value = without_border(store.value());
  if (!is_converted_half(stored) || value.type().lanes == 1 || value->kind != ExprKind::Load) return false;
  return copied_.contains(value->name) || (is_half_in_memory(value->name) && !images_.contains(value->name));
}

std::string OpenCLPrinter::copy_halves(const StmtNode& store) {
  const Type stored = Float(16);
  const Expr& value = store.value();
  const Expr load = without_border(value);
  const int lanes = value.type().lanes;
  std::string text = copied_.contains(load->name) ? names_.buffer(load->name) : load_vector(*load, stored);
  if (load.get() != value.get()) {
    text = fmt::format("{} ? {} : ({}{})(0)", expr((*value)[0], Precedence::Or), text,
                       memory_type(stored, half_arithmetic_), lanes);
  }
  if (copied_.contains(store.name)) return fmt::format("{} = {};", names_.buffer(store.name), text);
  const Expr first = first_index(store.index());
  if (lanes_at_once(stored, lanes, store.alignment) == lanes)
    return fmt::format("{} = {};", whole_vector(store.name, stored, lanes, first), text);
  return fmt::format("vstore{}({}, 0, {});", lanes, text, pointer(store.name, first));
}

int OpenCLPrinter::alignment_of(const std::string& buffer) const {
  const auto it = alignments_.find(buffer);
  return it == alignments_.end() ? 1 : it->second;
}

int OpenCLPrinter::accessed_alignment(const Stmt& stmt, const std::string& array, Type element) {
  int alignment = 1;
  const auto widen = [&](Type value, std::int64_t elements) {
    const int at_once = lanes_at_once(element, value.lanes, elements);
    if (at_once > 1) alignment = std::max(alignment, at_once * element.bytes());
  };
  const NameFilter name(array);
  visit(
      stmt,
      [&](const Stmt& s) {
        if (s->kind == StmtKind::Store && s->name == array) widen(s->value().type(), s->alignment);
        return s->names.may_share(name);
      },
      [&](const Expr& expr) {
        visit(expr, [&](const Expr& e) {
          if (e->kind == ExprKind::Load && e->name == array) widen(e.type(), e->value);
          return e->names.may_share(name);
        });
      });
  return alignment;
}

}  // namespace tensordsl::opencl
