package io.neli.spring.gate;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.StringUtils;

/**
 * The times at which a cron expression is due. When the clock is changed, a job at certain hours still runs once: a
 * time that is skipped comes later by the length of the gap, and of a time that occurs twice the first counts. A job of
 * every hour follows elapsed time.
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
            return elapsed(time);
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

    /** Searches from one change of the clock to the next: Spring's own search across one may miss or repeat times. */
    private @Nullable Instant elapsed(Instant time) {
        ZoneOffset offset = zone.getRules().getOffset(time);
        ZoneOffsetTransition change = zone.getRules().nextTransition(time);
        LocalDateTime next = cron.next(LocalDateTime.ofInstant(time, offset));
        while (next != null && change != null && !next.toInstant(offset).isBefore(change.getInstant())) {
            offset = change.getOffsetAfter();
            next = cron.next(change.getDateTimeAfter().minusNanos(1));
            change = zone.getRules().nextTransition(change.getInstant());
        }
        return next == null ? null : next.toInstant(offset);
    }

    /** The local time to search from. It lies before the last gap while times that the gap skipped may still be due. */
    private LocalDateTime start(Instant time) {
        LocalDateTime shown = LocalDateTime.ofInstant(time, zone);
        ZoneOffsetTransition last = zone.getRules().previousTransition(time.plusNanos(1));
        boolean toCome = last != null
                && last.isGap()
                && shown.isBefore(last.getDateTimeAfter().plus(last.getDuration()));
        return toCome ? last.getDateTimeBefore().minusNanos(1) : shown;
    }
}
