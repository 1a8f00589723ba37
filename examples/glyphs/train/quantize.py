"""Post-training quantization to int8 by TensorFlow Lite's 8-bit specification, and the quantized network
in numpy: weights per channel and symmetric, activations per tensor."""
from dataclasses import dataclass, field

import numpy as np

import fixed_point as fp
import network as nn


@dataclass
class Quantized:
    """scale and zero_point by tensor name; weights (int8, TensorFlow Lite's layout), their scales and the
    int32 bias by layer name."""
    layers: list
    scale: dict = field(default_factory=dict)
    zero_point: dict = field(default_factory=dict)
    weights: dict = field(default_factory=dict)
    weight_scales: dict = field(default_factory=dict)
    bias: dict = field(default_factory=dict)


SAME_QUANTIZATION = ("MAX_POOL_2D", "AVERAGE_POOL_2D", "RESHAPE")


def _choose_range(model, layer, tensor):
    if layer.kind in SAME_QUANTIZATION:
        model.scale[layer.name] = model.scale[layer.inputs[0]]
        model.zero_point[layer.name] = model.zero_point[layer.inputs[0]]
    elif layer.kind == "SOFTMAX":
        model.scale[layer.name], model.zero_point[layer.name] = np.float32(1 / 256), -128
    else:
        low, high = min(0.0, float(tensor.min())), max(0.0, float(tensor.max()))
        scale = np.float32((high - low) / 255)
        model.scale[layer.name] = scale
        model.zero_point[layer.name] = int(np.clip(round(-128 - low / float(scale)), -128, 127))


def _layout(layer, weights):
    """To [out, height, width, in], [1, height, width, channels] or [out, in]."""
    k = layer.kernel
    if layer.kind == "CONV_2D":
        return weights.T.reshape(weights.shape[1], k, k, -1)
    if layer.kind == "DEPTHWISE_CONV_2D":
        return weights.reshape(1, k, k, -1)
    return weights.T


def _quantize_weights(model, layer, weights, bias):
    per_tensor = layer.kind == "FULLY_CONNECTED"
    largest = np.abs(weights).max(axis=None if per_tensor else 0)
    scales = np.atleast_1d(np.maximum(largest, 1e-6) / 127).astype(np.float32)
    model.weight_scales[layer.name] = scales
    model.weights[layer.name] = _layout(layer, np.round(weights / scales).astype(np.int8))
    bias_scales = scales.astype(np.float64) * float(model.scale[layer.inputs[0]])
    model.bias[layer.name] = np.round(bias / bias_scales).astype(np.int32)


def quantize(layers, parameters, calibration_images):
    tensors, _ = nn.forward(layers, parameters, calibration_images)
    model = Quantized(layers)
    model.scale[nn.INPUT], model.zero_point[nn.INPUT] = np.float32(1 / 255), -128
    for layer in layers:
        _choose_range(model, layer, tensors[layer.name])
        if layer.name in parameters:
            _quantize_weights(model, layer, *parameters[layer.name])
    return model


def _multipliers(model, layer):
    source, out = model.scale[layer.inputs[0]], float(model.scale[layer.name])
    if layer.kind == "FULLY_CONNECTED":  # the reference multiplies these two scales in float
        reals = [float(source * scale) / out for scale in model.weight_scales[layer.name]]
    else:
        reals = [float(source) * float(scale) / out for scale in model.weight_scales[layer.name]]
    return np.array([fp.quantize_multiplier(real) for real in reals], np.int64).T


def _accumulate(model, layer, x):
    """Sums of products in int64, which is wide enough never to wrap."""
    weights = model.weights[layer.name].astype(np.int64)
    if layer.kind == "FULLY_CONNECTED":
        return x @ weights.T
    out_h, out_w, channels = nn.output_shape(layer, x.shape[1:])
    padded = nn.pad_same(x, layer.kernel, layer.stride)
    total = np.zeros((len(x), out_h, out_w, channels), np.int64)
    taps = nn.windows(padded, layer.kernel, layer.stride, out_h, out_w)
    for i, tap in enumerate(taps):
        ky, kx = divmod(i, layer.kernel)
        if layer.kind == "CONV_2D":
            total += tap @ weights[:, ky, kx, :].T
        else:
            total += tap * weights[0, ky, kx]
    return total


def _finish(model, layer, x):
    zero_point = model.zero_point[layer.name]
    low = max(-128, zero_point) if layer.relu else -128
    return np.clip(x + zero_point, low, 127).astype(np.int8)


def _add(model, layer, a, b):
    scale_a, scale_b = (float(model.scale[name]) for name in layer.inputs)
    twice_max = 2 * max(scale_a, scale_b)
    parts = []
    for x, name, scale in ((a, layer.inputs[0], scale_a), (b, layer.inputs[1], scale_b)):
        shifted = (x.astype(np.int64) - model.zero_point[name]) << 20
        parts.append(fp.requantize(shifted, *fp.quantize_multiplier(scale / twice_max)))
    real = twice_max / ((1 << 20) * float(model.scale[layer.name]))
    return _finish(model, layer, fp.requantize(parts[0] + parts[1], *fp.quantize_multiplier(real)))


def _pool(layer, x):
    k = layer.kernel
    n, h, w, c = x.shape
    tiles = x.reshape(n, h // k, k, w // k, k, c)
    if layer.kind == "MAX_POOL_2D":
        return tiles.max(axis=(2, 4))
    total, count = tiles.astype(np.int64).sum(axis=(2, 4)), k * k
    rounded = np.where(total > 0, (total + count // 2) // count, -((count // 2 - total) // count))
    return rounded.astype(np.int8)


def run(model, images):
    """int8 images [n, 28, 28, 1] -> every tensor by name, int8."""
    tensors = {nn.INPUT: images}
    for layer in model.layers:
        x = tensors[layer.inputs[0]]
        if layer.name in model.weights:
            centered = x.astype(np.int64) - model.zero_point[layer.inputs[0]]
            total = _accumulate(model, layer, centered) + model.bias[layer.name]
            out = _finish(model, layer, fp.requantize(total, *_multipliers(model, layer)))
        elif layer.kind == "ADD":
            out = _add(model, layer, x, tensors[layer.inputs[1]])
        elif layer.kind == "RESHAPE":
            out = x.reshape(len(x), -1)
        elif layer.kind == "SOFTMAX":
            out = fp.softmax(x, model.scale[layer.inputs[0]])
        else:
            out = _pool(layer, x)
        tensors[layer.name] = out
    return tensors
