#!/usr/bin/env python3
"""Makes the example models from nothing: draws the data, trains, quantizes, writes.

  python3 examples/glyphs/train/train.py          (needs python3-numpy; about five minutes on one core)

writes into examples/glyphs: glyphs.tflite, which digit is it; ink.tflite, is there anything on the paper; samples/*.bin,
int8 images as both take them; and, from the integer arithmetic in numpy, samples/expected.tsv and samples/ink.tsv
(label, answer, the output bytes) and samples/tensors.tsv (for every tensor of glyphs.tflite between operators, by its
index in the model, the CRC-32 of its bytes).
Everything is seeded: the same machine and numpy give the same bytes. Another BLAS may round differently
while training, and so gives other, equally good models.
"""
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # sums in the same order every time

import argparse
import pathlib
import zlib

import numpy as np

import glyphs
import network
import quantize
import tflite_writer

TRAIN_IMAGES, TEST_IMAGES, CALIBRATION_IMAGES = 12000, 2000, 500
SEEDS = {"train": 20260101, "test": 20260102, "samples": 20260103, "weights": 7,
         "blank train": 20260104, "blank test": 20260105, "blank samples": 20260106}
EPOCHS, BATCH, RATE = 6, 50, 4e-3
DESCRIPTIONS = {"glyphs": "handwritten-looking digits, 28x28; made by examples/glyphs/train",
                "ink": "is there ink on a 28x28 image; made by examples/glyphs/train"}


def say(text):
    print(text, flush=True)


def accuracy(model, images, labels, batch=200):
    right = 0
    for i in range(0, len(images), batch):
        out = quantize.run(model, images[i:i + batch])[model.layers[-1].name]
        right += int((out.argmax(axis=1) == labels[i:i + batch]).sum())
    return right / len(images)


def to_int8(images):
    return (images.astype(np.int16) - 128).astype(np.int8)


def digits(count, seed):
    return glyphs.draw(count, SEEDS[seed])


def ink_or_not(count, seed):
    """Digits and blank paper in turn; the label is whether there is ink."""
    images = np.empty((count, glyphs.SIZE, glyphs.SIZE, 1), np.uint8)
    images[0::2] = digits(len(images[0::2]), seed)[0]
    images[1::2] = glyphs.draw_blank(len(images[1::2]), SEEDS[f"blank {seed}"])
    return images, 1 - np.arange(count) % 2


def make(name, layers, data, epochs, folder):
    """Trains, quantizes, writes NAME.tflite. Returns the quantized model and the index of each tensor in the file."""
    say(f"{name}: drawing {TRAIN_IMAGES} images to train on and {TEST_IMAGES} to test on")
    images, labels = data(TRAIN_IMAGES, "train")
    scaled = images.astype(np.float32) / np.float32(255)
    parameters = network.train(layers, scaled, labels, epochs, BATCH, RATE, SEEDS["weights"], say)
    model = quantize.quantize(layers, parameters, scaled[:CALIBRATION_IMAGES])
    test_images, test_labels = data(TEST_IMAGES, "test")
    say(f"accuracy on unseen images, int8: {accuracy(model, to_int8(test_images), test_labels):.2%}")
    file, tensor_index = tflite_writer.to_tflite(model, DESCRIPTIONS[name])
    (folder / f"{name}.tflite").write_bytes(file)
    say(f"{name}.tflite: {len(file)} bytes")
    return model, tensor_index


def write_answers(model, files, images, labels, path):
    """What the model says of the images. Returns all its tensors."""
    tensors, lines = quantize.run(model, to_int8(images)), ["file\tlabel\tanswer\toutput"]
    for file, label, output in zip(files, labels, tensors[model.layers[-1].name]):
        lines.append(f"{file}\t{label}\t{output.argmax()}\t{' '.join(map(str, output))}")
    path.write_text("\n".join(lines) + "\n")
    return tensors


def write_samples(digit_model, tensor_index, ink_model, folder):
    folder.mkdir(exist_ok=True)
    images, labels = digits(glyphs.CLASSES, "samples")
    blank = glyphs.draw_blank(1, SEEDS["blank samples"])
    files = [f"digit_{label}.bin" for label in labels]
    for file, image in zip([*files, "blank.bin"], [*images, *blank]):
        (folder / file).write_bytes(to_int8(image).tobytes())
    tensors = write_answers(digit_model, files, images, labels, folder / "expected.tsv")
    sums = ["file\ttensor\tname\tcrc32"]
    for i, file in enumerate(files):
        for layer in digit_model.layers:
            crc = zlib.crc32(np.ascontiguousarray(tensors[layer.name][i]).tobytes())
            sums.append(f"{file}\t{tensor_index[layer.name]}\t{layer.name}\t{crc:08x}")
    (folder / "tensors.tsv").write_text("\n".join(sums) + "\n")
    write_answers(ink_model, [*files, "blank.bin"], np.concatenate([images, blank]), [1] * len(files) + [0],
                  folder / "ink.tsv")


def main():
    here = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("-o", dest="out", type=pathlib.Path, default=here, help="folder to write to")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    digit_model, tensor_index = make("glyphs", network.DIGIT, digits, options.epochs, options.out)
    ink_model, _ = make("ink", network.INK, ink_or_not, options.epochs, options.out)
    write_samples(digit_model, tensor_index, ink_model, options.out / "samples")


if __name__ == "__main__":
    main()
