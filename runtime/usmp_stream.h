/* A chain of operators that runs row by row: which part of it makes its next row. */
#ifndef USMP_STREAM_H_
#define USMP_STREAM_H_

#include "usmp_runtime.h"

/* Row y of the tensor that strip `consumer` makes needs rows 0 to y * step + lead, as far as there
   are so many, of the tensor that strip `producer` makes, which has `rows` rows. */
struct usmp_stream_need {
  int16_t consumer;
  int16_t producer;
  int16_t rows;
  int16_t step;
  int16_t lead;
};

/* The strip whose next row is to be made for the next row of strip `last`: itself, or the one that
   has to come first. made[k] rows of strip k exist. A producer has a lower number than its
   consumers, and `needs` are sorted by consumer, descending: one walk finds it. */
USMP_INLINE int32_t usmp_stream_next(const struct usmp_stream_need* needs, int32_t count,
                                     int32_t last, const int16_t* made) {
  int32_t strip = last;
  for (; count > 0; --count, ++needs) {
    if (needs->consumer != strip) continue;
    const int32_t until = (int32_t)made[strip] * needs->step + needs->lead;
    if (made[needs->producer] <= usmp_min_s32(until, needs->rows - 1)) strip = needs->producer;
  }
  return strip;
}

#endif /* USMP_STREAM_H_ */
