#include "apps/bench/operators/operator_peers.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "apps/support/run_python.h"

namespace tensordsl::bench {
namespace {

/// Prints {"name": .., "us": [..]}.
constexpr const char* kOperatorScript = R"(
import json, re, sys, time

def parsed(text):
    op, operands, output, attributes = re.match(r'(\w+) (.*?) -> (\[[^\]]*\])(?: \{(.*)\})?$', text).groups()
    operands = [(kind, json.loads(shape)) for kind, shape in re.findall(r'([xw]):(\[[^\]]*\])', operands)]
    values = {}
    for name, value in re.findall(r'(\w+)=(\[[^\]]*\]|[^,]*)', attributes or ''):
        try:
            values[name] = json.loads(value)
        except ValueError:
            values[name] = value
    return op, operands, json.loads(output), values

def median(values):
    return sorted(values)[len(values) // 2]

class OnnxRuntime:
    name = 'ONNX Runtime'
    def __init__(self, threads):
        import numpy, onnx, onnxruntime
        self.numpy, self.onnx, self.runtime = numpy, onnx, onnxruntime
        self.options = onnxruntime.SessionOptions()
        self.options.intra_op_num_threads = threads
        self.options.inter_op_num_threads = 1
        self.options.log_severity_level = 4
    def time(self, op, operands, output, attributes, runs):
        helper, tensor_type = self.onnx.helper, self.onnx.TensorProto.FLOAT
        names = ['t%d' % i for i in range(len(operands))]
        values = [self.numpy.random.default_rng(1).standard_normal(shape).astype('float32')
                  for _, shape in operands]
        inputs = [helper.make_tensor_value_info(n, tensor_type, shape)
                  for n, (kind, shape) in zip(names, operands) if kind == 'x']
        constants = [self.onnx.numpy_helper.from_array(v, n)
                     for n, v, (kind, _) in zip(names, values, operands) if kind == 'w']
        graph = helper.make_graph([helper.make_node(op, names, ['y'], **attributes)], 'g', inputs,
                                  [helper.make_tensor_value_info('y', tensor_type, output)], constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 13)])
        model.ir_version = 8
        session = self.runtime.InferenceSession(model.SerializeToString(), self.options,
                                                providers=['CPUExecutionProvider'])
        feed = {n: v for n, v, (kind, _) in zip(names, values, operands) if kind == 'x'}
        times = []
        for run in range(runs + 3):
            begin = time.perf_counter()
            session.run(None, feed)
            times.append(time.perf_counter() - begin)
        return median(times[3:]) * 1e6

class Torch:
    name = 'cuDNN and cuBLAS'
    def __init__(self):
        import torch
        self.torch = torch
        torch.zeros(1, device='cuda')
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
        torch.backends.cudnn.benchmark = True
    def function(self, op, values, attributes, form):
        torch = self.torch
        if op == 'Conv':
            rank = values[0].dim() - 2
            pads = attributes.get('pads', [0] * 2 * rank)
            if attributes.get('auto_pad', 'NOTSET') != 'NOTSET' or pads[:rank] != pads[rank:]:
                raise ValueError('pads that differ')
            values = [v.to(memory_format=form) if v.dim() == 4 else v for v in values]
            call = [None, torch.conv1d, torch.conv2d, torch.conv3d][rank]
            return lambda: call(*values, stride=attributes.get('strides', [1] * rank), padding=pads[:rank],
                                dilation=attributes.get('dilations', [1] * rank),
                                groups=attributes.get('group', 1))
        if op == 'MatMul':
            return lambda: torch.matmul(*values)
        if op == 'Gemm':
            a = values[0].t() if attributes.get('transA') else values[0]
            b = values[1].t() if attributes.get('transB') else values[1]
            return (lambda: torch.addmm(values[2], a, b)) if len(values) > 2 else (lambda: torch.mm(a, b))
        raise ValueError(op)
    def time(self, op, operands, output, attributes, runs):
        torch = self.torch
        best = None
        for form in (torch.contiguous_format, torch.channels_last):
            values = [torch.randn(shape, device='cuda') for _, shape in operands]
            function = self.function(op, values, attributes, form)
            stream = torch.cuda.Stream()
            with torch.cuda.stream(stream):
                for _ in range(3):
                    function()
            torch.cuda.synchronize()
            graph = torch.cuda.CUDAGraph()
            repeats = 20
            with torch.cuda.graph(graph):
                for _ in range(repeats):
                    function()
            times = []
            for _ in range(runs):
                begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
                begin.record()
                graph.replay()
                end.record()
                torch.cuda.synchronize()
                times.append(begin.elapsed_time(end) / repeats * 1e3)
            best = min(best or 1e30, median(times))
        return best

kind, threads, runs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
try:
    peer = Torch() if kind == 'gpu' else OnnxRuntime(threads)
except Exception as error:
    print(error, file=sys.stderr)
    sys.exit(3)
result = []
for text in sys.argv[4:]:
    try:
        result.append(peer.time(*parsed(text), runs))
    except Exception:
        result.append(None)
print(json.dumps({'name': peer.name, 'us': result}))
)";

}  // namespace

OperatorPeer measure_peer(const std::vector<std::string>& operators, const DeviceInfo& device, int runs) {
  std::vector<std::string> arguments{device.is_gpu ? "gpu" : "cpu", std::to_string(device.compute_units),
                                     std::to_string(runs)};
  arguments.insert(arguments.end(), operators.begin(), operators.end());
  const apps::PythonResult python =
      apps::run_python("--peers", apps::kWithOnnxRuntime, kOperatorScript, arguments);
  OperatorPeer result;
  if (python.code != 0) {
    result.failure = python.err.empty() ? fmt::format("python3 exited with {}", python.code) : python.err;
    return result;
  }
  const nlohmann::json json = nlohmann::json::parse(python.out);
  result.name = json.at("name");
  for (const nlohmann::json& us : json.at("us"))
    result.us.push_back(us.is_null() ? std::nullopt : std::optional(us.get<double>()));
  return result;
}

}  // namespace tensordsl::bench
