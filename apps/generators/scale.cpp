#include <tensordsl/generator.h>
#include <tensordsl/tensordsl.h>

using namespace tensordsl;

struct Scale : Generator {
  GeneratorParam<Extent> count{this, "count", 1024, "elements"};
  GeneratorParam<Type> type{this, "type", Float(32), {Float(32), Float(16)}, "of an element"};

  Pipeline generate(const GeneratorTarget& target) override {
    Var i("i");
    Param factor("factor", Float(32));
    Input in("in", type, {count});
    Func out("out");
    out(i) = cast(type, factor * in(i));
    out.bound({count}).gpu_tile(i, target.figures.group_items, Tail::Guard);
    return Pipeline(out);
  }
};

TENSORDSL_GENERATOR(Scale, "scale", "multiplies every element by a factor")
