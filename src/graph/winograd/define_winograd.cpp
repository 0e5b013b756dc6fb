#include "graph/winograd/define_winograd.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "dsl/make_func.h"
#include "graph/winograd/winograd_transforms.h"
#include "ir/nodes/expr_node.h"
#include "ir/nodes/substitute.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {

using definitions::WinogradTile;

using namespace ir;

namespace {

class WinogradBuilder {
 public:
  /// `scale`: of the weights, if they are integers.
  WinogradBuilder(const Convolution& convolution, const WinogradTile& tile, const Func& weights,
                  const std::optional<Func>& scale)
      : convolution_(convolution),
        tile_(tile),
        transforms_(winograd_transforms(tile.size)),
        weights_(weights),
        scale_(scale),
        dims_(convolution.sum.contents().dims) {
    for (const std::string& dim : dims_) {
      const bool is_other = dim != convolution.output && std::ranges::count(convolution.dim, dim) == 0;
      if (is_other) others_.push_back(dim);
    }
    std::vector<std::string> taken = dims_;
    for (const ReductionAxis& axis : convolution.sum.contents().definitions[1].domain)
      taken.push_back(axis.name);
    for (std::string* name : {&block_[0], &block_[1], &point_[0], &point_[1], &inner_[0], &inner_[1]})
      *name = fresh_name(*name, taken);
  }

  /// Returns the Funcs, each after those it reads; the last one replaces the sum.
  std::vector<Func> build() const {
    const std::string& name = convolution_.sum.name();
    const std::string& channel = convolution_.channel.name;
    const Func patch = pure_func(name + "_patch", with(channel),
                                 combined(transforms_.input, make_var(point_[0]), [&](int row) {
                                   return combined(transforms_.input, make_var(point_[1]), [&](int column) {
                                     return input_at({row, column});
                                   });
                                 }));
    const Expr weight = read_of(weights_, vars_of({point_[0], point_[1], channel, convolution_.output}));
    const Func product =
        accumulated_func(name + "_product", with(convolution_.output), ExprKind::Add,
                         read_of(patch, vars_of(with(channel))) * weight, {convolution_.channel});
    const Expr row = make_var(convolution_.dim[0]), column = make_var(convolution_.dim[1]);
    const int size = tile_.size;
    const Expr value = combined(transforms_.output, row % size, [&](int p) {
      return combined(transforms_.output, column % size, [&](int q) {
        std::vector<Expr> at = vars_of(others_);
        at.insert(at.end(),
                  {row / size / tile_.rows, column / size / tile_.columns, Expr(p), Expr(q),
                   row / size % tile_.rows, column / size % tile_.columns, make_var(convolution_.output)});
        const Expr sum = read_of(product, at);
        if (!scale_) return sum;
        std::vector<Expr> of_scale{Expr(p), Expr(q)};
        if (scale_->rank() > 2) of_scale.push_back(make_var(convolution_.output));
        return sum * read_of(*scale_, of_scale);
      });
    });
    return {patch, product, pure_func(name, dims_, value)};
  }

 private:
  std::vector<std::string> with(const std::string& channel) const {
    std::vector<std::string> dims = others_;
    dims.insert(dims.end(), {block_[0], block_[1], point_[0], point_[1], inner_[0], inner_[1], channel});
    return dims;
  }

  /// Reads an element of a tile. Tiles over the end read the last elements again, for outputs that are not
  /// used.
  Expr input_at(const std::array<int, 2>& element) const {
    const std::array<std::int64_t, 2> extents{convolution_.problem.rows, convolution_.problem.columns};
    const std::array<int, 2> sizes{tile_.rows, tile_.columns};
    Expr input = convolution_.input;
    for (std::size_t i = 0; i < 2; ++i) {
      const Expr tile = make_var(block_[i]) * sizes[i] + make_var(inner_[i]);
      const Expr place = tile * tile_.size + element[i];
      const bool is_full = extents[i] % (tile_.size * sizes[i]) == 0;
      const Expr last(static_cast<int>(extents[i]) + kWinogradTaps - 2);
      input = substitute(input, convolution_.tap[i], Expr(0));
      input = substitute(input, convolution_.dim[i], is_full ? place : min(place, last));
    }
    return input;
  }

  const Convolution& convolution_;
  WinogradTile tile_;
  const WinogradTransforms& transforms_;
  Func weights_;
  std::optional<Func> scale_;
  std::vector<std::string> dims_, others_;
  std::array<std::string, 2> block_{"block_row", "block_column"}, point_{"p", "q"},
      inner_{"tile_row", "tile_column"};
};

}  // namespace

std::vector<Func> define_winograd(const Convolution& convolution, const WinogradTile& tile,
                                  const Func& weights, const std::optional<Func>& scale) {
  return WinogradBuilder(convolution, tile, weights, scale).build();
}

}  // namespace tensordsl::graph
