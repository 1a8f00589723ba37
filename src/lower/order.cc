#include "lower/order.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

#include "support/check.h"

namespace usmp::lower {
namespace {

size_t Index(BufferId id) { return static_cast<size_t>(id); }

// A set of calls.
class CallSet {
 public:
  explicit CallSet(size_t calls) : words_((calls + 63) / 64, 0) {}
  bool Has(size_t call) const { return (words_[call / 64] >> (call % 64) & 1) != 0; }
  void Add(size_t call) { words_[call / 64] |= uint64_t{1} << (call % 64); }
  friend bool operator<(const CallSet& a, const CallSet& b) { return a.words_ < b.words_; }

 private:
  std::vector<uint64_t> words_;
};

// What the calls need of each other and of memory.
class Problem {
 public:
  Problem(const Program& program, const OrderOptions& options)
      : program_(program),
        options_(options),
        sizes_(program.buffers.size(), 0),
        users_(program.buffers.size()),
        before_(program.calls.size()),
        after_(program.calls.size()),
        buffers_(program.calls.size()) {
    for (size_t call = 0; call < program.calls.size(); ++call) AddCall(call);
    for (size_t i = 0; i < sizes_.size(); ++i) sizes_[i] = CountedBytes(BufferId(i));
  }

  size_t call_count() const { return before_.size(); }

  // No order has a lower peak: the most that one call needs while all it can share is shared.
  Bytes Floor() const {
    const CallSet none(call_count());
    Bytes floor = InitialBytes();
    for (size_t call = 0; call < call_count(); ++call) {
      Bytes bytes = 0;
      for (BufferId id : buffers_[call]) bytes += SizeOf(id);
      if (options_.overlap) bytes -= Saving(call, buffers_[call], none);
      floor = std::max(floor, bytes);
    }
    return floor;
  }

  // Alive before the first call.
  Bytes InitialBytes() const {
    Bytes bytes = 0;
    for (size_t i = 0; i < sizes_.size(); ++i) {
      if (IsThereFirst(BufferId(i))) bytes += sizes_[i];
    }
    return bytes;
  }

  std::vector<uint32_t> InitiallyReady() const {
    std::vector<uint32_t> ready;
    for (size_t call = 0; call < before_.size(); ++call) {
      if (before_[call].empty()) ready.push_back(static_cast<uint32_t>(call));
    }
    return ready;
  }

  // Ready once `call`, of those in `ready`, is done too; `done` has it.
  std::vector<uint32_t> ReadyAfter(const std::vector<uint32_t>& ready, size_t call,
                                   const CallSet& done) const {
    std::vector<uint32_t> next;
    std::ranges::copy_if(ready, std::back_inserter(next), [&](size_t r) { return r != call; });
    for (uint32_t follower : after_[call]) {
      if (std::ranges::all_of(before_[follower], [&](size_t b) { return done.Has(b); })) {
        next.push_back(follower);
      }
    }
    return next;
  }

  // Does `call` use what `other` makes?
  bool IsBefore(size_t other, size_t call) const {
    return std::ranges::find(before_[call], other) != before_[call].end();
  }

  struct Effect {
    Bytes during = 0, after = 0;  // added to what was alive before
  };
  Effect EffectOf(size_t call, const CallSet& done) const {
    Effect effect;
    std::vector<BufferId> dying;
    for (BufferId id : buffers_[call]) {
      const bool is_born = IsBorn(id, done);
      const bool dies = Dies(id, call, done);
      if (is_born) effect.during += SizeOf(id);
      if (is_born && !dies) effect.after += SizeOf(id);
      if (!is_born && dies) effect.after -= SizeOf(id);
      if (!is_born && dies) dying.push_back(id);
    }
    if (options_.overlap) effect.during -= Saving(call, dying, done);
    return effect;
  }

 private:
  Bytes SizeOf(BufferId id) const { return sizes_[Index(id)]; }

  const WorkspaceIo* IoOf(BufferId id) const {
    const auto found = std::ranges::find(options_.io, id, &WorkspaceIo::buffer);
    return found == options_.io.end() ? nullptr : &*found;
  }

  Bytes CountedBytes(BufferId id) const {
    const Buffer& buffer = program_[id];
    const bool is_io = buffer.kind == BufferKind::kInput || buffer.kind == BufferKind::kOutput;
    const bool is_elsewhere =
        buffer.kind == BufferKind::kConstant || (is_io && IoOf(id) == nullptr);
    return is_elsewhere || users_[Index(id)].empty() ? 0 : buffer.size_bytes();
  }

