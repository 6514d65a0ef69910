package io.neli.spring.gate;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.StringUtils;

/**
 * The times of a cron expression. A job at a certain hour runs once on the days when the clock is changed: a time that
 * does not exist comes as much later as the clock is set forward, and of one that comes twice the first counts. A job
 * of every hour goes by the time that passes.
 */
final class CronTimes implements UnaryOperator<@Nullable Instant> {

    private static final int HOUR = 2;

    private final CronExpression cron;
    private final ZoneId zone;
    private final boolean everyHour;

    CronTimes(String expression, ZoneId zone) {
        this.cron = CronExpression.parse(expression);
        this.zone = zone;
        this.everyHour = isEveryHour(StringUtils.tokenizeToStringArray(cron.toString(), " ")[HOUR]);
    }

    private static boolean isEveryHour(String hours) {
        CronExpression onTheHour = CronExpression.parse("0 0 " + hours + " * * *");
        LocalDateTime midnight = LocalDate.EPOCH.atStartOfDay();
        return IntStream.range(0, 24).mapToObj(midnight::plusHours).allMatch(hour -> hour.plusHours(1)
                .equals(onTheHour.next(hour)));
    }

    @Override
    public @Nullable Instant apply(@Nullable Instant time) {
        if (time == null) {
            return null;
        }
        if (everyHour) {
            var next = cron.next(time.atZone(zone));
            if (next == null || next.toInstant().isAfter(time)) { // not always where a change is half an hour
                return next == null ? null : next.toInstant();
            }
        }
        LocalDateTime from = start(time);
        Instant next;
        do {
            from = cron.next(from);
            if (from == null) {
                return null;
            }
            next = from.atZone(zone).toInstant();
        } while (!next.isAfter(time));
        return next;
    }

    /** What the clock shows; after it was set forward, times that do not exist may still be to come. */
    private LocalDateTime start(Instant time) {
        LocalDateTime shown = LocalDateTime.ofInstant(time, zone);
        ZoneOffsetTransition last = zone.getRules().previousTransition(time.plusNanos(1));
        boolean toCome = last != null
                && last.isGap()
                && shown.isBefore(last.getDateTimeAfter().plus(last.getDuration()));
        return toCome ? last.getDateTimeBefore().minusNanos(1) : shown;
    }
}
