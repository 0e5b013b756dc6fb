#include <fmt/format.h>

#include <limits>

#include "ir/nodes/expr_node.h"
#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {
namespace {

/// The key of an f32 or f64: without the sign, the bits of floats are in the order of the floats, NaNs last.
Expr key_of_number(const Expr& number) {
  const bool is_double = number.type() == Float(64);
  const Type key = Int(number.type().bits);
  const Expr largest = ir::make_int(
      key, is_double ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int32_t>::max());
  const Expr infinite = ir::make_int(key, is_double ? std::int64_t{0x7ff} << 52 : std::int64_t{0xff} << 23);
  const Expr bits = reinterpret(key, number), magnitude = bits & largest;
  return select(magnitude > infinite, largest, select(bits < 0, -magnitude, magnitude));
}

/// An integer, the larger the larger `value` is; of a NaN the largest there is.
Expr key_of(const Expr& value) {
  const Type type = value.type();
  if (type.is_float()) return key_of_number(accumulated(value));
  const Type key = Int(type.bits == 64 ? 64 : 32);
  if (!type.is_uint()) return cast(key, value);
  if (type.bits < 32) return cast(key, value) - (1 << (type.bits - 1));
  return cast(key, value) ^ ir::make_int(key, key.bits == 64 ? std::numeric_limits<std::int64_t>::min()
                                                             : std::numeric_limits<std::int32_t>::min());
}

// Two counts are in one i32: the equal elements of a piece, which is shorter than this, are in the low bits.
constexpr int kEqual = 1 << 15;

Expr one_if(const Expr& condition) { return cast(Int(32), condition); }

}  // namespace

std::vector<Func> sort_keys(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const Expr key = key_of(read(operands, 0, {vars.begin(), vars.end()}));
  const bool is_reversed = operands.attributes.get<std::int64_t>("largest") == 0;
  return {output(operands, vars, is_reversed ? -1 - key : key)};
}

std::vector<Func> key_threshold(const OperatorOperands& operands) {
  const Var row = index_vars(operands.output().shape)[0];
  const bool has_before = operands.has_input(2);
  // The first two bits are distinguished by their values, so that no sum leaves the type.
  const auto raised = [&](int digit) {
    const Expr value = read(operands, 1, {digit});
    return has_before ? read(operands, 2, {row}) + value : value;
  };
  Expr threshold = raised(0);
  for (int digit = 1; digit < 4; ++digit) {
    const RDom r({{0, index(operands.infos[0].shape[1])}}, "r");
    Func count(fmt::format("{}_count_{}", operands.name, digit));
    count(row) += one_if(read(operands, 0, {row, r}) >= raised(digit));
    threshold = select(count(row) >= index(operands.attributes.sizes("k").at(0)), raised(digit), threshold);
  }
  return {output(operands, {row}, threshold)};
}

std::vector<Func> key_counts(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const Size length = operands.infos[0].shape[1];
  const std::int64_t piece = operands.attributes.get<std::int64_t>("piece");
  const RDom r({{0, index(piece)}}, "r");
  const Expr place = scaled(vars[1], piece) + r;
  const Expr key = read(operands, 0, {vars[0], min(place, index(length - 1))}),
             threshold = read(operands, 1, {vars[0]});
  Func count(operands.name + "_count");
  count(vars) += select(place >= index(length) || key < threshold, 0, select(key == threshold, kEqual, 1));
  return {output(operands, vars, count(vars))};
}

std::vector<Func> key_sums(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const Var &row = vars[0], &piece = vars[1];
  std::vector<Func> sums;
  for (std::size_t i = 0; i < 2; ++i) {
    const Expr counts = read(operands, 0, {row, piece});
    Func sum(operands.name + (i == 0 ? "_above" : "_equal"));
    const RDom r({{1, index(operands.output().shape[1] - 1)}}, "r");
    sum(vars) = i == 0 ? counts % kEqual : counts / kEqual;
    sum(row, r) = sum(row, r) + sum(row, Expr(r) - 1);
    sums.push_back(output(operands, i, vars, sum(vars)));
  }
  return sums;
}

