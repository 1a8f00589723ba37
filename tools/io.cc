#include "io.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

namespace usmp::tools {
namespace {

namespace fs = std::filesystem;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

tl::unexpected<Error> CannotDo(const char* what, const std::string& path, int error_number) {
  return Fail(ErrorCode::kInvalidInput, path,
              std::string("cannot be ") + what + ": " + std::strerror(error_number));
}

// The errno of the first failure; 0 if everything, the flush at the end included, went well.
int WriteAll(const std::string& path, std::string_view text) {
  File file(std::fopen(path.c_str(), "wb"));
  if (!file) return errno;
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
  const int write_error = written ? 0 : (errno != 0 ? errno : EIO);
  const int close_error = std::fclose(file.release()) == 0 ? 0 : errno;
  return write_error != 0 ? write_error : close_error;
}

}  // namespace

Result<std::string> ReadFile(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return CannotDo("read", path, EISDIR);
  File file(std::fopen(path.c_str(), "rb"));
  if (!file) return CannotDo("read", path, errno);
  std::string text;
  char chunk[1 << 16];
  for (size_t got = 0; (got = std::fread(chunk, 1, sizeof(chunk), file.get())) > 0;) {
    text.append(chunk, got);
  }
  if (std::ferror(file.get()) != 0) return CannotDo("read", path, errno != 0 ? errno : EIO);
  return text;
}

namespace {

bool HasContent(const std::string& path, std::string_view text) {
  std::error_code code;
  if (fs::file_size(path, code) != text.size() || code) return false;
  const auto content = ReadFile(path);
  return content && *content == text;
}

}  // namespace

Result<void> WriteFile(const std::string& path, std::string_view text) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (fs::is_directory(status)) return CannotDo("written", path, EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    const int error_number = WriteAll(path, text);
    if (error_number != 0) return CannotDo("written", path, error_number);
    return {};
  }
  if (HasContent(path, text)) return {};
  // Through a symbolic link the file that it names is replaced, not the link.
  fs::path target = fs::exists(status) ? fs::canonical(path, code) : fs::path(path);
  if (code) target = path;
  const std::string temporary = target.string() + ".tmp" + std::to_string(::getpid());
  int error_number = WriteAll(temporary, text);
  if (error_number == 0 && std::rename(temporary.c_str(), target.c_str()) != 0) {
    error_number = errno;
  }
  if (error_number == 0) return {};
  std::remove(temporary.c_str());
  return CannotDo("written", path, error_number);
}

int PrintError(const Error& error) {
  for (const Diagnostic& diagnostic : error.diagnostics) {
    std::fprintf(stderr, "error: %s%s%s\n", diagnostic.where.c_str(),
                 diagnostic.where.empty() ? "" : ": ", diagnostic.message.c_str());
  }
  return 1;
}

int PictureColumns(std::FILE* stream) {
  constexpr int kDefault = 100;
  winsize window{};
  const bool is_known = ioctl(fileno(stream), TIOCGWINSZ, &window) == 0 && window.ws_col > 0;
  return is_known ? std::clamp<int>(window.ws_col, 60, 160) : kDefault;
}

}  // namespace usmp::tools
