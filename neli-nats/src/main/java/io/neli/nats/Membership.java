package io.neli.nats;

import java.time.Duration;
import java.util.Objects;

import io.nats.client.Message;
import io.nats.client.impl.NatsMessage;
import io.neli.internal.election.GroupCodec;
import io.neli.internal.election.MemberMetadata;
import io.neli.internal.election.MemberPlan;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.ElectionDriver;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.ShellSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This member's part in the group. Announces the member once per lease and whenever it has something new to report, and
 * gives the election the assignment that results from all announcements. Belongs to the election's thread.
 */
final class Membership {

    private static final Logger log = LoggerFactory.getLogger(Membership.class);

    private static final String VALID_FOR = "valid-for-ms";

    /** An announcement is valid for at least this many intervals between announcements. */
    static final int ANNOUNCEMENTS = 3;

    /** The shortest validity of an announcement, as long as Kafka's groups wait for a member. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ShellSettings settings;
    private final MemberClock clock;
    private final ElectionDriver driver;
    private final Presences presences;
    private final RecordHeaders records;
    private final String subject;
    private final Duration interval;
    private final Duration validFor;
    private MonotonicTime announceAt = MonotonicTime.NEVER;
    private boolean complete;
    private boolean changed;
    private @Nullable MemberPlan plan;

    /** This member has read back its announcement: the election is told, even if the assignment is the same. */
    private boolean counted;

    /** What this member announced because of {@link #rejoin} and has not read back yet. */
    private @Nullable MemberMetadata awaited;

    private boolean rejoin;

    Membership(ShellSettings settings, MemberClock clock, ElectionDriver driver) {
        this.settings = settings;
        this.clock = clock;
        this.driver = driver;
        this.records = new RecordHeaders(settings.groupId());
        this.presences = new Presences();
        this.subject = new Subjects(settings.topic()).members();
        this.interval = settings.election().leaseDuration();
        Duration several = interval.multipliedBy(ANNOUNCEMENTS);
        this.validFor = several.compareTo(PATIENCE) < 0 ? PATIENCE : several;
    }

    /** Makes this member announce itself in the next {@link #step}. */
    void rejoin() {
        rejoin = true;
    }

    /** Reading starts: what others have announced meanwhile is not read yet. */
    void beginCatchUp() {
        complete = false;
        rejoin();
    }

    /** All announcements have been read. */
    void caughtUp() {
        complete = true;
        changed = true;
    }

    /** When {@link #step} has something to do. */
    MonotonicTime dueAt(MonotonicTime now) {
        if (rejoin) {
            return now;
        }
        return complete ? MonotonicTime.earlier(announceAt, presences.expiresAt()) : announceAt;
    }

    /** Updates the assignment. Returns the announcement to send now, or null. */
    @Nullable
    Message step() {
        MonotonicTime now = clock.time();
        changed |= complete && presences.expire(now);
        if (complete && changed) {
            changed = false;
            assign();
        }
        if (!rejoin && !now.hasReached(announceAt)) {
            return null;
        }
        boolean asked = rejoin;
        rejoin = false;
        announceAt = now.plus(interval);
        MemberMetadata metadata = driver.metadata();
        if (asked) {
            awaited = metadata;
        }
        return announcement(metadata, validFor);
    }

    private void assign() {
        MemberPlan next = presences.plan(driver.self());
        if (next != null && (counted || !next.equals(plan))) {
            plan = next;
            counted = false;
            driver.assigned(next);
        }
    }

    /** An announcement that this member leaves the group. */
    Message farewell() {
        return announcement(driver.metadata(), Duration.ZERO);
    }

    private Message announcement(MemberMetadata metadata, Duration valid) {
        return NatsMessage.builder()
                .subject(subject)
                .headers(records.ofGroup().put(VALID_FOR, Long.toString(valid.toMillis())))
                .data(GroupCodec.encode(metadata))
                .build();
    }

    /**
     * Processes an announcement.
     *
     * @param age how long the announcement has been in the stream
     */
    void read(StreamMessage message, Duration age) {
        if (!records.isOfGroup(message.headers())) {
            return;
        }
        try {
            MemberMetadata reported = GroupCodec.decodeMetadata(message.data());
            Duration valid = Duration.ofMillis(
                    Long.parseLong(Objects.requireNonNull(message.headers()).getFirst(VALID_FOR)));
            changed |= presences.announced(reported, valid, age, clock.time());
            if (reported.equals(awaited)) {
                awaited = null;
                counted = true;
                changed = true;
            }
        } catch (RuntimeException e) {
            log.warn("Group {}: data of a group member is ignored: {}", settings.groupId(), e.getMessage());
        }
    }
}
