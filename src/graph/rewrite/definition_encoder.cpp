#include "graph/rewrite/definition_encoder.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "ir/nodes/expr_node.h"

namespace tensordsl::graph {

using namespace ir;

namespace {

/// Winograd's transforms of a convolution have some 10,000.
constexpr std::uint64_t kMostNumbers = 1 << 16;

/// Stands for the kind in records, which outlive changes of the enumeration.
char code_of(ExprKind kind) {
  switch (kind) {
    case ExprKind::IntImm:
      return 'i';
    case ExprKind::FloatImm:
      return 'f';
    case ExprKind::Var:
      return 'v';
    case ExprKind::Add:
      return '+';
    case ExprKind::Sub:
      return '-';
    case ExprKind::Mul:
      return '*';
    case ExprKind::Div:
      return '/';
    case ExprKind::Mod:
      return '%';
    case ExprKind::Min:
      return 'm';
    case ExprKind::Max:
      return 'M';
    case ExprKind::MinOrNan:
      return 'n';
    case ExprKind::MaxOrNan:
      return 'N';
    case ExprKind::Eq:
      return '=';
    case ExprKind::Ne:
      return '#';
    case ExprKind::Lt:
      return '<';
    case ExprKind::Le:
      return 'l';
    case ExprKind::And:
      return '&';
    case ExprKind::Or:
      return '|';
    case ExprKind::Not:
      return '!';
    case ExprKind::Select:
      return '?';
    case ExprKind::Cast:
      return 'c';
    case ExprKind::Ramp:
      return 'r';
    case ExprKind::Broadcast:
      return 'b';
    case ExprKind::Slice:
      return 's';
    case ExprKind::Concat:
      return 'C';
    case ExprKind::Load:
      return 'L';
    case ExprKind::Intrinsic:
      return 'I';
    case ExprKind::Call:
      return 'F';
  }
  return '\0';
}

char code_of(TypeCode code) {
  switch (code) {
    case TypeCode::Int:
      return 'i';
    case TypeCode::UInt:
      return 'u';
    case TypeCode::Float:
      return 'f';
    case TypeCode::Bool:
      return 'b';
  }
  return '\0';
}

char code_of(ImageKind kind) {
  switch (kind) {
    case ImageKind::Image1DBuffer:
      return '1';
    case ImageKind::Image2D:
      return '2';
    case ImageKind::Image2DArray:
      return 'a';
  }
  return '\0';
}

/// Returns the bits of a constant; of NaNs only the sign.
std::uint64_t bits_of(double number, Type type) {
  if (std::isnan(number)) number = std::copysign(std::nan(""), std::signbit(number) ? -1.0 : 1.0);
  return type.bits < 64 ? std::bit_cast<std::uint32_t>(static_cast<float>(number))
                        : std::bit_cast<std::uint64_t>(number);
}

}  // namespace

KeyBytes& KeyBytes::add(char code) {
  bytes_ += code;
  return *this;
}

KeyBytes& KeyBytes::add_number(std::uint64_t number) {
  // Seven bits a byte: most numbers are small.
  for (; number >= 0x80; number >>= 7) bytes_ += static_cast<char>(number | 0x80);
  bytes_ += static_cast<char>(number);
  return *this;
}

KeyBytes& KeyBytes::add_text(std::string_view text) {
  add_number(text.size());
  bytes_ += text;
  return *this;
}

KeyBytes& KeyBytes::add_type(Type type) {
  return add(code_of(type.code)).add_number(type.bits).add_number(type.lanes);
}

KeyBytes& KeyBytes::append(const KeyBytes& other) {
  bytes_ += other.bytes_;
  return *this;
}

void DefinitionEncoder::add_definitions(const Function& function) {
  bytes_.add_number(function.definitions.size());
  function_ = &function;
  for (const Definition& definition : function.definitions) add_definition(function, definition);
  function_ = nullptr;
  axes_.clear();
  nodes_.clear();
}

void DefinitionEncoder::add_definition(const Function& function, const Definition& definition) {
  axes_.clear();
  nodes_.clear();
  for (std::size_t d = 0; d < function.dims.size(); ++d)
    axes_.emplace(function.dims[d], KeyBytes().add('d').add_number(d).bytes());
  for (std::size_t a = 0; a < definition.domain.size(); ++a)
    axes_.emplace(definition.domain[a].name, KeyBytes().add('r').add_number(a).bytes());
  add_list(definition.args);
  add_list(definition.values);
  bytes_.add_number(definition.domain.size());
  for (const ReductionAxis& axis : definition.domain) {
    add_expression(axis.min);
    add_expression(axis.extent);
  }
  bytes_.add(definition.predicate.defined() ? 'P' : '-');
  if (definition.predicate.defined()) add_expression(definition.predicate);
}

void DefinitionEncoder::add_stored(const StoredTensor& stored) {
  bytes_.add_type(stored.type);
  add_list(stored.extents);
  add_layout(stored.layout);
  bytes_.add(stored.image ? code_of(*stored.image) : '-');
}

void DefinitionEncoder::add_layout(const Layout& layout) {
  bytes_.add_number(layout.terms().size());
  for (const Layout::Term& term : layout.terms()) {
    const bool is_quotient = term.part == Layout::Term::Part::Quotient;
    const bool is_remainder = term.part == Layout::Term::Part::Remainder;
    bytes_.add_number(static_cast<std::uint64_t>(term.dim)).add_text(term.lead_param);
    add_layout_number_unless(term.lead, 0);
    bytes_.add(is_quotient ? '/' : is_remainder ? '%' : '.');
    if (is_quotient) add_layout_number(term.factor);
    add_layout_number_unless(term.divisor, 1);
    if (is_remainder) add_layout_number(term.factor);
    add_layout_number_unless(term.gap, 0);
    bytes_.add(term.swizzle ? '^' : '.');
    if (!term.swizzle) continue;
    bytes_.add_number(static_cast<std::uint64_t>(term.swizzle->other));
    add_layout_number_unless(term.swizzle->divisor, 1);
    add_layout_number(term.swizzle->modulus);
    add_layout_number_unless(term.swizzle->unit, 1);
  }
  bytes_.add_number(layout.group_ends().size());
  for (const std::size_t end : layout.group_ends()) bytes_.add_number(end);
}

void DefinitionEncoder::add_layout_number(int number) {
  if (numbers_ == Numbers::Kept) {
    bytes_.add_number(static_cast<std::uint64_t>(number));
  } else {
    left_out_.push_back(number);
  }
}

/// Writes the usual number in either case.
void DefinitionEncoder::add_layout_number_unless(int number, int usual) {
  bytes_.add(number == usual ? '.' : ':');
  if (number != usual) add_layout_number(number);
}

void DefinitionEncoder::add_list(const std::vector<Expr>& exprs) {
  bytes_.add_number(exprs.size());
  for (const Expr& expr : exprs) add_expression(expr);
}

void DefinitionEncoder::add_expression(const Expr& expr) {
  const Node node = encoded(expr);
  bytes_.add('.').add_number(node.number);
  has_too_many_ = has_too_many_ || left_out_.size() + node.left_out > kMostNumbers;
  if (!has_too_many_) collect_left_out(expr);
}

DefinitionEncoder::Node DefinitionEncoder::encoded(const Expr& expr) {
  if (const auto known = nodes_.find(expr.get()); known != nodes_.end()) return known->second;
  Node node;
  KeyBytes text;
  text.add(code_of(expr->kind)).add_type(expr.type()).add_number(expr->operands.size());
  for (const Expr& operand : expr->operands) {
    const Node of_operand = encoded(operand);
    text.add_number(of_operand.number);
    node.left_out = std::min(kMostNumbers + 1, node.left_out + of_operand.left_out);
  }
  add_payload(*expr, text);
  if (leaves_out(*expr)) node.left_out = 1;
  const auto [place, is_new] = numbers_of_.try_emplace(text.bytes(), numbers_of_.size());
  if (is_new) bytes_.append(text);
  node.number = place->second;
  nodes_.emplace(expr.get(), node);
  return node;
}

void DefinitionEncoder::add_payload(const ExprNode& e, KeyBytes& text) const {
  switch (e.kind) {
    case ExprKind::IntImm:
      if (leaves_out(e)) {
        text.add(e.value < 0 ? '-' : '+');
      } else {
        text.add('=').add_number(static_cast<std::uint64_t>(e.value));
      }
      return;
    case ExprKind::FloatImm:
      text.add_number(bits_of(e.number, e.type));
      return;
    case ExprKind::Var: {
      const auto axis = axes_.find(e.name);
      text.add_text(axis == axes_.end() ? "p" + e.name : axis->second);
      return;
    }
    case ExprKind::Slice:
      text.add_number(static_cast<std::uint64_t>(e.value));
      return;
    case ExprKind::Load:
      text.add_text(e.name).add_number(static_cast<std::uint64_t>(e.value));
      text.add_number(static_cast<std::uint64_t>(e.component - kWhole));
      return;
    case ExprKind::Intrinsic:
      text.add_text(e.name);
      return;
    case ExprKind::Call:
      text.add_number(number_of_(e.function ? *e.function : *function_));
      text.add_number(static_cast<std::uint64_t>(e.component - kWhole));
      return;
    default:
      return;
  }
}

/// True of all integers whose magnitude is an i64.
bool DefinitionEncoder::leaves_out(const ExprNode& e) const {
  if (numbers_ == Numbers::Kept || e.kind != ExprKind::IntImm || e.type.is_bool()) return false;
  return e.type == UInt(64) ? e.value >= 0 : e.value != INT64_MIN;
}

/// Collects the left-out numbers of a tree from left to right.
void DefinitionEncoder::collect_left_out(const Expr& expr) {
  if (nodes_.at(expr.get()).left_out == 0) return;
  if (leaves_out(*expr)) left_out_.push_back(expr->value < 0 ? -expr->value : expr->value);
  for (const Expr& operand : expr->operands) collect_left_out(operand);
}

}  // namespace tensordsl::graph