  void AddCall(size_t call) {
    for (const Operand& operand : program_.calls[call].operands) {
      if (!operand.buffer || program_[*operand.buffer].kind == BufferKind::kConstant) continue;
      std::vector<User>& users = users_[Index(*operand.buffer)];
      for (const User& user : users) {
        if (user.call == call) continue;
        if (user.writes || operand.access != Access::kRead) AddEdge(user.call, call);
      }
      users.push_back({call, operand.access != Access::kRead});
      std::vector<BufferId>& buffers = buffers_[call];
      if (std::ranges::find(buffers, *operand.buffer) == buffers.end()) {
        buffers.push_back(*operand.buffer);
      }
    }
  }

  void AddEdge(size_t before, size_t call) {
    const auto from = static_cast<uint32_t>(before);
    if (std::ranges::find(before_[call], from) != before_[call].end()) return;
    before_[call].push_back(from);
    after_[before].push_back(static_cast<uint32_t>(call));
  }

  bool IsThereFirst(BufferId id) const {
    return program_[id].kind == BufferKind::kInput || program_[id].kind == BufferKind::kState;
  }

  // Not alive before the call that uses it next.
  bool IsBorn(BufferId id, const CallSet& done) const {
    return !IsThereFirst(id) && std::ranges::none_of(users_[Index(id)], [&](const User& user) {
      return done.Has(user.call);
    });
  }

  bool Dies(BufferId id, size_t call, const CallSet& done) const {
    const BufferKind kind = program_[id].kind;
    if (kind == BufferKind::kOutput || kind == BufferKind::kState) return false;
    if (const WorkspaceIo* io = IoOf(id); io != nullptr && io->is_precious) return false;
    return std::ranges::all_of(users_[Index(id)], [&](const User& user) {
      return user.call == call || done.Has(user.call);
    });
  }

  // Bytes that outputs have in common with dying inputs: each input as many as it can for itself,
  // and no output more than it has. No plan has more.
  Bytes Saving(size_t call, const std::vector<BufferId>& dying, const CallSet& done) const {
    Bytes saving = 0;
    for (BufferId output : buffers_[call]) {
      if (!IsBorn(output, done)) continue;
      Bytes common = 0;
      for (BufferId input : dying) common += CommonBytes(call, input, output);
      saving += std::min(common, SizeOf(output));
    }
    return saving;
  }

  Bytes CommonBytes(size_t call, BufferId input, BufferId output) const {
    Bytes most = 0;
    for (const CallOverlap& overlap : program_.calls[call].overlaps) {
      if (overlap.input != input || overlap.output != output) continue;
      const Bytes in = SizeOf(input), out = SizeOf(output);
      for (const auto& distance : {overlap.forward_distance, overlap.reverse_distance}) {
        if (!distance || in == 0 || out == 0) continue;
        const Bytes both = std::max({in, out, in + std::max<Bytes>(*distance, 0)});
        most = std::max(most, in + out - both);
      }
    }
    return most;
  }

  struct User {
    size_t call = 0;
    bool writes = false;
  };

  const Program& program_;
  const OrderOptions& options_;
  std::vector<Bytes> sizes_;                    // by BufferId: what counts of it
  std::vector<std::vector<User>> users_;        // by BufferId
  std::vector<std::vector<uint32_t>> before_;   // by call: must be done
  std::vector<std::vector<uint32_t>> after_;    // by call: wait for it
  std::vector<std::vector<BufferId>> buffers_;  // by call, each once
};

// How a set of calls was reached best.
struct State {
  Bytes peak = 0, alive = 0;
  size_t parent = 0;  // in the level before
  size_t call = 0;    // the last one
};

struct Level {
  std::vector<CallSet> sets{};
  std::vector<State> states{};
  std::vector<std::vector<uint32_t>> ready{};  // by state; of the last level only
};

class Search {
 public:
  Search(const Problem& problem, int64_t max_states) : problem_(problem), left_(max_states) {}

  // Orders with a lower peak than `limit` only. Empty: there is none, or none was found.
  std::vector<size_t> Run(Bytes limit) {
    Level first;
    first.sets.emplace_back(problem_.call_count());
    first.states.push_back({problem_.Floor(), problem_.InitialBytes()});
    first.ready.push_back(problem_.InitiallyReady());
    levels_.push_back(std::move(first));
    while (levels_.size() <= problem_.call_count()) {
      Level next = Expand(levels_.back(), limit);
      if (next.states.empty()) return {};
      levels_.back().sets.clear();
      levels_.back().ready.clear();
      levels_.push_back(std::move(next));
    }
    return Backtrack();
  }

