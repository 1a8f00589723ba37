#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "usmp/report.h"

namespace usmp {
namespace {

constexpr int kMinColumns = 40;
constexpr int kMaxStepWidth = 12;
constexpr int kNameInLegend = 28;
// One for each buffer, in the order of the legend; beyond them, from the start again.
constexpr const char* kSymbols[] = {
    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s",
    "t", "u", "v", "w", "x", "y", "z", "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L",
    "M", "N", "O", "P", "Q", "R", "S", "T", "U", "V", "W", "X", "Y", "Z", "0", "1", "2", "3", "4",
    "5", "6", "7", "8", "9", "α", "β", "γ", "δ", "ε", "ζ", "η", "θ", "ι", "κ", "λ", "μ", "ξ", "π",
    "ρ", "σ", "τ", "φ", "χ", "ψ", "ω", "Γ", "Δ", "Θ", "Λ", "Ξ", "Π", "Σ", "Φ", "Ψ", "Ω", "б", "г",
    "д", "ж", "и", "й", "л", "ф", "ц", "ч", "ш", "щ", "ы", "э", "ю", "я"};

// A place of the canvas: one character on the terminal, up to four bytes.
using Cell = std::string;

bool ContinuesCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// The characters of a name, control characters replaced.
std::vector<Cell> Characters(const std::string& name) {
  std::vector<Cell> out;
  for (char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (ContinuesCharacter(c) && !out.empty()) {
      out.back() += c;
    } else {
      out.emplace_back(1, byte < 0x20 || byte == 0x7F ? '?' : c);
    }
  }
  return out;
}

std::string Joined(const std::vector<Cell>& cells) {
  return std::accumulate(cells.begin(), cells.end(), std::string());
}

// Cut or filled to `width` characters. Names that are cut keep their end, which tells them apart.
std::string Fitted(const std::string& name, size_t width) {
  std::vector<Cell> cells = Characters(name);
  if (cells.size() > width) {
    cells.erase(cells.begin(), cells.end() - static_cast<ptrdiff_t>(width - 1));
    cells.insert(cells.begin(), "…");
  }
  cells.resize(width, " ");
  return Joined(cells);
}

bool IsAlive(const ReportBuffer& buffer, int32_t step) {
  return std::ranges::any_of(buffer.lifetimes, [step](const Lifetime& steps) {
    return steps.begin <= step && step < steps.end;
  });
}

std::string_view KindName(BufferKind kind) {
  return kind == BufferKind::kIntermediate ? "tensor" : Name(kind);
}

// "0-3, 7": the steps, both ends inclusive as people read them.
std::string StepsText(const std::vector<Lifetime>& lifetimes) {
  std::string out;
  for (const Lifetime& steps : lifetimes) {
    if (!out.empty()) out += ", ";
    out += steps.end - steps.begin == 1 ? fmt::format("{}", steps.begin)
                                        : fmt::format("{}-{}", steps.begin, steps.end - 1);
  }
  return out;
}

// One pool: a picture, what is alive at its peak, and a legend.
class PoolMap {
 public:
  PoolMap(const Report& report, PoolId pool, int columns)
      : report_(report), pool_(report.pools[static_cast<size_t>(pool)]), columns_(columns) {
    for (const ReportBuffer& buffer : report.buffers) {
      if (buffer.allocation.pool == pool && buffer.bytes > 0) buffers_.push_back(&buffer);
    }
    std::ranges::stable_sort(buffers_, {}, [](const ReportBuffer* buffer) {
      const int32_t begin = buffer->lifetimes.empty() ? 0 : buffer->lifetimes.front().begin;
      return std::pair(begin, buffer->allocation.byte_offset);
    });
    FindMoments();
    FindPeak();
    left_ = static_cast<int>(fmt::format("{}", pool_.bytes).size()) + 1;
    Scale();
  }

  std::string Text() const {
    std::string out = Title();
    if (buffers_.empty()) return out;
    if (!moments_.empty()) out += Picture() + Axis() + AtThePeak();
    return out + Legend();
  }

