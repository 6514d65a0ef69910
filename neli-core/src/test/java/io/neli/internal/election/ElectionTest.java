package io.neli.internal.election;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

import io.neli.LeaderEvent.FenceReason;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderEvent.RevokeReason;
import io.neli.Mode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Rules that concern all partitions of a member. */
class ElectionTest extends WholeElection {

    private static final GroupConfig GROUP_CONFIG = new GroupConfig(Mode.EXCLUSIVE, 2, "roles", 1);
    private static final GroupConfig ANOTHER = new GroupConfig(Mode.EXCLUSIVE, 2, "other roles", 1);

    ElectionTest() {
        super(GROUP_CONFIG);
    }

    private void assigned(GroupConfig groupConfig, @Nullable MemberId owner) {
        assigned(groupConfig, owner, Set.of());
    }

    private void assigned(GroupConfig groupConfig, @Nullable MemberId owner, Set<Integer> excluded) {
        MemberPlan.Share share = new MemberPlan.Share(owner == null ? null : owner.hash(), null, null);
        MemberPlan plan = new MemberPlan(groupConfig.fingerprint(), 2, true, excluded, Set.of(), List.of(share, share));
        take(election.assigned(state, plan, moment()));
    }

    /** Any thread may still use the earlier state. */
    @Test
    void a_step_leaves_the_state_before_it_as_it_was() {
        PartitionState unopened = state.partitions().get(0);
        opens(0, 0, 0);
        PartitionState opened = state.partitions().get(0);
        long term = reads(0, Records.claim(OTHER, 0, LEASE, GROUP_CONFIG.of(0)));
        reads(0, Records.bid(OTHER, term));
        assigned(GROUP_CONFIG, OTHER);

        assertThat(unopened.logs().get(0).isOpen()).isFalse();
        assertThat(opened.logs().get(0).position()).isZero();
        assertThat(opened.logs().get(0).bids.bidders()).isEmpty();
        assertThat(opened.owner()).isNull();
        assertThat(state.partitions().get(0).owner()).isEqualTo(OTHER.hash());
    }

    private boolean isEligible() {
        return state.eligibility().isEligibleAt(moment().time());
    }

    private boolean isEligible(int partition) {
        return state.partitions().get(partition).eligibility().isEligibleAt(moment().time());
    }

    /** The partitions that have asked to rejoin since the last call. */
    private List<Integer> rejoins() {
        List<Integer> asked = actions.stream()
                .filter(each -> each.action() instanceof Action.Rejoin)
                .map(each -> each.log().partition())
                .toList();
        actions.removeIf(each -> each.action() instanceof Action.Rejoin);
        return asked;
    }

    private LeaderRevoked revoked(int partition, RevokeReason reason) {
        long token = state.partitions().get(partition).term().token();
        return new LeaderRevoked("partition-" + partition, partition, token, reason);
    }

    private void leadsBoth() {
        opensAll();
        assigned(GROUP_CONFIG, ME);
        leads(0);
        leads(1);
        actions.clear();
    }

    private void drained(int partition) {
        long token = state.partitions().get(partition).term().token();
        take(election.drained(state, partition, token, false, moment()));
    }

    private LogRecord.Claim foreignClaim(GroupConfig groupConfig) {
        return Records.claim(OTHER, 0, LEASE, groupConfig.of(0));
    }

    @Test
    void a_member_is_eligible_once_every_open_log_has_been_read_to_the_end_it_had_at_the_start() {
        take(election.step(
                state,
                Map.of(
                        new LogId(0, 0),
                        new Input.LogOpened(0, 0, false),
                        new LogId(1, 0),
                        new Input.LogOpened(3, 4, false)),
                moment()));
        assertThat(isEligible()).isFalse();
        take(election.step(state, Map.of(new LogId(1, 0), new Input.RecordsRead(List.of(), 4)), moment()));
        assertThat(isEligible()).isTrue();
    }

