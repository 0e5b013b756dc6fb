#include <tensordsl/generator.h>
#include <tensordsl/tensordsl.h>

using namespace tensordsl;

struct Scale : Generator {
  GeneratorParam<Extent> count{this, "count", 1024, "elements"};
  GeneratorParam<Type> type{this, "type", Float(32), {Float(32), Float(16)}, "of an element"};

  Pipeline generate(const GeneratorTarget& target) override {
    Var i("i"), io("io"), ii("ii");
    Param factor("factor", Float(32));
    Input in("in", type, {count});
    Func out("out");
    out(i) = cast(type, factor * in(i));
    out.bound({count});
    const int items = target.figures.group_items, lanes = target.figures.vector_width;
    if (items > 1) {
      out.gpu_tile(i, items, Tail::Guard);
    } else {  // A group is a thread of a CPU, which should compute more than one element.
      out.split(i, io, ii, 4096, Tail::Guard).vectorize(ii, lanes, Tail::Guard).gpu_blocks(io);
    }
    return Pipeline(out);
  }
};

TENSORDSL_GENERATOR(Scale, "scale", "multiplies every element by a factor")
