package io.neli.sample.lab.history;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/** What is said of so many durations, in milliseconds; nothing but their number where there is none. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Summary(
        int count, @Nullable Long min, @Nullable Long median, @Nullable Long max, @Nullable List<Bin> histogram) {

    static Summary of(List<Long> durations) {
        if (durations.isEmpty()) {
            return new Summary(0, null, null, null, null);
        }
        List<Long> sorted = durations.stream().sorted().toList();
        int size = sorted.size();
        long median = (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2;
        return new Summary(size, sorted.get(0), median, sorted.get(size - 1), Bin.histogram(sorted));
    }
}