    @Test
    void a_log_that_cannot_be_opened_keeps_the_member_out_of_no_other() {
        passes(1);
        assertThat(isEligible()).isFalse();
        opens(1, 3, 4);
        assertThat(isEligible()).isFalse();
        reads(1, foreignClaim(GROUP_CONFIG));
        assertThat(isEligible()).isTrue();

        passes(60_000);
        assertThat(appends(1)).hasOnlyElementsOfType(LogRecord.Bid.class);
        assertThat(appends(0)).as("of a log that is not open").isEmpty();
    }

    @Test
    void a_member_stays_ready_when_a_log_is_lost_later() {
        opensAll();
        take(election.step(state, Map.of(new LogId(1, 0), new Input.LogLost()), moment()));

        assertThat(isEligible()).isTrue();
    }

    @Test
    void an_observer_is_never_eligible_and_knows_who_leads() {
        state = election.initial(false);
        opensAll();
        reads(0, foreignClaim(GROUP_CONFIG));
        passes(60_000);

        assertThat(isEligible()).isFalse();
        assertThat(appends(0)).isEmpty();
        reads(0, foreignClaim(GROUP_CONFIG));
        assertThat(state.partitions().get(0).term().holder()).isEqualTo(OTHER);
    }

    @Test
    void only_the_partitions_whose_deadline_has_come_take_a_step() {
        leadsBoth();
        MonotonicTime before = state.partitions().get(1).deadline;
        now = state.deadline().nanos() / 1_000_000 - 1;
        take(election.timePassed(state, moment()));

        assertThat(actions).isEmpty();
        assertThat(state.partitions().get(1).deadline).isEqualTo(before);
        passes(1);
        assertThat(appends(0)).hasSize(1);
        assertThat(appends(1)).hasSize(1);
    }

    /** A caller saw the end of the lease first. */
    @Test
    void a_lease_that_was_reported_as_over_fences_its_own_term_only() {
        leadsBoth();
        long token = state.partitions().get(1).term().token();
        take(election.lapsed(state, 1, token - 1, moment()));
        assertThat(state(1)).isEqualTo(State.LEADING);
        take(election.lapsed(state, 1, token, moment()));
        take(election.lapsed(state, 1, token, moment()));

        assertThat(state(0)).isEqualTo(State.LEADING);
        assertThat(state(1)).isEqualTo(State.STANDBY);
        assertThat(events()).containsExactly(new LeaderFenced("partition-1", 1, token, FenceReason.LEASE_EXPIRED));
    }

    @Test
    void a_partition_without_a_larger_token_ends_no_term_in_another() {
        leadsBoth();
        reads(1, foreignClaim(GROUP_CONFIG));
        LogRecord.Sender sender = new LogRecord.Sender(OTHER, RecordCodec.LARGEST_TOKEN, LEASE);
        reads(1, new LogRecord.Hello(sender));

        assertThat(state.eligibility().conflict()).isEqualTo(Conflict.NO_LARGER_TOKEN);
        assertThat(state(0)).isEqualTo(State.LEADING);
        reads(1, foreignClaim(ANOTHER));
        assertThat(state.eligibility().conflict()).isEqualTo(Conflict.GROUP_CONFIG);
        assertThat(state(0)).isEqualTo(State.DRAINING);
    }

    @Test
    void resigning_hands_over_all_partitions_until_the_longest_cooldown_is_over_or_the_member_is_resumed() {
        leadsBoth();
        take(election.resign(state, null, Duration.ofMillis(800), moment()));

        assertThat(List.of(state(0), state(1))).containsOnly(State.DRAINING);
        assertThat(events()).hasSize(2).allMatch(event -> ((LeaderRevoked) event).reason() == RevokeReason.RESIGNED);
        take(election.resign(state, null, Duration.ofMillis(10), moment()));
        passes(799);
        assertThat(isEligible()).isFalse();
        passes(1);
        assertThat(isEligible()).isTrue();

        take(election.resign(state, null, Duration.ofMillis(800), moment()));
        assertThat(isEligible()).isFalse();
        take(election.pause(state, null, false, moment()));
        assertThat(isEligible()).isTrue();
    }

