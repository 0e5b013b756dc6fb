#include "lower/passes/memory/legalize_image_accesses.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/simplify/simplify.h"
#include "lower/name_supply.h"
#include "lower/passes/vectors/lanes.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

/// The position of one lane of an access.
struct LanePlace {
  std::vector<Expr> texel;  // coordinates, outermost first
  Expr element;
};

std::vector<LanePlace> places_of(const std::vector<Expr>& indices, int lanes) {
  std::vector<LanePlace> places(static_cast<std::size_t>(lanes));
  for (int lane = 0; lane < lanes; ++lane) {
    LanePlace& place = places[static_cast<std::size_t>(lane)];
    for (const Expr& index : indices) place.texel.push_back(simplify(lane_of(index, lane)));
    place.element = std::move(place.texel.back());
    place.texel.pop_back();
  }
  return places;
}

bool is_same_texel(const LanePlace& a, const LanePlace& b) {
  return std::equal(a.texel.begin(), a.texel.end(), b.texel.begin(), b.texel.end(), ExprSame());
}

/// Lanes [first, last) are elements 0, 1, 2, ... of one texel, counted from `element`.
bool are_in_order(const std::vector<LanePlace>& places, std::size_t first, std::size_t last,
                  std::int64_t element) {
  for (std::size_t i = first; i < last; ++i) {
    const std::int64_t* at = as_int(places[i].element);
    if (!at || *at != element + static_cast<std::int64_t>(i - first) ||
        !is_same_texel(places[i], places[first]))
      return false;
  }
  return true;
}

class TexelAccess {
 public:
  TexelAccess(const Stmt& kernel, const Images& images) : images_(images), names_(kernel) {}

  Stmt run(const Stmt& stmt) {
    const Stmt s = map_children(
        stmt, [&](const Expr& e) { return rewrite(e, [&](const Expr& part) { return read(part); }); },
        [&](const Stmt& child) { return run(child); });
    const auto image = s->kind == StmtKind::Store ? images_.find(s->name) : images_.end();
    return image == images_.end() ? s : write(*s, image->second);
  }

 private:
  Expr read(const Expr& load) const {
    const auto image = load->kind == ExprKind::Load ? images_.find(load->name) : images_.end();
    if (image == images_.end()) return load;
    auto places = places_of(load->operands, load.type().lanes);
    for (LanePlace& place : places) {
      // A lane without such an element is discarded by a select: its index was simplified for the others.
      const std::int64_t* element = as_int(place.element);
      const bool is_outside = element && (*element < 0 || *element >= image->second.channels);
      if (is_outside) place.element = Expr(0);
    }
    std::vector<Expr> parts;
    for (std::size_t i = 0; i < places.size();) {
      const Expr texel =
          make_load(load.type().element().with_lanes(image->second.channels), load->name, places[i].texel);
      std::size_t end = i + 1;
      if (image->second.channels == 1) {
        parts.push_back(texel);
      } else if (const std::int64_t* element = as_int(places[i].element)) {
        while (end < places.size() && are_in_order(places, i, end + 1, *element)) ++end;
        parts.push_back(make_slice(texel, static_cast<int>(*element), static_cast<int>(end - i)));
      } else {
        parts.push_back(chosen(texel, places[i].element));
      }
      i = end;
    }
    return make_concat(std::move(parts));
  }

  /// OpenCL C has no index into a vector that is not constant.
  static Expr chosen(const Expr& texel, const Expr& element) {
    Expr result = make_slice(texel, texel.type().lanes - 1, 1);
    for (int i = texel.type().lanes - 2; i >= 0; --i)
      result = make_select(element == i, make_slice(texel, i, 1), result);
    return result;
  }

  Stmt write(const StmtNode& store, const ImageShape& image) {
    const Expr& value = store.value();
    const auto lanes = static_cast<std::size_t>(value.type().lanes),
               step = static_cast<std::size_t>(image.channels);
    const auto places = places_of(store.indices(), value.type().lanes);
    bool whole = lanes % step == 0;
    for (std::size_t i = 0; whole && i < lanes && step > 1; i += step)
      whole = are_in_order(places, i, i + step, 0);
    if (!whole) {
      throw ScheduleError(
          fmt::format("{}.set_image({}): a work-item writes part of a texel, but images are written in whole "
                      "texels; vectorize the dimension of the layout's last group by 4, with Tail::RoundUp "
                      "if 4 does not divide its extent",
                      store.name, to_string(image.kind)));
    }
    if (lanes == step) return make_store(store.name, value, places[0].texel);
    const std::string& name = names_.named(store.name + ".value");
    const Expr all = make_var(name, value.type());
    std::vector<Stmt> stores;
    for (std::size_t i = 0; i < lanes; i += step) {
      stores.push_back(
          make_store(store.name, make_slice(all, static_cast<int>(i), image.channels), places[i].texel));
    }
    return make_let(name, value, make_block(std::move(stores)));
  }

  const Images& images_;
  NameSupply names_;
};

}  // namespace

bool is_read_anywhere(const ExprNode& load, const Images& images) {
  const auto image = images.find(load.name);
  return image != images.end() && image->second.kind != ImageKind::Image1DBuffer;
}

Stmt legalize_image_accesses(const Stmt& stmt, const Images& images) {
  return images.empty() ? stmt : TexelAccess(stmt, images).run(stmt);
}

}  // namespace tensordsl::lower
