package io.neli.nats;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import io.neli.internal.election.ElectionSettings;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.MemberMetadata;
import io.neli.internal.election.MemberPlan;
import io.neli.internal.election.MonotonicTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PresencesTest {

    private static final Duration VALID = Duration.ofSeconds(10);

    private final MemberId self = new MemberId("self", new UUID(0, 1));
    private final MemberId other = new MemberId("other", new UUID(0, 2));
    private final MonotonicTime now = new MonotonicTime(0);
    private final Presences presences = new Presences();

    private static MemberMetadata reported(MemberId member, Map<Integer, Long> leading) {
        return new MemberMetadata(member, true, Set.of(), 0, leading, "exclusive/1/none", 1);
    }

    private MemberPlan plan() {
        return Objects.requireNonNull(presences.plan(self));
    }

    @Test
    void there_is_no_plan_for_a_member_that_has_not_read_its_own_announcement() {
        presences.announced(reported(other, Map.of()), VALID, Duration.ZERO, now);
        assertThat(presences.plan(self)).isNull();
    }

    @Test
    void each_member_computes_the_same_owner() {
        Presences others = new Presences();
        for (MemberId member : Set.of(self, other)) {
            MemberMetadata reported = reported(member, member.equals(other) ? Map.of(0, 5L) : Map.of());
            presences.announced(reported, VALID, Duration.ZERO, now);
            others.announced(reported, VALID, Duration.ZERO, now);
        }
        assertThat(plan().members()).isEqualTo(2);
        assertThat(plan().shares().get(0).owner()).isEqualTo(other.hash());
        assertThat(Objects.requireNonNull(others.plan(self)).shares().get(0).owner())
                .isEqualTo(other.hash());
    }

    @Test
    void a_member_that_leaves_or_falls_silent_is_forgotten() {
        presences.announced(reported(self, Map.of()), VALID.multipliedBy(2), Duration.ZERO, now);
        presences.announced(reported(other, Map.of()), VALID, Duration.ZERO, now);
        assertThat(presences.expiresAt()).isEqualTo(now.plus(VALID));
        assertThat(presences.expire(now)).isFalse();
        assertThat(presences.expire(now.plus(VALID))).isTrue();
        assertThat(plan().members()).isEqualTo(1);

        presences.announced(reported(self, Map.of()), Duration.ZERO, Duration.ZERO, now);
        assertThat(presences.plan(self)).isNull();
        assertThat(presences.expiresAt()).isEqualTo(MonotonicTime.NEVER);
    }

    @Test
    void an_announcement_that_is_older_than_it_counts_is_none() {
        presences.announced(reported(self, Map.of()), VALID, VALID.plusSeconds(1), now);
        assertThat(presences.plan(self)).isNull();
    }

    @Test
    void an_announcement_for_ten_years_counts_no_longer_than_that_of_the_longest_lease() {
        Duration longest = ElectionSettings.LONGEST_LEASE.multipliedBy(3);
        presences.announced(reported(other, Map.of()), Duration.ofDays(3650), Duration.ofMinutes(1), now);
        assertThat(presences.expiresAt()).isEqualTo(now.plus(longest.minusMinutes(1)));

        presences.announced(reported(other, Map.of()), Duration.ofDays(3650), longest, now);
        assertThat(presences.expiresAt()).as("of one that is read again").isEqualTo(MonotonicTime.NEVER);
    }
}
