#include "support/run_call.h"

#include <algorithm>
#include <cstring>
#include <sstream>
#include <string>
#include <utility>
#include <variant>

#include "emit/runtime_files.h"
#include "support/check.h"
#include "support/kernel_table.h"

namespace usmp::testing {
namespace {

struct Member {
  std::string type{}, name{};
  size_t count = 1;
};

std::string WithoutComments(std::string text) {
  for (size_t begin = 0; (begin = text.find("/*", begin)) != std::string::npos;) {
    text.erase(begin, text.find("*/", begin) + 2 - begin);
  }
  return text;
}

// The members of struct usmp_<kernel>_params, as they stand in the kernel's header. All have four
// bytes.
std::vector<Member> MembersOf(const std::string& kernel) {
  const std::string path = "kernels/" + kernel + ".h";
  const auto files = emit::RuntimeFiles();
  const auto file = std::ranges::find(files, path, &emit::RuntimeFile::path);
  USMP_CHECK(file != files.end());
  const std::string text = WithoutComments(std::string(file->content));
  const std::string head = "struct usmp_" + kernel + "_params {";
  const size_t begin = text.find(head) + head.size();
  std::istringstream lines(text.substr(begin, text.find("};", begin) - begin));
  std::vector<Member> members;
  for (std::string declaration; std::getline(lines, declaration, ';');) {
    Member member;
    if (!(std::istringstream(declaration) >> member.type >> member.name)) continue;
    if (const size_t bracket = member.name.find('['); bracket != std::string::npos) {
      member.count = std::stoul(member.name.substr(bracket + 1));
      member.name.resize(bracket);
    }
    members.push_back(std::move(member));
  }
  return members;
}

template <class T>
void Append(T value, std::vector<uint8_t>& bytes) {
  const size_t size = bytes.size();
  bytes.resize(size + sizeof value);
  std::memcpy(bytes.data() + size, &value, sizeof value);
}

void AppendInteger(int64_t value, std::vector<uint8_t>& bytes) {
  USMP_CHECK(value >= INT32_MIN && value <= INT32_MAX);
  Append(static_cast<int32_t>(value), bytes);
}

void Append(const Member& member, const lower::ParamValue& value, std::vector<uint8_t>& bytes) {
  USMP_CHECK((member.type == "float") == std::holds_alternative<float>(value));
  if (const auto* real = std::get_if<float>(&value)) return Append(*real, bytes);
  if (const auto* integer = std::get_if<int64_t>(&value)) {
    return AppendInteger(*integer, bytes);
  }
  const auto& values = std::get<std::vector<int64_t>>(value);
  USMP_CHECK(values.size() == member.count);
  for (int64_t element : values) AppendInteger(element, bytes);
}

std::vector<uint8_t> ParamsOf(const lower::Call& call) {
  std::vector<uint8_t> bytes;
  const std::vector<Member> members = MembersOf(call.kernel);
  USMP_CHECK(members.size() == call.params.size());
  for (const Member& member : members) {
    const auto param = std::ranges::find(call.params, member.name, &lower::Param::name);
    USMP_CHECK(param != call.params.end());
    Append(member, param->value, bytes);
  }
  return bytes;
}

}  // namespace

void RunCall(const lower::Call& call, const std::vector<void*>& operands, Variant variant) {
  const usmp_test_kernel* kernel =
      variant == Variant::kVector ? usmp_test_vector_kernels : usmp_test_plain_kernels;
  while (kernel->name != nullptr && kernel->name != call.kernel) ++kernel;
  USMP_CHECK(kernel->name != nullptr && kernel->operands == operands.size());
  const std::vector<uint8_t> params = ParamsOf(call);
  USMP_CHECK(params.size() == kernel->params_bytes);
  kernel->call(params.data(), operands.data());
}

}  // namespace usmp::testing
