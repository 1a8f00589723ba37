"""The network and its training in float32: forward, backward, Adam. Tensors are NHWC.

A network is a list of layers, in order; quantize.py and tflite_writer.py read it too.
"""
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Layer:
    kind: str  # the TensorFlow Lite operator
    name: str  # of the layer and of its output tensor
    inputs: tuple
    channels: int = 0  # of the output, where the layer chooses it
    kernel: int = 1
    stride: int = 1
    relu: bool = False


INPUT = "image"
INPUT_SHAPE = (28, 28, 1)


def _separable(name, source, channels, stride=1, relu=True):
    depthwise = Layer("DEPTHWISE_CONV_2D", f"{name}/depthwise", (source,), kernel=3, stride=stride,
                      relu=True)
    pointwise = Layer("CONV_2D", f"{name}/pointwise", (depthwise.name,), channels, relu=relu)
    return [depthwise, pointwise]


# Which digit is it?
DIGIT = [
    Layer("CONV_2D", "stem/conv", (INPUT,), 8, kernel=3, relu=True),
    Layer("MAX_POOL_2D", "stem/pool", ("stem/conv",), kernel=2, stride=2),
    *_separable("widen", "stem/pool", 32),
    *_separable("block1", "widen/pointwise", 32, relu=False),
    Layer("ADD", "block1/add", ("widen/pointwise", "block1/pointwise"), relu=True),
    *_separable("down", "block1/add", 64, stride=2),
    *_separable("block2", "down/pointwise", 64, relu=False),
    Layer("ADD", "block2/add", ("down/pointwise", "block2/pointwise"), relu=True),
    Layer("AVERAGE_POOL_2D", "head/pool", ("block2/add",), kernel=7, stride=7),
    Layer("RESHAPE", "head/flatten", ("head/pool",)),
    Layer("FULLY_CONNECTED", "head/logits", ("head/flatten",), 10),
    Layer("SOFTMAX", "digit", ("head/logits",)),
]

# Is there anything on the paper? Two classes: no, yes.
INK = [
    Layer("AVERAGE_POOL_2D", "pool", (INPUT,), kernel=4, stride=4),
    Layer("RESHAPE", "flatten", ("pool",)),
    Layer("FULLY_CONNECTED", "hidden", ("flatten",), 8, relu=True),
    Layer("FULLY_CONNECTED", "logits", ("hidden",), 2),
    Layer("SOFTMAX", "ink", ("logits",)),
]