 private:
  std::string Title() const {
    std::string out = fmt::format("pool '{}': {} B", pool_.name, pool_.bytes);
    if (pool_.size_hint_bytes) out += fmt::format(" of {}", *pool_.size_hint_bytes);
    out += fmt::format(", {} buffer{}", buffers_.size(), buffers_.size() == 1 ? "" : "s");
    return out + (pool_.is_internal ? "\n" : ", provided by the caller\n");
  }

  // Steps at which something begins or ends; nothing changes between two of them.
  void FindMoments() {
    std::set<int32_t> steps;
    for (const ReportBuffer* buffer : buffers_) {
      for (const auto& [begin, end] : buffer->lifetimes) steps.insert({begin, end});
    }
    for (const ReportCall& call : report_.calls) steps.insert({call.step, call.step + 1});
    moments_.assign(steps.begin(), steps.end());
    if (!moments_.empty()) moments_.pop_back();  // where the last one ends
  }

  void FindPeak() {
    for (int32_t step : moments_) {
      const Bytes bytes = BytesAlive(step);
      if (bytes <= peak_bytes_) continue;
      peak_bytes_ = bytes;
      peak_step_ = step;
    }
  }

  Bytes BytesAlive(int32_t step) const {
    Bytes bytes = 0;
    for (const ReportBuffer* buffer : buffers_) bytes += IsAlive(*buffer, step) ? buffer->bytes : 0;
    return bytes;
  }

  // Where there are more steps than places, several share one: the first of each group is shown,
  // but the peak is always one of those shown.
  void Scale() {
    const int available = std::max(1, columns_ - left_ - 2);
    const int count = std::max(1, static_cast<int>(moments_.size()));
    step_width_ = std::clamp(available / count, 1, kMaxStepWidth);
    const int per_place = (count + available - 1) / available;
    for (size_t i = 0; i < moments_.size(); i += static_cast<size_t>(per_place)) {
      const auto begin = moments_.begin() + static_cast<ptrdiff_t>(i);
      const auto end = moments_.begin() + static_cast<ptrdiff_t>(std::min(
                                              i + static_cast<size_t>(per_place), moments_.size()));
      const bool has_peak = std::find(begin, end, peak_step_) != end;
      shown_.push_back(has_peak ? peak_step_ : *begin);
    }
    const auto wanted = static_cast<Bytes>(std::clamp<size_t>(buffers_.size() * 2, 8, 24));
    rows_ = static_cast<int>(std::min(pool_.bytes, wanted));
  }

  Bytes RowBegin(int row) const {
    // bytes * row / rows without overflow
    return pool_.bytes / rows_ * row + pool_.bytes % rows_ * row / rows_;
  }

  // The buffer with most bytes in the row at the step; -1: free.
  int BufferAt(int row, int32_t step) const {
    int best = -1;
    Bytes most = 0;
    for (size_t i = 0; i < buffers_.size(); ++i) {
      const Bytes offset = buffers_[i]->allocation.byte_offset;
      const Bytes shared = std::min(offset + buffers_[i]->bytes, RowBegin(row + 1)) -
                           std::max(offset, RowBegin(row));
      if (shared <= most || !IsAlive(*buffers_[i], step)) continue;
      most = shared;
      best = static_cast<int>(i);
    }
    return best;
  }

  Cell SymbolOf(int buffer) const {
    if (buffer < 0) return "·";
    return kSymbols[static_cast<size_t>(buffer) % std::size(kSymbols)];
  }

  std::vector<std::vector<int>> Grid() const {
    std::vector<std::vector<int>> grid(static_cast<size_t>(rows_));
    for (int row = 0; row < rows_; ++row) {
      for (int32_t step : shown_) grid[static_cast<size_t>(row)].push_back(BufferAt(row, step));
    }
    return grid;
  }

  // The fill of a row, with a bar where a buffer begins.
  std::vector<Cell> Filled(const std::vector<int>& row) const {
    std::vector<Cell> cells;
    for (size_t i = 0; i < row.size(); ++i) {
      const bool begins = i > 0 && row[i] != row[i - 1];
      for (int k = 0; k < step_width_; ++k) {
        cells.push_back(k == 0 && begins && step_width_ > 2 ? "│" : SymbolOf(row[i]));
      }
    }
    return cells;
  }

