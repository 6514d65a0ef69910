package io.neli.sample.lab.history;

import java.util.ArrayList;
import java.util.List;

/**
 * One bar of a histogram.
 *
 * @param to exclusive
 */
public record Bin(long from, long to, int count) {

    private static final int MOST = 12;

    /** At most a dozen bins of the same round width, from the smallest value to the largest; the values must be sorted. */
    static List<Bin> histogram(List<Long> sorted) {
        long min = sorted.get(0);
        long max = sorted.get(sorted.size() - 1);
        long width = width(min, max);
        List<Bin> bins = new ArrayList<>();
        for (long from = min / width * width; from <= max; from += width) {
            long begin = from;
            long end = from + width;
            bins.add(new Bin(begin, end, (int) sorted.stream()
                    .filter(value -> begin <= value && value < end)
                    .count()));
        }
        return List.copyOf(bins);
    }

    /** 1, 2 or 5 times a power of ten. */
    private static long width(long min, long max) {
        for (long power = 1; ; power *= 10) {
            for (long width : new long[] {power, 2 * power, 5 * power}) {
                if (max / width - min / width < MOST) {
                    return width;
                }
            }
        }
    }
}