  bool is_exact() const { return is_exact_; }
  Bytes peak() const { return levels_.back().states[0].peak; }

 private:
  Level Expand(const Level& level, Bytes limit) {
    std::map<CallSet, State> next;
    for (size_t i = 0; i < level.states.size(); ++i) {
      for (const State& to : Moves(level, i)) {
        if (to.peak >= limit) continue;
        CallSet set = level.sets[i];
        set.Add(to.call);
        const auto [at, is_new] = next.try_emplace(std::move(set), to);
        if (!is_new && to.peak < at->second.peak) at->second = to;
      }
    }
    return Kept(level, next);
  }

  // What can be done next. A call that neither raises the peak nor leaves more alive may as well be
  // done at once: whatever comes before it in an order that is otherwise the same needs no more
  // after it, because then no fewer buffers are dead.
  std::vector<State> Moves(const Level& level, size_t state) const {
    const State& from = level.states[state];
    std::vector<State> moves;
    for (uint32_t call : level.ready[state]) {
      const Problem::Effect effect = problem_.EffectOf(call, level.sets[state]);
      const State to{std::max(from.peak, from.alive + effect.during), from.alive + effect.after,
                     state, call};
      if (to.peak == from.peak && to.alive <= from.alive) return {to};
      moves.push_back(to);
    }
    return moves;
  }

  // All of them while there is effort left, then the best few.
  Level Kept(const Level& from, const std::map<CallSet, State>& next) {
    constexpr size_t kFew = 64;
    std::vector<const std::pair<const CallSet, State>*> kept;
    for (const auto& entry : next) kept.push_back(&entry);
    left_ -= static_cast<int64_t>(kept.size());
    if (left_ < 0 && kept.size() > kFew) {
      is_exact_ = false;
      std::ranges::stable_sort(kept, {}, [](const auto* entry) {
        return std::pair(entry->second.peak, entry->second.alive);
      });
      kept.resize(kFew);
    }
    Level level;
    for (const auto* entry : kept) {
      level.sets.push_back(entry->first);
      level.states.push_back(entry->second);
      const State& state = entry->second;
      level.ready.push_back(
          problem_.ReadyAfter(from.ready[state.parent], state.call, entry->first));
    }
    return level;
  }

  std::vector<size_t> Backtrack() const {
    std::vector<size_t> calls;
    size_t state = 0;
    for (size_t level = levels_.size(); level-- > 1;) {
      const State& at = levels_[level].states[state];
      calls.push_back(at.call);
      state = at.parent;
    }
    std::ranges::reverse(calls);
    return calls;
  }

  const Problem& problem_;
  int64_t left_;
  bool is_exact_ = true;
  std::vector<Level> levels_{};
};

Bytes PeakOf(const Problem& problem, const std::vector<size_t>& calls) {
  CallSet done(problem.call_count());
  Bytes alive = problem.InitialBytes();
  Bytes peak = alive;
  for (size_t call : calls) {
    const Problem::Effect effect = problem.EffectOf(call, done);
    peak = std::max(peak, alive + effect.during);
    alive += effect.after;
    done.Add(call);
  }
  return peak;
}

}  // namespace

Order FindOrder(const Program& program, const OrderOptions& options) {
  const Problem problem(program, options);
  Order order;
  order.calls.resize(problem.call_count());
  std::iota(order.calls.begin(), order.calls.end(), size_t{0});
  order.peak_bytes = PeakOf(problem, order.calls);
  Search search(problem, options.max_states);
  std::vector<size_t> better = search.Run(order.peak_bytes);
  order.is_exact = search.is_exact();
  if (!better.empty()) {
    order.calls = std::move(better);
    order.peak_bytes = search.peak();
  }
  return order;
}

bool HasOneOrder(const Program& program) {
  const OrderOptions options;
  const Problem problem(program, options);
  for (size_t call = 1; call < problem.call_count(); ++call) {
    if (!problem.IsBefore(call - 1, call)) return false;
  }
  return true;
}

Program Reordered(const Program& program, const std::vector<size_t>& calls) {
  USMP_CHECK(calls.size() == program.calls.size());
  Program reordered = program;
  for (size_t i = 0; i < calls.size(); ++i) reordered.calls[i] = program.calls[calls[i]];
  return reordered;
}

}  // namespace usmp::lower
