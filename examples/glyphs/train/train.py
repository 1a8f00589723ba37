#!/usr/bin/env python3
"""Makes the example model from nothing: draws the data, trains, quantizes, writes.

  python3 examples/glyphs/train/train.py          (needs python3-numpy; about five minutes on one core)

writes into examples/glyphs: glyphs.tflite; samples/*.bin, int8 images as the model takes them; and, from the
integer arithmetic in numpy, samples/expected.tsv (label, answer, the ten output bytes) and samples/tensors.tsv
(for every tensor between operators, by its index in the model, the CRC-32 of its bytes).
Everything is seeded: the same machine and numpy give the same bytes. Another BLAS may round differently
while training, and so gives another, equally good model.
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
SEEDS = {"train": 20260101, "test": 20260102, "samples": 20260103, "weights": 7}
EPOCHS, BATCH, RATE = 6, 50, 4e-3
DESCRIPTION = "handwritten-looking digits, 28x28; made by examples/glyphs/train"


def accuracy(model, images, labels, batch=200):
    right = 0
    for i in range(0, len(images), batch):
        out = quantize.run(model, images[i:i + batch])[network.NETWORK[-1].name]
        right += int((out.argmax(axis=1) == labels[i:i + batch]).sum())
    return right / len(images)


def to_int8(images):
    return (images.astype(np.int16) - 128).astype(np.int8)


def write_samples(model, tensor_index, folder):
    folder.mkdir(exist_ok=True)
    images, labels = glyphs.draw(glyphs.CLASSES, SEEDS["samples"])
    tensors = quantize.run(model, to_int8(images))
    answers, sums = ["file\tlabel\tanswer\toutput"], ["file\ttensor\tname\tcrc32"]
    for i, label in enumerate(labels):
        name, output = f"digit_{label}.bin", tensors[network.NETWORK[-1].name][i]
        (folder / name).write_bytes(tensors[network.INPUT][i].tobytes())
        answers.append(f"{name}\t{label}\t{output.argmax()}\t{' '.join(map(str, output))}")
        for layer in network.NETWORK:
            crc = zlib.crc32(np.ascontiguousarray(tensors[layer.name][i]).tobytes())
            sums.append(f"{name}\t{tensor_index[layer.name]}\t{layer.name}\t{crc:08x}")
    (folder / "expected.tsv").write_text("\n".join(answers) + "\n")
    (folder / "tensors.tsv").write_text("\n".join(sums) + "\n")


def main():
    here = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("-o", dest="out", type=pathlib.Path, default=here, help="folder to write to")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)

    say = lambda text: print(text, flush=True)
    say(f"drawing {TRAIN_IMAGES} images to train on and {TEST_IMAGES} to test on")
    images, labels = glyphs.draw(TRAIN_IMAGES, SEEDS["train"])
    test_images, test_labels = glyphs.draw(TEST_IMAGES, SEEDS["test"])
    scaled = images.astype(np.float32) / np.float32(255)
    parameters = network.train(scaled, labels, options.epochs, BATCH, RATE, SEEDS["weights"], say)
    model = quantize.quantize(parameters, scaled[:CALIBRATION_IMAGES])
    say(f"accuracy on unseen images, int8: {accuracy(model, to_int8(test_images), test_labels):.2%}")
    data, tensor_index = tflite_writer.to_tflite(model, DESCRIPTION)
    (options.out / "glyphs.tflite").write_bytes(data)
    say(f"glyphs.tflite: {len(data)} bytes")
    write_samples(model, tensor_index, options.out / "samples")


if __name__ == "__main__":
    main()