  // Writes the name of every buffer into the longest run of its middle row, where there is room.
  void PutNames(const std::vector<std::vector<int>>& grid,
                std::vector<std::vector<Cell>>& canvas) const {
    for (size_t buffer = 0; buffer < buffers_.size(); ++buffer) {
      std::vector<size_t> rows;
      for (size_t row = 0; row < grid.size(); ++row) {
        if (std::ranges::count(grid[row], static_cast<int>(buffer)) > 0) rows.push_back(row);
      }
      if (!rows.empty()) PutName(buffer, grid, canvas, rows[rows.size() / 2]);
    }
  }

  void PutName(size_t buffer, const std::vector<std::vector<int>>& grid,
               std::vector<std::vector<Cell>>& canvas, size_t row) const {
    size_t best_begin = 0;
    size_t best_length = 0;
    for (size_t i = 0; i < grid[row].size(); ++i) {
      size_t end = i;
      while (end < grid[row].size() && grid[row][end] == static_cast<int>(buffer)) ++end;
      if (end - i > best_length) {
        best_begin = i;
        best_length = end - i;
      }
      i = std::max(i, end);
    }
    const auto width = static_cast<size_t>(step_width_);
    const std::vector<Cell> name = Characters(buffers_[buffer]->name);
    const size_t room = best_length * width;
    if (room < name.size() + 4) return;
    size_t at = best_begin * width + (room - name.size() - 2 + 1) / 2;
    canvas[row][at++] = " ";
    for (const Cell& cell : name) canvas[row][at++] = cell;
    canvas[row][at] = " ";
  }

  std::string Picture() const {
    const std::vector<std::vector<int>> grid = Grid();
    std::vector<std::vector<Cell>> canvas;
    for (const std::vector<int>& row : grid) canvas.push_back(Filled(row));
    PutNames(grid, canvas);
    std::string out = fmt::format("{:>{}} ┐\n", pool_.bytes, left_);
    for (int row = rows_ - 1; row >= 0; --row) {
      const bool has_label = row % 4 == 0;
      const std::string label = has_label ? fmt::format("{}", RowBegin(row)) : "";
      out += fmt::format("{:>{}} {}{}\n", label, left_, has_label ? "┤" : "│",
                         Joined(canvas[static_cast<size_t>(row)]));
    }
    return out;
  }

  // The steps under the picture, as many numbers as there is room for, and the place of the peak.
  std::string Axis() const {
    const auto width = static_cast<size_t>(step_width_);
    std::string line = fmt::format("{:>{}} └", "", left_);
    for (size_t i = 0; i < shown_.size(); ++i) {
      line += "┴";
      for (size_t k = 1; k < width; ++k) line += "─";
    }
    std::string numbers;
    size_t peak_at = 0;
    for (size_t i = 0; i < shown_.size(); ++i) {
      if (shown_[i] == peak_step_) peak_at = i * width;
      if (numbers.size() > i * width || (i > 0 && numbers.size() == i * width)) continue;
      numbers.resize(i * width, ' ');
      numbers += fmt::format("{} ", shown_[i]);
    }
    const std::string indent(static_cast<size_t>(left_) + 2, ' ');
    while (numbers.ends_with(' ')) numbers.pop_back();
    std::string out = line + "\n" + indent + numbers + "  step\n";
    return out + indent + std::string(peak_at, ' ') + "▲ peak\n";
  }

