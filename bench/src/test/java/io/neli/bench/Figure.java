package io.neli.bench;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** One line of the table: a measured quantity, its values, and whether they meet the targets. */
public final class Figure {

    private final String name;
    private final String unit;
    private final double medianTarget;
    private final double maxTarget;
    private final List<Double> values = new ArrayList<>();

    /**
     * Creates a figure without values.
     *
     * @param medianTarget the largest acceptable median; NaN accepts any
     * @param maxTarget the largest acceptable maximum; NaN accepts any
     */
    public Figure(String name, String unit, double medianTarget, double maxTarget) {
        this.name = name;
        this.unit = unit;
        this.medianTarget = medianTarget;
        this.maxTarget = maxTarget;
    }

    public void addNanos(long nanos) {
        add(nanos / 1e6);
    }

    public void add(double value) {
        values.add(value);
        System.out.printf("  %s: %,.1f %s (load %.1f)%n", name, value, unit, load());
    }

    public static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    public double median() {
        List<Double> sorted = sorted();
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }

    private double max() {
        return Collections.max(values);
    }

    private List<Double> sorted() {
        return values.stream().sorted().toList();
    }

    public boolean isMissed() {
        return median() > medianTarget || max() > maxTarget; // NaN is never exceeded
    }

    public static String header() {
        return String.format("%-78s %-26s %9s %9s %9s %3s", "figure", "target", "median", "min", "max", "n");
    }

    @Override
    public String toString() {
        return String.format(
                "%-78s %-26s %,9.1f %,9.1f %,9.1f %3d%s",
                name + ", " + unit,
                target(),
                median(),
                Collections.min(values),
                max(),
                values.size(),
                isMissed() ? "  MISSED" : "");
    }

    private String target() {
        List<String> targets = new ArrayList<>();
        if (!Double.isNaN(medianTarget)) {
            targets.add(String.format("median <= %,.0f", medianTarget));
        }
        if (!Double.isNaN(maxTarget)) {
            targets.add(String.format("max <= %,.0f", maxTarget));
        }
        return String.join(", ", targets);
    }
}
