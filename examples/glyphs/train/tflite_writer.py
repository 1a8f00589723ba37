"""The quantized network as a .tflite file. The numbers are field ids and enum values of that format."""
import numpy as np

import network as nn
from flatbuffer import Scalar, Table, Text, Vector, ints, write

OPERATOR_CODES = {"ADD": 0, "AVERAGE_POOL_2D": 1, "CONV_2D": 3, "DEPTHWISE_CONV_2D": 4,
                  "FULLY_CONNECTED": 9, "MAX_POOL_2D": 17, "RESHAPE": 22, "SOFTMAX": 25}
# The version of the operator that brought int8, where it is not 1.
OPERATOR_VERSIONS = {"ADD": 2, "AVERAGE_POOL_2D": 2, "CONV_2D": 3, "DEPTHWISE_CONV_2D": 3,
                     "FULLY_CONNECTED": 4, "MAX_POOL_2D": 2, "SOFTMAX": 2}
OPTION_TYPES = {"CONV_2D": 1, "DEPTHWISE_CONV_2D": 2, "AVERAGE_POOL_2D": 5, "MAX_POOL_2D": 5,
                "FULLY_CONNECTED": 8, "SOFTMAX": 9, "ADD": 11, "RESHAPE": 17}
DTYPES = {np.dtype(np.int32): 2, np.dtype(np.int8): 9}
PADDING_SAME, PADDING_VALID = 0, 1
RELU = 1


def _options(layer, shape):
    """BuiltinOptions of the layer; `shape` is its output's, without the batch."""
    byte, i32 = (lambda v: Scalar("b", v)), (lambda v: Scalar("i", v))
    relu, stride = byte(RELU if layer.relu else 0), i32(layer.stride)
    if layer.kind == "CONV_2D":
        return Table({0: byte(PADDING_SAME), 1: stride, 2: stride, 3: relu})
    if layer.kind == "DEPTHWISE_CONV_2D":
        return Table({0: byte(PADDING_SAME), 1: stride, 2: stride, 3: i32(1), 4: relu})
    if layer.kind in ("MAX_POOL_2D", "AVERAGE_POOL_2D"):
        side = i32(layer.kernel)
        return Table({0: byte(PADDING_VALID), 1: stride, 2: stride, 3: side, 4: side, 5: relu})
    if layer.kind == "RESHAPE":
        return Table({0: ints([1, *shape])})
    if layer.kind == "SOFTMAX":
        return Table({0: Scalar("f", 1.0)})
    return Table({0: relu})


class _Subgraph:
    def __init__(self):
        self.tensors, self.operators = [], []
        self.buffers = [Table({})]  # buffer 0 is the empty one
        self.index = {}  # tensor name -> index
        self.codes = []

    def add_tensor(self, name, shape, dtype, scales, zero_points, axis=0, data=None):
        buffer = 0
        if data is not None:
            buffer = len(self.buffers)
            self.buffers.append(Table({0: Vector(data.tobytes(), 1, 16)}))
        quantization = Table({2: ints(scales, "f"), 3: ints(zero_points, "q"), 6: Scalar("i", axis)})
        self.index[name] = len(self.tensors)
        self.tensors.append(Table({0: ints(shape), 1: Scalar("b", DTYPES[np.dtype(dtype)]),
                                   2: Scalar("I", buffer), 3: Text(name), 4: quantization}))
        return self.index[name]

    def add_weights(self, model, layer):
        weights, scales = model.weights[layer.name], model.weight_scales[layer.name]
        zeros = [0] * len(scales)
        axis = 3 if layer.kind == "DEPTHWISE_CONV_2D" else 0
        bias, bias_scales = model.bias[layer.name], scales * model.scale[layer.inputs[0]]
        return [self.add_tensor(layer.name + "/weights", weights.shape, np.int8, scales, zeros, axis,
                                weights),
                self.add_tensor(layer.name + "/bias", bias.shape, np.int32, bias_scales, zeros, 0, bias)]

    def add_operator(self, layer, inputs, output, shape):
        if layer.kind not in self.codes:
            self.codes.append(layer.kind)
        self.operators.append(Table({
            0: Scalar("I", self.codes.index(layer.kind)), 1: ints(inputs), 2: ints([output]),
            3: Scalar("B", OPTION_TYPES[layer.kind]), 4: _options(layer, shape)}))

    def operator_codes(self):
        return [Table({0: Scalar("b", OPERATOR_CODES[kind]), 2: Scalar("i", OPERATOR_VERSIONS.get(kind, 1)),
                       3: Scalar("i", OPERATOR_CODES[kind])}) for kind in self.codes]


def to_tflite(model, description):
    """The file's bytes, and the index of each tensor by name."""
    shapes, graph = nn.shapes(model.layers), _Subgraph()
    activation = lambda name: graph.add_tensor(name, [1, *shapes[name]], np.int8, [model.scale[name]],
                                               [model.zero_point[name]])
    activation(nn.INPUT)
    for layer in model.layers:
        inputs = [graph.index[name] for name in layer.inputs]
        if layer.name in model.weights:
            inputs += graph.add_weights(model, layer)
        graph.add_operator(layer, inputs, activation(layer.name), shapes[layer.name])
    subgraph = Table({0: Vector(graph.tensors), 1: ints([graph.index[nn.INPUT]]),
                      2: ints([graph.index[model.layers[-1].name]]), 3: Vector(graph.operators),
                      4: Text("main")})
    root = Table({0: Scalar("I", 3), 1: Vector(graph.operator_codes()), 2: Vector([subgraph]),
                  3: Text(description), 4: Vector(graph.buffers)})
    return write(root, b"TFL3"), graph.index