  std::string AtThePeak() const {
    std::string out =
        fmt::format("at the peak, step {}{}: {} B alive", peak_step_, CallAtPeak(), peak_bytes_);
    if (peak_bytes_ < pool_.bytes) {
      out += fmt::format(", {} B between them free", pool_.bytes - peak_bytes_);
    }
    out += "\n";
    std::vector<size_t> alive;
    for (size_t i = 0; i < buffers_.size(); ++i) {
      if (IsAlive(*buffers_[i], peak_step_)) alive.push_back(i);
    }
    std::ranges::stable_sort(alive, std::greater{},
                             [this](size_t i) { return buffers_[i]->bytes; });
    for (size_t i : alive) {
      const Bytes percent = buffers_[i]->bytes * 100 / std::max<Bytes>(1, peak_bytes_);
      out += fmt::format("  {} {:>{}} B {:>3}%  {}\n", SymbolOf(static_cast<int>(i)),
                         buffers_[i]->bytes, left_, percent, Joined(Characters(buffers_[i]->name)));
    }
    return out;
  }

  std::string CallAtPeak() const {
    const auto call = std::ranges::find(report_.calls, peak_step_, &ReportCall::step);
    if (call == report_.calls.end()) return "";
    return fmt::format(" ({})", call->label.empty() ? call->kernel : call->label);
  }

  std::string Legend() const {
    const size_t bytes_width = std::max<size_t>(5, static_cast<size_t>(left_));
    std::string out =
        fmt::format("  {:<{}} {:>{}} {:>{}}  {:<10} steps\n", "  buffer", kNameInLegend + 2,
                    "bytes", bytes_width, "offset", bytes_width + 1, "kind");
    for (size_t i = 0; i < buffers_.size(); ++i) {
      const ReportBuffer& buffer = *buffers_[i];
      out += fmt::format("  {} {} {:>{}} {:>{}}  {:<10} {}\n", SymbolOf(static_cast<int>(i)),
                         Fitted(buffer.name, kNameInLegend), buffer.bytes, bytes_width,
                         buffer.allocation.byte_offset, bytes_width + 1, KindName(buffer.kind),
                         StepsText(buffer.lifetimes));
    }
    return out;
  }

  const Report& report_;
  const ReportPool& pool_;
  int columns_;
  std::vector<const ReportBuffer*> buffers_{};
  std::vector<int32_t> moments_{};
  std::vector<int32_t> shown_{};  // of moments_: one for each place across
  int32_t peak_step_ = 0;
  Bytes peak_bytes_ = 0;
  int left_ = 0;  // width of the addresses
  int step_width_ = 1;
  int rows_ = 1;
};

// What is alive at the peak is listed above it; a short reason is repeated.
std::string ProofLine(const Report& report, int columns) {
  constexpr size_t kLengthWithoutReason = 70;
  const bool is_short = report.witness.size() + kLengthWithoutReason < static_cast<size_t>(columns);
  const std::string why =
      report.witness.empty() || !is_short ? "" : fmt::format(" ({})", report.witness);
  if (report.proof == Proof::kMeetsLowerBound) {
    return fmt::format("peak {} B = lower bound: no smaller plan exists for this schedule{}\n",
                       report.workspace_bytes, why);
  }
  if (report.proof == Proof::kExhausted) {
    return fmt::format(
        "peak {} B: no smaller plan exists for this schedule, by exhaustive search{}\n",
        report.workspace_bytes, why);
  }
  const double percent = 100.0 *
                         static_cast<double>(report.workspace_bytes - report.lower_bound_bytes) /
                         static_cast<double>(std::max<Bytes>(1, report.lower_bound_bytes));
  return fmt::format("peak {} B, at most {:.1f}% above the least: lower bound {} B{}\n",
                     report.workspace_bytes, percent, report.lower_bound_bytes, why);
}

}  // namespace

std::string MemoryMap(const Report& report, int columns) {
  std::string out;
  for (size_t i = 0; i < report.pools.size(); ++i) {
    if (report.pools[i].kind != PoolKind::kWorkspace) continue;
    out += PoolMap(report, static_cast<PoolId>(i), std::max(columns, kMinColumns)).Text() + "\n";
  }
  for (const ReportPool& pool : report.pools) {
    if (pool.kind != PoolKind::kConstant) continue;
    out += fmt::format("pool '{}': {} B of constants\n", pool.name, pool.bytes);
  }
  return out + ProofLine(report, columns);
}

}  // namespace usmp