    @Test
    void resigning_from_a_partition_leaves_the_others_alone() {
        leadsBoth();
        take(election.resign(state, 1, Duration.ofMillis(800), moment()));

        assertThat(List.of(state(0), state(1))).containsExactly(State.LEADING, State.DRAINING);
        assertThat(events()).containsExactly(revoked(1, RevokeReason.RESIGNED));
        assertThat(isEligible()).isTrue();
        assertThat(state.excludedAt(moment().time())).containsExactly(1);
        assertThat(rejoins()).containsExactly(1);
        passes(799);
        assertThat(isEligible(1)).isFalse();
        passes(1);
        assertThat(isEligible(1)).isTrue();
        assertThat(state.excludedAt(moment().time())).isEmpty();
        assertThat(rejoins()).containsExactly(1);
    }

    @Test
    void the_pause_of_a_partition_and_that_of_the_member_are_independent() {
        leadsBoth();
        take(election.pause(state, 0, true, moment()));
        assertThat(List.of(state(0), state(1))).containsExactly(State.DRAINING, State.LEADING);
        assertThat(events()).containsExactly(revoked(0, RevokeReason.PAUSED));
        assertThat(state.eligibility().restraint().paused()).isFalse();

        take(election.pause(state, null, true, moment()));
        assertThat(state(1)).isEqualTo(State.DRAINING);
        take(election.pause(state, null, false, moment()));
        assertThat(isEligible(0)).as("its own pause lasts").isFalse();
        assertThat(isEligible(1)).isTrue();

        take(election.pause(state, null, true, moment()));
        take(election.pause(state, 0, false, moment()));
        assertThat(isEligible(0)).as("that of the member lasts").isFalse();
        take(election.pause(state, null, false, moment()));
        assertThat(isEligible(0)).isTrue();
    }

    @Test
    void of_the_cooldowns_of_a_partition_and_of_the_member_the_later_counts() {
        opensAll();
        take(election.resign(state, 1, Duration.ofMillis(500), moment()));
        take(election.resign(state, null, Duration.ofMillis(300), moment()));
        passes(300);
        assertThat(isEligible(0)).isTrue();
        assertThat(isEligible(1)).isFalse();
        passes(200);
        assertThat(isEligible(1)).isTrue();

        take(election.resign(state, 1, Duration.ofMillis(300), moment()));
        take(election.resign(state, null, Duration.ofMillis(500), moment()));
        take(election.pause(state, 1, false, moment())); // ends only its own pause
        passes(499);
        assertThat(isEligible(1)).isFalse();
    }

    @Test
    void a_member_asks_to_rejoin_until_the_group_counts_on_its_pause_of_a_partition() {
        leadsBoth();
        take(election.pause(state, 1, true, moment()));
        assertThat(rejoins()).containsExactly(1);

        assigned(GROUP_CONFIG, ME, Set.of());
        assertThat(rejoins()).containsExactly(1);
        assigned(GROUP_CONFIG, ME, Set.of(1));
        assertThat(rejoins()).isEmpty();

        take(election.pause(state, 1, false, moment()));
        assertThat(rejoins()).containsExactly(1);
        assigned(GROUP_CONFIG, ME, Set.of(1));
        assertThat(rejoins()).containsExactly(1);
    }

    @Test
    void a_leader_that_is_no_longer_a_candidate_hands_over_as_in_a_pause() {
        leadsBoth();
        take(election.candidate(state, false, moment()));
        assertThat(events()).containsExactly(revoked(0, RevokeReason.PAUSED), revoked(1, RevokeReason.PAUSED));
        assertThat(isEligible()).isFalse();
        assertThat(state.eligibility().restraint().paused()).isFalse();

        take(election.candidate(state, true, moment()));
        assertThat(isEligible()).isTrue();
    }

    /** Like any other candidate, it must know whether what it writes arrives. */
    @Test
    void a_member_that_becomes_a_candidate_says_hello() {
        state = election.initial(false);
        opens(0, 0, 0);
        take(election.candidate(state, true, moment()));
        take(election.candidate(state, true, moment()));

        assertThat(appends(0)).filteredOn(LogRecord.Hello.class::isInstance).hasSize(1);
        assertThat(appends(1)).as("of a log that is not open").isEmpty();
        assertThat(isEligible()).isTrue();
    }

