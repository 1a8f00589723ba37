// Runs a fuzz target without libFuzzer: first every file given, as it is, then a number of
// mutations of them. The same arguments give the same inputs on every machine.
//
//     fuzz_NAME_replay [--iterations N] [--seed S] FILE|FOLDER...
//
// The mutation that is running is in --keep FILE, when given, so that a crash leaves its input
// behind.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

namespace fs = std::filesystem;
using Input = std::vector<uint8_t>;

Input ReadInput(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// In the order of their names, which does not depend on the file system.
std::vector<Input> ReadCorpus(const std::vector<std::string>& arguments) {
  std::vector<fs::path> paths;
  for (const std::string& argument : arguments) {
    if (!fs::is_directory(argument)) {
      paths.emplace_back(argument);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(argument)) {
      if (entry.is_regular_file()) paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Input> corpus;
  for (const fs::path& path : paths) corpus.push_back(ReadInput(path));
  return corpus;
}

class Mutator {
 public:
  Mutator(const std::vector<Input>& corpus, uint64_t seed) : corpus_(corpus), random_(seed) {}

  Input Next() {
    Input input = corpus_[Below(corpus_.size())];
    for (size_t count = 1 + Below(6); count > 0; --count) MutateOnce(input);
    return input;
  }

 private:
  // Not std::uniform_int_distribution, whose results differ between libraries.
  size_t Below(size_t bound) { return static_cast<size_t>(random_() % bound); }

  void MutateOnce(Input& input) {
    if (input.empty()) return input.push_back(static_cast<uint8_t>(random_()));
    switch (Below(7)) {
      case 0:
        input[Below(input.size())] ^= static_cast<uint8_t>(1U << Below(8));
        break;
      case 1:
        input[Below(input.size())] = static_cast<uint8_t>(random_());
        break;
      case 2:
      case 3:
        WriteWord(input);
        break;
      case 4:
        CopyWithin(input);
        break;
      case 5:
        Splice(input);
        break;
      default:
        Resize(input);
        break;
    }
  }

  // Numbers at which sizes, offsets and indices break.
  void WriteWord(Input& input) {
    static constexpr uint32_t kWords[] = {
        0,          1,          2,          4,          8,          0x7F,       0x80,
        0xFF,       0x100,      0xFFFF,     0x10000,    0x7FFFFFFF, 0x80000000, 0xFFFFFFFF,
        0xFFFFFFFE, 0x7FC00000, 0x7F800000, 0xBF800000, 0x40000000};
    if (input.size() < 4) return;
    const uint32_t word = kWords[Below(std::size(kWords))];
    const size_t at = Below(input.size() - 3);
    std::memcpy(input.data() + (Below(4) == 0 ? at : at / 4 * 4), &word, 4);
  }

  void CopyWithin(Input& input) {
    const size_t from = Below(input.size());
    const size_t to = Below(input.size());
    const size_t longest = input.size() - std::max(from, to);
    std::memmove(input.data() + to, input.data() + from, 1 + Below(std::min<size_t>(longest, 64)));
  }

  void Splice(Input& input) {
    const Input& other = corpus_[Below(corpus_.size())];
    if (other.empty()) return;
    const size_t from = Below(other.size());
    const size_t to = Below(input.size());
    const size_t longest = std::min(other.size() - from, input.size() - to);
    std::memcpy(input.data() + to, other.data() + from, 1 + Below(longest));
  }

  void Resize(Input& input) {
    const size_t at = Below(input.size());
    if (Below(2) == 0) {
      input.resize(at);
    } else {
      input.insert(input.begin() + static_cast<int64_t>(at), 1 + Below(16),
                   static_cast<uint8_t>(random_()));
    }
  }

  const std::vector<Input>& corpus_;
  std::mt19937_64 random_;
};

struct Options {
  uint64_t iterations = 0, seed = 1;
  std::string keep{};
  std::vector<std::string> paths{};
};

Options ParseOptions(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const bool has_value = i + 1 < argc;
    if (argument == "--iterations" && has_value) {
      options.iterations = std::strtoull(argv[++i], nullptr, 10);
    } else if (argument == "--seed" && has_value) {
      options.seed = std::strtoull(argv[++i], nullptr, 10);
    } else if (argument == "--keep" && has_value) {
      options.keep = argv[++i];
    } else {
      options.paths.emplace_back(argument);
    }
  }
  return options;
}

void Keep(const std::string& path, const Input& input) {
  if (path.empty()) return;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(input.data()),
            static_cast<std::streamsize>(input.size()));
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = ParseOptions(argc, argv);
  const std::vector<Input> corpus = ReadCorpus(options.paths);
  if (corpus.empty()) {
    std::fprintf(stderr, "usage: %s [--iterations N] [--seed S] [--keep FILE] FILE|FOLDER...\n",
                 argv[0]);
    return 2;
  }
  for (const Input& input : corpus) {
    Keep(options.keep, input);
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  Mutator mutator(corpus, options.seed);
  for (uint64_t i = 0; i < options.iterations; ++i) {
    const Input input = mutator.Next();
    Keep(options.keep, input);
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  std::printf("%zu files, %llu mutations\n", corpus.size(),
              static_cast<unsigned long long>(options.iterations));
  return 0;
}