def same_padding(size, kernel, stride):
    """TensorFlow's SAME: (output size, zeros before, zeros after); the odd one comes after."""
    out = -(-size // stride)
    total = max(0, (out - 1) * stride + kernel - size)
    return out, total // 2, total - total // 2


def pad_same(x, kernel, stride, value=0):
    _, top, bottom = same_padding(x.shape[1], kernel, stride)
    _, left, right = same_padding(x.shape[2], kernel, stride)
    return np.pad(x, ((0, 0), (top, bottom), (left, right), (0, 0)), constant_values=value)


def windows(padded, kernel, stride, out_h, out_w):
    """For each tap of the kernel, row by row, the pixels that it sees: views of `padded`."""
    for ky in range(kernel):
        for kx in range(kernel):
            yield padded[:, ky:ky + (out_h - 1) * stride + 1:stride,
                         kx:kx + (out_w - 1) * stride + 1:stride]


def output_shape(layer, shape):
    if layer.kind == "RESHAPE":
        return (int(np.prod(shape)),)
    if layer.kind in ("FULLY_CONNECTED",):
        return (layer.channels,)
    if layer.kind in ("ADD", "SOFTMAX"):
        return shape
    out_h, out_w = (same_padding(n, layer.kernel, layer.stride)[0] for n in shape[:2])
    return (out_h, out_w, layer.channels or shape[2])


def shapes(layers):
    """Tensor name -> shape without the batch."""
    result = {INPUT: INPUT_SHAPE}
    for layer in layers:
        result[layer.name] = output_shape(layer, result[layer.inputs[0]])
    return result


def initial_parameters(layers, seed):
    """Layer name -> [weights, bias]. He initialization; a residual branch starts small."""
    rng = np.random.default_rng(seed)
    shape_of, parameters = shapes(layers), {}
    for layer in layers:
        depth = shape_of[layer.inputs[0]][-1]
        if layer.kind == "CONV_2D":
            shape, fan_in = (layer.kernel ** 2 * depth, layer.channels), layer.kernel ** 2 * depth
        elif layer.kind == "DEPTHWISE_CONV_2D":
            shape, fan_in = (layer.kernel ** 2, depth), layer.kernel ** 2
        elif layer.kind == "FULLY_CONNECTED":
            shape, fan_in = (depth, layer.channels), depth
        else:
            continue
        gain = 2.0 if layer.relu else 0.5
        weights = rng.normal(0, np.sqrt(gain / fan_in), shape).astype(np.float32)
        parameters[layer.name] = [weights, np.zeros(shape[1], np.float32)]
    return parameters


def _conv_forward(layer, x, weights):
    out_h, out_w, _ = output_shape(layer, x.shape[1:])
    padded = pad_same(x, layer.kernel, layer.stride)
    columns = np.concatenate(list(windows(padded, layer.kernel, layer.stride, out_h, out_w)), axis=3)
    return columns @ weights, columns


def _conv_backward(layer, x, columns, weights, gradient):
    flat = gradient.reshape(-1, gradient.shape[3])
    d_weights = columns.reshape(-1, columns.shape[3]).T @ flat
    if layer.kernel > 1:  # only the stem, whose input is the image: nobody needs its gradient
        return None, d_weights
    return gradient @ weights.T, d_weights


def _depthwise_forward(layer, x, weights):
    out_h, out_w, _ = output_shape(layer, x.shape[1:])
    padded = pad_same(x, layer.kernel, layer.stride)
    taps = windows(padded, layer.kernel, layer.stride, out_h, out_w)
    out = np.zeros((len(x), out_h, out_w, x.shape[3]), np.float32)
    for tap, weight in zip(taps, weights):
        out += tap * weight
    return out, padded


def _depthwise_backward(layer, x, padded, weights, gradient):
    _, out_h, out_w, _ = gradient.shape
    d_padded, d_weights = np.zeros_like(padded), np.empty_like(weights)
    taps = windows(padded, layer.kernel, layer.stride, out_h, out_w)
    d_taps = windows(d_padded, layer.kernel, layer.stride, out_h, out_w)
    for i, (tap, d_tap) in enumerate(zip(taps, d_taps)):
        d_weights[i] = np.einsum("nhwc,nhwc->c", tap, gradient)
        d_tap += gradient * weights[i]
    _, top, _ = same_padding(x.shape[1], layer.kernel, layer.stride)
    _, left, _ = same_padding(x.shape[2], layer.kernel, layer.stride)
    return d_padded[:, top:top + x.shape[1], left:left + x.shape[2]], d_weights


def _pool_forward(layer, x):
    k = layer.kernel
    n, h, w, c = x.shape
    tiles = x.reshape(n, h // k, k, w // k, k, c)
    return tiles.max(axis=(2, 4)) if layer.kind == "MAX_POOL_2D" else tiles.mean(axis=(2, 4))


def _pool_backward(layer, x, out, gradient):
    k = layer.kernel
    spread = lambda t: np.repeat(np.repeat(t, k, axis=1), k, axis=2)
    if layer.kind == "AVERAGE_POOL_2D":
        return spread(gradient) / np.float32(k * k)
    return spread(gradient) * (x == spread(out))


def forward(layers, parameters, images):
    """images [n, 28, 28, 1] float32 in [0, 1]. Returns every tensor by name (the softmax's output is
    probabilities), and what the backward pass needs."""
    tensors, saved = {INPUT: images}, {}
    for layer in layers:
        x = tensors[layer.inputs[0]]
        if layer.kind == "CONV_2D":
            out, saved[layer.name] = _conv_forward(layer, x, parameters[layer.name][0])
        elif layer.kind == "DEPTHWISE_CONV_2D":
            out, saved[layer.name] = _depthwise_forward(layer, x, parameters[layer.name][0])
        elif layer.kind == "FULLY_CONNECTED":
            out = x @ parameters[layer.name][0]
        elif layer.kind == "ADD":
            out = x + tensors[layer.inputs[1]]
        elif layer.kind == "RESHAPE":
            out = x.reshape(len(x), -1)
        elif layer.kind == "SOFTMAX":
            exps = np.exp(x - x.max(axis=1, keepdims=True))
            out = exps / exps.sum(axis=1, keepdims=True)
        else:
            out = _pool_forward(layer, x)
        if layer.name in parameters:
            out = out + parameters[layer.name][1]
        tensors[layer.name] = np.maximum(out, 0) if layer.relu else out
    return tensors, saved


def _layer_backward(layer, tensors, saved, parameters, gradient):
    """Gradients of the layer's inputs, and of its weights (None: it has none)."""
    x, out = tensors[layer.inputs[0]], tensors[layer.name]
    if layer.kind == "CONV_2D":
        d_x, d_w = _conv_backward(layer, x, saved[layer.name], parameters[layer.name][0], gradient)
        return [d_x], d_w
    if layer.kind == "DEPTHWISE_CONV_2D":
        d_x, d_w = _depthwise_backward(layer, x, saved[layer.name], parameters[layer.name][0], gradient)
        return [d_x], d_w
    if layer.kind == "FULLY_CONNECTED":
        return [gradient @ parameters[layer.name][0].T], x.T @ gradient
    if layer.kind == "ADD":
        return [gradient, gradient], None
    if layer.kind == "RESHAPE":
        return [gradient.reshape(x.shape)], None
    return [_pool_backward(layer, x, out, gradient)], None


def backward(layers, parameters, tensors, saved, labels):
    """Gradients of the mean cross-entropy, by layer name."""
    probabilities = tensors[layers[-1].name]
    wanted = np.eye(probabilities.shape[1], dtype=np.float32)[labels]
    d_tensors = {layers[-1].inputs[0]: (probabilities - wanted) / np.float32(len(labels))}
    gradients = {}
    for layer in reversed(layers[:-1]):
        gradient = d_tensors.pop(layer.name)
        if layer.relu:
            gradient = gradient * (tensors[layer.name] > 0)
        d_inputs, d_weights = _layer_backward(layer, tensors, saved, parameters, gradient)
        if d_weights is not None:
            d_bias = gradient.reshape(-1, gradient.shape[-1]).sum(axis=0)
            gradients[layer.name] = [d_weights, d_bias]
        for name, d_input in zip(layer.inputs, d_inputs):
            if d_input is not None:
                d_tensors[name] = d_tensors[name] + d_input if name in d_tensors else d_input
    return gradients


class Adam:
    def __init__(self, parameters):
        zeros = lambda: {k: [np.zeros_like(t) for t in v] for k, v in parameters.items()}
        self.mean, self.square, self.step = zeros(), zeros(), 0

    def update(self, parameters, gradients, rate, beta1=.9, beta2=.999):
        self.step += 1
        rate = np.float32(rate * np.sqrt(1 - beta2 ** self.step) / (1 - beta1 ** self.step))
        for name, tensors in parameters.items():
            for i, tensor in enumerate(tensors):
                g, m, v = gradients[name][i], self.mean[name][i], self.square[name][i]
                m += np.float32(1 - beta1) * (g - m)
                v += np.float32(1 - beta2) * (g * g - v)
                tensor -= rate * m / (np.sqrt(v) + np.float32(1e-7))


def _normalize(layers, parameters, images):
    """Scales each layer's first weights so that its outputs start with a spread of about one: without
    batch normalization the signal would fade on its way through the depthwise layers."""
    for layer in layers:
        if layer.name in parameters:
            spread = float(forward(layers, parameters, images)[0][layer.name].std())
            parameters[layer.name][0] /= np.float32(spread + 1e-6)


def train(layers, images, labels, epochs, batch, rate, seed, progress):
    """Trains from scratch; the rate falls along half a cosine. Returns the parameters."""
    parameters, rng = initial_parameters(layers, seed), np.random.default_rng(seed + 1)
    _normalize(layers, parameters, images[:200])
    adam, steps = Adam(parameters), len(images) // batch
    for epoch in range(epochs):
        order, loss = rng.permutation(len(images)), 0.0
        for step in range(steps):
            picked = order[step * batch:(step + 1) * batch]
            tensors, saved = forward(layers, parameters, images[picked])
            done = (epoch * steps + step) / (epochs * steps)
            gradients = backward(layers, parameters, tensors, saved, labels[picked])
            adam.update(parameters, gradients, rate * .5 * (1 + np.cos(np.pi * done)))
            right = tensors[layers[-1].name][np.arange(batch), labels[picked]]
            loss -= float(np.log(right + 1e-9).mean())
        progress(f"epoch {epoch + 1}/{epochs}: loss {loss / steps:.4f}")
    return parameters