    @Test
    void closing_hands_over_for_good_and_is_settled_when_the_resignations_are_read_back() {
        leadsBoth();
        take(election.close(state, moment()));
        assertThat(events()).hasSize(2).allMatch(event -> ((LeaderRevoked) event).reason() == RevokeReason.CLOSING);

        drained(0);
        assertThat(state.isSettledAt(moment())).isFalse();
        drained(1);
        assertThat(state.isSettledAt(moment())).isFalse();
        reads(0, appends(0).get(0));
        assertThat(state.isSettledAt(moment())).isFalse();
        reads(1, appends(1).get(0));
        assertThat(state.isSettledAt(moment())).isTrue();
        passes(60_000);
        assertThat(appends(0)).isEmpty();
        assertThat(isEligible()).isFalse();
    }

    @Test
    void a_claim_under_way_is_waited_for_no_longer_than_the_lease() {
        opensAll();
        assigned(GROUP_CONFIG, ME);
        reads(0, appends(0).get(0));
        assertThat(appends(0)).hasSize(1).first().isInstanceOf(LogRecord.Claim.class);
        take(election.close(state, moment()));

        assertThat(state.isSettledAt(moment())).isFalse();
        passes(1_000);
        assertThat(state.isSettledAt(moment())).isTrue();
    }

    @Test
    void a_member_that_reads_another_group_config_is_not_eligible_while_that_leader_may_lead_and_a_lease_longer() {
        leadsBoth();
        reads(0, foreignClaim(ANOTHER));

        assertThat(state.eligibility().conflict()).isEqualTo(Conflict.GROUP_CONFIG);
        assertThat(state(1)).isEqualTo(State.DRAINING);
        assertThat(events()).anyMatch(e -> e instanceof LeaderRevoked r && r.reason() == RevokeReason.CONFLICT);
        passes(2_009);
        assertThat(isEligible()).isFalse();
        passes(1);
        assertThat(isEligible()).isTrue();
    }

    @Test
    void an_assignment_of_another_group_config_is_no_conflict_and_names_no_owner() {
        opensAll();
        assigned(ANOTHER, OTHER);
        assertThat(isEligible()).isTrue();
        assertThat(state.partitions().get(0).owner()).isNull();
    }

    /** The terms have the same tokens, because all were claimed first in a new topic. */
    @Test
    void survivors_share_the_partitions_of_a_dead_member() {
        int partitions = 64;
        int survivors = 3;
        List<ElectionState> states = IntStream.range(0, survivors)
                .mapToObj(survivor -> followerOf(partitions, new MemberId("survivor", new UUID(0, 1_000 + survivor))))
                .toList();
        int[] first = new int[survivors];
        for (int partition = 0; partition < partitions; partition++) {
            int number = partition;
            List<MonotonicTime> bids = states.stream()
                    .map(state -> state.partitions().get(number).deadline)
                    .toList();
            first[bids.indexOf(Collections.min(bids))]++;
        }

        assertThat(Arrays.stream(first).min().orElseThrow()).isGreaterThan(partitions / survivors / 2);
    }

    /** The state of a member that has read one claim by another on each partition; its deadlines say when it bids. */
    private static ElectionState followerOf(int partitions, MemberId self) {
        GroupConfig groupConfig = new GroupConfig(Mode.EXCLUSIVE, partitions, "roles", 1);
        Election its = new Election(self, OnePartition.settings(groupConfig));
        Moment now = new Moment(new MonotonicTime(1), 1);
        ElectionState state = its.initial(true);
        for (int partition = 0; partition < partitions; partition++) {
            state = its.step(state, Map.of(new LogId(partition, 0), new Input.LogOpened(0, 0, false)), now)
                    .state();
            LogEntry claim = new LogEntry(0, Records.claim(OTHER, 0, LEASE, groupConfig.of(0)));
            state = its.step(state, Map.of(new LogId(partition, 0), new Input.RecordsRead(List.of(claim), 1)), now)
                    .state();
        }
        return state;
    }

    @Test
    void a_log_that_cannot_be_read_keeps_the_member_out_of_the_others_for_no_longer_than_a_lease() {
        opens(1, 0, 10);
        opens(0, 0, 0);
        assertThat(isEligible()).isFalse();

        passes(LEASE.toMillis());
        assertThat(isEligible()).isTrue();
    }
}
