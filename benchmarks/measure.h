// Measuring: processor time of this thread, order statistics, and what other programs report.
#ifndef USMP_BENCHMARKS_MEASURE_H_
#define USMP_BENCHMARKS_MEASURE_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace usmp::benchmarks {

// Processor time of the calling thread, microseconds.
double ThreadMicroseconds();

// In the unit of the samples.
struct Timing {
  double median = 0, min = 0;
};
Timing TimingOf(std::vector<double> samples);

// Times the functions in turns (A B C A B C ...), so that a change of the machine's speed meets
// them all. A sample is the mean over as many calls as take about `sample_us`; one untimed call of
// each comes first.
std::vector<Timing> Interleaved(std::span<const std::function<void()>> functions, int rounds,
                                double sample_us);

double GeometricMean(std::span<const double> values);  // NaN for none

// The largest resident set of a program run to its end, in kilobytes; empty if it failed. The
// figure cannot be lower than this process's own at the time of the call.
std::optional<int64_t> PeakKilobytes(const std::vector<std::string>& arguments);

}  // namespace usmp::benchmarks

#endif  // USMP_BENCHMARKS_MEASURE_H_
