// Runs a fuzz target without a fuzzer: every file of a corpus, then a fixed number of mutations of
// them. The same arguments do the same on every machine.
//
//   fuzz_x_replay CORPUS_FOLDER MUTATIONS
//
// When a mutation crashes, its bytes are in fuzz_crash.bin of the working folder.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

namespace fs = std::filesystem;

class Random {
 public:
  size_t Below(size_t count) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return count == 0 ? 0 : static_cast<size_t>(state_ >> 33) % count;
  }

 private:
  uint64_t state_ = 42;
};

std::vector<std::string> ReadCorpus(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> corpus;
  for (const fs::path& path : paths) {
    std::ifstream file(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return corpus;
}

// Replaces the digits around a place by a number at the edge of some type.
void PutNumber(std::string& text, size_t at, Random& random) {
  static const char* const kNumbers[] = {"0",
                                         "-1",
                                         "1",
                                         "2147483647",
                                         "-2147483648",
                                         "4294967296",
                                         "9223372036854775807",
                                         "-9223372036854775808",
                                         "18446744073709551616",
                                         "1e99",
                                         "0.5",
                                         "1152921504606846976"};
  size_t begin = at;
  while (begin > 0 && text[begin - 1] >= '0' && text[begin - 1] <= '9') --begin;
  size_t end = at;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  text.replace(begin, end - begin, kNumbers[random.Below(std::size(kNumbers))]);
}

void Mutate(std::string& text, const std::vector<std::string>& corpus, Random& random) {
  const size_t at = random.Below(text.size() + 1);
  const size_t length = random.Below(16);
  switch (random.Below(7)) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(random.Below(256));
      break;
    case 1:
      if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1U << random.Below(8)));
      break;
    case 2:
      text.erase(at, length);
      break;
    case 3:
      text.insert(at, text.substr(random.Below(text.size() + 1), length));
      break;
    case 4:
      PutNumber(text, at, random);
      break;
    case 5: {  // a piece of another file
      const std::string& other = corpus[random.Below(corpus.size())];
      text.insert(at, other.substr(random.Below(other.size() + 1), length * 8));
      break;
    }
    default:
      text.resize(at);
  }
}

void RunOne(const std::string& text) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s CORPUS_FOLDER MUTATIONS\n", argv[0]);
    return 2;
  }
  const std::vector<std::string> corpus = ReadCorpus(argv[1]);
  if (corpus.empty()) {
    std::fprintf(stderr, "%s: no files\n", argv[1]);
    return 2;
  }
  for (const std::string& text : corpus) RunOne(text);
  Random random;
  const long mutations = std::strtol(argv[2], nullptr, 10);
  for (long i = 0; i < mutations; ++i) {
    std::string text = corpus[random.Below(corpus.size())];
    for (size_t k = 1 + random.Below(6); k > 0; --k) Mutate(text, corpus, random);
    std::ofstream("fuzz_crash.bin", std::ios::binary) << text;
    RunOne(text);
  }
  std::remove("fuzz_crash.bin");
  std::printf("%zu files and %ld mutations\n", corpus.size(), mutations);
  return 0;
}
