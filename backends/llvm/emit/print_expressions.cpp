// Operators, vectors and intrinsics.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "backends/llvm/emit/llvm_functions.h"
#include "backends/llvm/emit/llvm_printer.h"
#include "backends/llvm/emit/llvm_types.h"
#include "backends/llvm/emit/math_function.h"
#include "ir/nodes/dot_product.h"
#include "ir/nodes/integer_operations.h"
#include "ir/nodes/lazy_operands.h"
#include "ir/nodes/reinterpret.h"
#include "tensordsl/error.h"

namespace tensordsl::llvm_ir {

using namespace ir;

namespace {

/// True if the operation must be evaluated only on demand: it reads memory, takes long, or divides integers,
/// which crashes for a divisor of 0.
bool must_be_asked_for(const Expr& expr) {
  bool found = false;
  visit(expr, [&](const Expr& e) {
    const bool divides = (e->kind == ExprKind::Div || e->kind == ExprKind::Mod) && e.type().is_integer();
    found = found || divides || e->kind == ExprKind::Load || e->kind == ExprKind::Intrinsic;
    return !found;
  });
  return found;
}

/// LLVM's intrinsics that have the operands of ours and their type.
constexpr std::pair<std::string_view, std::string_view> kIntrinsics[] = {
    {"abs", "fabs"},       {"ceil", "ceil"},  {"floor", "floor"}, {"fma", "fma"},    {"mad", "fmuladd"},
    {"popcount", "ctpop"}, {"round", "rint"}, {"sqrt", "sqrt"},   {"trunc", "trunc"}};

}  // namespace

LlvmPrinter::Operand LlvmPrinter::value(const Expr& e) {
  if (const auto known = known_.find(e.get()); known != known_.end()) return known->second.operand;
  Operand result = computed(*e);
  known_.emplace(e.get(), Known{e, result});
  return result;
}

LlvmPrinter::Operand LlvmPrinter::computed(const ExprNode& e) {
  switch (e.kind) {
    case ExprKind::IntImm:
    case ExprKind::FloatImm:
      return constant(e, half_arithmetic_);
    case ExprKind::Var:
      return values_.at(e.name);
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
      return arithmetic(e);
    case ExprKind::Div:
    case ExprKind::Mod:
      return division(e);
    case ExprKind::Min:
    case ExprKind::Max:
      return extremum(e);
    case ExprKind::Eq:
    case ExprKind::Ne:
    case ExprKind::Lt:
    case ExprKind::Le:
      return comparison(e);
    case ExprKind::And:
    case ExprKind::Or:
    case ExprKind::Not:
      return logic(e);
    case ExprKind::Select:
      return select(e);
    case ExprKind::Cast:
      return cast(e);
    case ExprKind::Ramp:
      return ramp(e);
    case ExprKind::Broadcast:
      return is_const(e[0]) ? splat_of(e.type, value(e[0])) : broadcast(value(e[0]), e.type);
    case ExprKind::Slice:
      return slice(e);
    case ExprKind::Concat:
      return concat(e);
    case ExprKind::Load:
      return load(e);
    case ExprKind::Intrinsic:
      return intrinsic(e);
    case ExprKind::MinOrNan:
    case ExprKind::MaxOrNan:
    case ExprKind::Call:
      break;
  }
  throw InternalError("LLVM: unexpected Call or NaN-propagating min/max in lowered IR");
}

LlvmPrinter::Operand LlvmPrinter::binary(const ExprNode& e, std::string_view instruction) {
  const Operand left = value(e[0]), right = value(e[1]);
  return emit(fmt::format("{} {} {}, {}", instruction, type_of(e[0].type()), left, right));
}

LlvmPrinter::Operand LlvmPrinter::arithmetic(const ExprNode& e) {
  const auto pick = [&](std::string_view add, std::string_view subtract, std::string_view multiply) {
    return e.kind == ExprKind::Add ? add : e.kind == ExprKind::Sub ? subtract : multiply;
  };
  // Follows OpenCL C: a product and a sum may become one instruction that rounds once.
  if (e.type.is_float()) return binary(e, pick("fadd contract", "fsub contract", "fmul contract"));
  const bool wraps = e.type.is_uint() || e.type.bits < 32;
  return binary(e, wraps ? pick("add", "sub", "mul") : pick("add nsw", "sub nsw", "mul nsw"));
}

LlvmPrinter::Operand LlvmPrinter::division(const ExprNode& e) {
  const bool is_division = e.kind == ExprKind::Div;
  if (e.type.is_float()) return binary(e, "fdiv");
  const bool in_floats = divides_in_floats(e.type) && !is_const(e[1]);
  const std::string name =
      fmt::format("@floor_{}{}.{}", is_division ? "div" : "mod", in_floats ? "_float" : "",
                  (e.type.is_uint() ? "u" : "") + suffix_of(e.type));
  functions_.try_emplace(name, division_function(e.type, is_division, in_floats, name));
  return call(name, e.type, {value(e[0]), value(e[1])});
}

LlvmPrinter::Operand LlvmPrinter::truncating_division(const ExprNode& e, bool is_division) {
  const std::string sign = e.type.is_uint() ? "u" : "s";
  if (!divides_in_floats(e.type) || is_const(e[1])) return binary(e, sign + (is_division ? "div" : "rem"));
  const std::string name =
      fmt::format("@{}{}_float.{}", sign, is_division ? "div" : "rem", suffix_of(e.type));
  functions_.try_emplace(name, truncating_function(e.type, is_division, name));
  return call(name, e.type, {value(e[0]), value(e[1])});
}

LlvmPrinter::Operand LlvmPrinter::extremum(const ExprNode& e) {
  const bool is_minimum = e.kind == ExprKind::Min;
  if (e.type.is_bool()) return binary(e, is_minimum ? "and" : "or");
  // The least or greatest of a number and a NaN is the number.
  const std::string_view name = e.type.is_float()     ? (is_minimum ? "minnum" : "maxnum")
                                : is_unsigned(e.type) ? (is_minimum ? "umin" : "umax")
                                                      : (is_minimum ? "smin" : "smax");
  return call_intrinsic(name, e.type, {value(e[0]), value(e[1])});
}

LlvmPrinter::Operand LlvmPrinter::comparison(const ExprNode& e) {
  const Type type = e[0].type();
  const auto pick = [&](std::string_view equal, std::string_view unequal, std::string_view less,
                        std::string_view less_or_equal) {
    return e.kind == ExprKind::Eq   ? equal
           : e.kind == ExprKind::Ne ? unequal
           : e.kind == ExprKind::Lt ? less
                                    : less_or_equal;
  };
  if (type.is_float()) return binary(e, pick("fcmp oeq", "fcmp une", "fcmp olt", "fcmp ole"));
  if (is_unsigned(type)) return binary(e, pick("icmp eq", "icmp ne", "icmp ult", "icmp ule"));
  return binary(e, pick("icmp eq", "icmp ne", "icmp slt", "icmp sle"));
}

LlvmPrinter::Operand LlvmPrinter::logic(const ExprNode& e) {
  const std::string type = type_of(e.type);
  if (e.kind == ExprKind::Not)
    return emit(fmt::format("xor {} {}, {}", type, value(e[0]), splat_of(e.type, "true")));
  const bool is_and = e.kind == ExprKind::And;
  if (e.type.lanes > 1) return binary(e, is_and ? "and" : "or");
  const Operand left = value(e[0]);
  const Expr known = make_bool(!is_and);
  return is_and ? choose(left, e[1], known) : choose(left, known, e[1]);
}

LlvmPrinter::Operand LlvmPrinter::choose(const Operand& condition, const Expr& on_true,
                                         const Expr& on_false) {
  const std::string type = type_of(on_true.type());
  if (!must_be_asked_for(on_true) && !must_be_asked_for(on_false)) {
    const Operand yes = value(on_true), no = value(on_false);
    return emit(fmt::format("select i1 {}, {} {}, {} {}", condition, type, yes, type, no));
  }
  const std::string then = new_label("then"), other = new_label("else"), behind = new_label("behind");
  line(fmt::format("br i1 {}, label %{}, label %{}", condition, then, other));
  // Values computed on one side are not defined on the other, or after them.
  const auto known = known_;
  const auto side = [&](const std::string& label, const Expr& expr) {
    begin_block(label);
    Operand result = value(expr);
    known_ = known;
    std::string end = block_;
    line("br label %" + behind);
    return std::pair(std::move(result), std::move(end));
  };
  const auto [yes, yes_from] = side(then, on_true);
  const auto [no, no_from] = side(other, on_false);
  begin_block(behind);
  return emit(fmt::format("phi {} [ {}, %{} ], [ {}, %{} ]", type, yes, yes_from, no, no_from));
}

LlvmPrinter::Operand LlvmPrinter::select(const ExprNode& e) {
  const Operand condition = value(e[0]);
  if (e[0].type().lanes == 1) return choose(condition, e[1], e[2]);
  const Operand yes = value(e[1]), no = value(e[2]);
  const std::string type = type_of(e.type);
  return emit(
      fmt::format("select {} {}, {} {}, {} {}", type_of(e[0].type()), condition, type, yes, type, no));
}

LlvmPrinter::Operand LlvmPrinter::broadcast(const Operand& scalar, Type type) {
  const std::string vector = type_of(type);
  const Operand first =
      emit(fmt::format("insertelement {} poison, {} {}, i32 0", vector, type_of(type.element()), scalar));
  return emit(fmt::format("shufflevector {0} {1}, {0} poison, <{2} x i32> zeroinitializer", vector, first,
                          type.lanes));
}

LlvmPrinter::Operand LlvmPrinter::ramp(const ExprNode& e) {
  const std::string type = type_of(e.type);
  const bool wraps = e.type.is_uint() || e.type.bits < 32;
  std::string steps = "<";
  for (int i = 0; i < e.type.lanes; ++i) {
    const Expr step = make_const(e.type.element(), i);
    steps += fmt::format("{}{} {}", i == 0 ? "" : ", ", type_of(e.type.element()),
                         constant(*step, half_arithmetic_));
  }
  Operand offset = steps + ">";
  const std::string_view flags = e.type.is_float() || wraps ? "" : " nsw";
  const auto combine = [&](std::string_view name, const Operand& a, const Operand& b) {
    return emit(fmt::format("{}{}{} {} {}, {}", e.type.is_float() ? "f" : "", name, flags, type, a, b));
  };
  if (!is_const(e[1], 1)) offset = combine("mul", broadcast(value(e[1]), e.type), offset);
  return combine("add", broadcast(value(e[0]), e.type), offset);
}

LlvmPrinter::Operand LlvmPrinter::slice(const ExprNode& e) {
  const Operand vector = value(e[0]);
  const std::string from = type_of(e[0].type());
  if (e.type.lanes == 1) return emit(fmt::format("extractelement {} {}, i32 {}", from, vector, e.value));
  std::string lanes;
  for (int i = 0; i < e.type.lanes; ++i) lanes += fmt::format("{}i32 {}", i == 0 ? "" : ", ", e.value + i);
  return emit(
      fmt::format("shufflevector {0} {1}, {0} poison, <{2} x i32> <{3}>", from, vector, e.type.lanes, lanes));
}

LlvmPrinter::Operand LlvmPrinter::concat(const ExprNode& e) {
  const std::string type = type_of(e.type);
  const int lanes = e.type.lanes;
  const auto mask = [&](const auto& lane_at) {
    std::string text;
    for (int i = 0; i < lanes; ++i) {
      const int lane = lane_at(i);
      text += (i == 0 ? "" : ", ") + (lane < 0 ? std::string("i32 poison") : fmt::format("i32 {}", lane));
    }
    return fmt::format("<{} x i32> <{}>", lanes, text);
  };
  Operand result = "poison";
  int first = 0;
  for (const Expr& part : e.operands) {
    const int count = part.type().lanes;
    const Operand operand = value(part);
    if (count == 1) {
      result = emit(fmt::format("insertelement {} {}, {} {}, i32 {}", type, result, type_of(part.type()),
                                operand, first));
    } else {
      const Operand widened = emit(fmt::format("shufflevector {0} {1}, {0} poison, {2}", type_of(part.type()),
                                               operand, mask([&](int i) { return i < count ? i : -1; })));
      result =
          emit(fmt::format("shufflevector {0} {1}, {0} {2}, {3}", type, result, widened, mask([&](int i) {
                             return i < first ? i : i < first + count ? lanes + i - first : -1;
                           })));
    }
    first += count;
  }
  return result;
}

LlvmPrinter::Operand LlvmPrinter::call(const std::string& function, Type type,
                                       const std::vector<Operand>& operands, std::string_view last) {
  std::string text = fmt::format("call {} {}(", type_of(type), function);
  for (std::size_t i = 0; i < operands.size(); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", type_of(type), operands[i]);
  if (!last.empty()) text += fmt::format(", {}", last);
  return emit(text + ")");
}

LlvmPrinter::Operand LlvmPrinter::call_intrinsic(std::string_view name, Type type,
                                                 const std::vector<Operand>& operands,
                                                 std::string_view last) {
  const std::string function = fmt::format("@llvm.{}.{}", name, suffix_of(type));
  std::string declaration = fmt::format("declare {} {}(", type_of(type), function);
  for (std::size_t i = 0; i < operands.size(); ++i)
    declaration += fmt::format("{}{}", i == 0 ? "" : ", ", type_of(type));
  declarations_.insert(declaration + (last.empty() ? ")" : ", i1)"));
  return call(function, type, operands, last);
}

LlvmPrinter::Operand LlvmPrinter::intrinsic(const ExprNode& e) {
  if (is_dot_product(e)) return dot_product(e);
  if (is_reinterpret(e)) return reinterpretation(e);
  if (is_math_function(e.name)) return math(e);
  if (const IntegerOperation* operation = find_integer_operation(e.name)) {
    const bool natural = is_unsigned(e.type);
    const auto shifted = [&](std::string_view instruction) {
      const std::string type = type_of(e.type);
      Operand distance = value(e[1]);
      // Further than the type has bits LLVM leaves open.
      distance = emit(
          fmt::format("and {} {}, {}", type, distance, splat_of(e.type, fmt::format("{}", e.type.bits - 1))));
      return emit(fmt::format("{} {} {}, {}", instruction, type, value(e[0]), distance));
    };
    switch (operation->kind) {
      case IntegerOperationKind::TruncatingDiv:
        return truncating_division(e, true);
      case IntegerOperationKind::TruncatingMod:
        return truncating_division(e, false);
      case IntegerOperationKind::ShiftLeft:
        return shifted("shl");
      case IntegerOperationKind::ShiftRight:
        return shifted(natural ? "lshr" : "ashr");
      case IntegerOperationKind::BitwiseAnd:
        return binary(e, "and");
      case IntegerOperationKind::BitwiseOr:
        return binary(e, "or");
      case IntegerOperationKind::BitwiseXor:
        return binary(e, "xor");
    }
  }
  if (e.name == "fmod") return binary(e, "frem");
  if (e.name == "rsqrt") {
    const Operand root = call_intrinsic("sqrt", e.type, {value(e[0])});
    const Expr one = make_const(e.type.element(), 1);
    return emit(fmt::format("fdiv {} {}, {}", type_of(e.type),
                            splat_of(e.type, constant(*one, half_arithmetic_)), root));
  }
  if (e.name == "count_leading_zeros") return call_intrinsic("ctlz", e.type, {value(e[0])}, "i1 false");
  for (const auto& [ours, theirs] : kIntrinsics) {
    if (e.name != ours) continue;
    std::vector<Operand> operands;
    for (const Expr& operand : e.operands) operands.push_back(value(operand));
    return call_intrinsic(theirs, e.type, operands);
  }
  throw InternalError("LLVM: no instruction for the intrinsic " + e.name);
}

LlvmPrinter::Operand LlvmPrinter::dot_product(const ExprNode& e) {
  const Type wide = Int(32, kDotProductLanes);
  const auto widened = [&](const Expr& factor) {
    return emit(fmt::format("{} {} {} to {}", factor.type().is_uint() ? "zext" : "sext",
                            type_of(factor.type()), value(factor), type_of(wide)));
  };
  const Operand a = widened(e[0]), b = widened(e[1]);
  const Operand products = emit(fmt::format("mul {} {}, {}", type_of(wide), a, b));
  declarations_.insert("declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)");
  const Operand sum =
      emit(fmt::format("call i32 @llvm.vector.reduce.add.v4i32({} {})", type_of(wide), products));
  return emit(fmt::format("add i32 {}, {}", sum, value(e[2])));
}

LlvmPrinter::Operand LlvmPrinter::math(const ExprNode& e) {
  const bool widens = is_half(e.type) && half_arithmetic_;
  const Type type = is_half(e.type) ? Float(32, e.type.lanes) : e.type;
  std::vector<Operand> operands;
  for (const Expr& operand : e.operands)
    operands.push_back(value(widens ? make_cast(type, operand) : operand));
  const std::string function = "@" + symbol_of({e.name, type});
  std::string declaration = fmt::format("declare {} {}(", type_of(type), function);
  for (std::size_t i = 0; i < operands.size(); ++i)
    declaration += fmt::format("{}{}", i == 0 ? "" : ", ", type_of(type));
  declarations_.insert(declaration + ")");
  const Operand result = call(function, type, operands);
  return widens ? emit(fmt::format("fptrunc {} {} to {}", type_of(type), result, type_of(e.type))) : result;
}

}  // namespace tensordsl::llvm_ir