std::vector<Func> key_places(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const Var &row = vars[0], &number = vars[1];
  const Size length = operands.infos[0].shape[1], pieces = operands.infos[2].shape[1];
  const std::int64_t piece_length = operands.attributes.get<std::int64_t>("piece");
  const Expr last = index(pieces - 1), above = read(operands, 2, {row, last});
  const Expr is_above = number < above, wanted = select(is_above, number, number - above);
  const auto up_to = [&](const Expr& piece) {
    const Expr at = clamp(piece, 0, last);
    return select(is_above, read(operands, 2, {row, at}), read(operands, 3, {row, at}));
  };

  int steps = 1;
  while ((std::int64_t{1} << steps) <= pieces.value()) ++steps;
  Func piece(operands.name + "_piece");
  const RDom half({{0, steps}}, "half");
  piece(vars) = 0;
  const Expr next = piece(vars) + (Expr(1) << (steps - 1 - half));
  piece(vars) = select(next <= index(pieces) && up_to(next - 1) <= wanted, next, piece(vars));

  // The number of elements still to skip; once it is 0, -1 less the position of the element found.
  Func place(operands.name + "_place");
  const RDom r({{0, index(piece_length)}}, "r");
  place(vars) = wanted - select(piece(vars) > 0, up_to(piece(vars) - 1), 0);
  const Expr here = piece(vars) * index(piece_length) + r;
  const Expr key = read(operands, 0, {row, clamp(here, 0, index(length - 1))}),
             threshold = read(operands, 1, {row});
  const Expr is_one = select(is_above, one_if(key > threshold), one_if(key == threshold)) != 0;
  const Expr left = place(vars);
  place(vars) = select(left < 0 || !is_one, left, select(left == 0, -1 - here, left - 1));
  return {output(operands, vars, clamp(-1 - place(vars), 0, index(length - 1)))};
}

std::vector<Func> key_ranks(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const Var &row = vars[0], &along = vars[1];
  const Size length = operands.output().shape[1], piece = operands.attributes.sizes("piece").at(0);
  const RDom r({{0, index(piece)}}, "r");
  const bool is_whole = piece == length;
  const Expr begin = along / index(piece) * index(piece), place = is_whole ? Expr(r) : begin + r;
  const Expr other = read(operands, 0, {row, is_whole ? place : min(place, index(length - 1))}),
             key = read(operands, 0, {row, along});
  Expr is_before = other > key || (other == key && place < along);
  if (!is_whole) is_before = place < index(length) && is_before;
  Func rank(operands.name + "_rank");
  rank(vars) += one_if(is_before);
  return {output(operands, vars, is_whole ? rank(vars) : begin + rank(vars))};
}

std::vector<Func> merge_places(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const Expr row = vars[0], along = vars[1], length = index(operands.output().shape[1]);
  const auto run = static_cast<int>(operands.attributes.get<std::int64_t>("run"));
  // Two runs begin at `first` and `second`; `number` of their elements are before this position.
  const Expr first = along / (2 * run) * (2 * run), number = along - first;
  const Expr second = min(first + run, length), end = min(first + 2 * run, length);
  const auto key = [&](const Expr& place) { return read(operands, 0, {row, clamp(place, 0, length - 1)}); };
  // True if the next of the first run goes before the next of the second, `taken` being of the first.
  const auto goes_first = [&](const Expr& taken) {
    const Expr of_second = second + number - taken;
    return of_second >= end || key(first + taken) >= key(of_second);
  };
  int steps = 1;
  while ((1 << steps) <= run) ++steps;
  Func taken(operands.name + "_taken");
  const RDom half({{0, steps}}, "half");
  taken(vars) = max(number - (end - second), 0);
  const Expr next = taken(vars) + (Expr(1) << (steps - 1 - half));
  // The last of `next` elements of the first run is before this position if it sorts before the next element
  // of the second.
  taken(vars) =
      select(next <= min(number, second - first) &&
                 (number - next >= end - second || key(first + next - 1) >= key(second + number - next)),
             next, taken(vars));
  const Expr of_first = taken(vars);
  const Expr is_first = first + of_first < second && goes_first(of_first);
  return {output(operands, vars,
                 clamp(select(is_first, first + of_first, second + number - of_first), 0, length - 1))};
}

std::vector<Func> key_changes(const OperatorOperands& operands) {
  const std::vector<Var> vars = index_vars(operands.output().shape);
  const Var &row = vars[0], &along = vars[1];
  const Expr key = read(operands, 0, {row, along}), before = read(operands, 0, {row, max(along - 1, 0)});
  return {output(operands, vars, one_if(key != before))};
}

}  // namespace tensordsl::ops::definitions
