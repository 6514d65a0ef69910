package io.neli.internal.election;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OwnershipTest {

    private static final MemberHash SELF = new MemberHash(1);
    private static final MemberHash OWNER = new MemberHash(2);
    private static final MemberHash DEPUTY = new MemberHash(3);

    private static Ownership assigned(MemberHash owner, MemberHash deputy) {
        return Ownership.NONE.assigned(
                new Input.Assigned(new MemberPlan.Share(owner, 7L, deputy), false, true),
                7,
                MonotonicTime.PAST.plusNanos(1));
    }

    @Test
    void the_owner_follows_a_leader_that_is_another_member() {
        assertThat(assigned(OWNER, DEPUTY).successor(SELF)).isEqualTo(OWNER);
    }

    @Test
    void the_deputy_follows_the_owner() {
        assertThat(assigned(SELF, DEPUTY).successor(SELF)).isEqualTo(DEPUTY);
    }

    @Test
    void nobody_follows_where_the_group_knows_nobody() {
        assertThat(assigned(SELF, null).successor(SELF)).isNull();
        assertThat(assigned(null, null).successor(SELF)).isNull();
        assertThat(Ownership.NONE.successor(SELF)).isNull();
    }
}
