"""Cases of ONNX's own operators that rules of src/ops/normalize make of others, for make_fixtures.py.

Cases are as those of contributed_cases.py. ONNX's reference computes what is expected of them.
"""
from contributed_cases import Given, Random, f, i64


def resize(name, x, sizes=None, scales=None, roi=None, **attributes):
    """Of both modes."""
    given = [x, None if roi is None else Given(roi), None if scales is None else Given(scales), None if sizes is None else i64(sizes)]
    while given[-1] is None:
        given.pop()
    constants = [i for i, value in enumerate(given) if i > 0 and value is not None]
    return [(f"Resize, antialiased, {mode}, {name}", "Resize", {"antialias": 1, "mode": mode, **attributes}, given, {"constants": constants})
            for mode in ("linear", "cubic")]


def linear_attention(rule, name="", decay=None, beta=None):
    """Four heads of queries share two states of 5 rows of 3, which are zero first or given."""
    inputs = [f(1, 3, 20), f(1, 3, 10), f(1, 3, 6), None, decay and f(1, 3, decay, low=-1, high=0), beta and f(1, 3, beta, low=0, high=1)]
    attributes = {"q_num_heads": 4, "kv_num_heads": 2, "update_rule": rule}
    cases = []
    for text, past in (("from zero", None), ("from a state", f(1, 2, 5, 3))):
        given = [*inputs[:3], past, *inputs[4:]]
        while given[-1] is None:
            given.pop()
        cases.append((f"LinearAttention, {rule}, {name}, {text}", "LinearAttention", attributes, given, {"outputs": 2}))
    return cases


CASES = [
    # Quotients of f16 round to other whole numbers than those of f32.
    *[(f"QuantizeLinear, precision {name}", "QuantizeLinear", {"precision": number, "output_dtype": 4}, [f(3, 5, low=-900, high=900), Given(0.0371)])
      for name, number in (("f32", 1), ("f16", 10), ("f64", 11))],
    *resize("by sizes", f(1, 2, 7, 9), sizes=[1, 2, 3, 4]),
    *resize("by scales", f(1, 2, 7, 9), scales=[1, 1, 0.6, 0.35]),
    *resize("nothing from outside", f(2, 1, 9, 17), scales=[1, 1, 0.45, 0.2], exclude_outside=1),
    *resize("to one element", f(1, 1, 5, 3), sizes=[1, 1, 1, 1]),
    *resize("one dimension grows", f(1, 1, 5, 7), sizes=[1, 1, 9, 3]),
    *resize("chosen dimensions", f(17, 5, 3), sizes=[5], axes=[0]),
    *resize("aligned corners", f(7, 9), sizes=[3, 4], coordinate_transformation_mode="align_corners"),
    *resize("asymmetric", f(7, 9), scales=[0.45, 0.8], coordinate_transformation_mode="asymmetric", cubic_coeff_a=-0.5),
    *resize("a crop", f(7, 9), sizes=[3, 4], roi=[0.2, 0.1, 1.2, 0.8], coordinate_transformation_mode="tf_crop_and_resize", extrapolation_value=7.0),
    *resize("integers are rounded", Random((17, 15), "uint8", 0, 255), sizes=[5, 7]),
    ("CausalConvWithState", "CausalConvWithState", {}, [f(2, 3, 7), f(3, 1, 4), f(3), f(2, 3, 3)], {"outputs": 2}),
    ("CausalConvWithState without a state", "CausalConvWithState", {"activation": "silu"}, [f(1, 5, 3), f(5, 1, 5)], {"outputs": 2}),
    ("CausalConvWithState, a single step", "CausalConvWithState", {"activation": "swish"}, [f(1, 3, 1), f(3, 1, 3), None, f(1, 3, 2)], {"outputs": 2}),
    ("CausalConvWithState, a single tap", "CausalConvWithState", {}, [f(1, 3, 5), f(3, 1, 1)]),
    *linear_attention("linear"), *linear_attention("gated", decay=2), *linear_attention("delta", beta=2), *linear_attention("gated_delta", decay=2, beta=1),
    *linear_attention("gated_delta", "each key dimension", decay=10, beta=2),
    ("LinearAttention, a single step of its own scale", "LinearAttention", {"q_num_heads": 3, "kv_num_heads": 3, "update_rule": "gated", "scale": 0.7},
     [f(2, 1, 15), f(2, 1, 15), f(2, 1, 9), f(2, 3, 5, 3), f(2, 1, 3)], {"outputs": 2}),
]
