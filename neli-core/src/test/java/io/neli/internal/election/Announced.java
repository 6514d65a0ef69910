package io.neli.internal.election;

import java.util.Collection;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderRevoked;

/**
 * What a member has announced of one partition. Checks it against the rules: a term is acquired once, then revoked at
 * most once, then fenced at most once; tokens grow; while a term's work runs, it is not resigned and no other term
 * begins. Immutable.
 *
 * @param state the member's state according to its events
 * @param token of the last term that it acquired
 */
public record Announced(State state, long token) {

    public static final Announced NOTHING = new Announced(State.STANDBY, Term.NONE);

    /** @param working the terms whose work still runs */
    public Announced after(LeaderEvent event, Collection<Long> working) {
        if (event instanceof LeaderAcquired) {
            require(state == State.STANDBY && event.token() > token && working.isEmpty(), event, working);
            return new Announced(State.LEADING, event.token());
        }
        boolean revoked = event instanceof LeaderRevoked;
        boolean inOrder = revoked ? state == State.LEADING : state != State.STANDBY;
        require(inOrder && event.token() == token, event, working);
        return new Announced(revoked ? State.DRAINING : State.STANDBY, token);
    }

    /** The last term that it led is resigned. This may end what it announced, without another event. */
    public Announced resigned(Collection<Long> working) {
        require(state != State.LEADING && !working.contains(token), "a resignation", working);
        return ended();
    }

    public Announced ended() {
        return new Announced(State.STANDBY, token);
    }

    public void agreesWith(State its) {
        if (state != (its == State.CLAIMED ? State.STANDBY : its)) {
            throw new Violation(its + " after " + this);
        }
    }

    private void require(boolean legal, Object what, Collection<Long> working) {
        if (!legal) {
            throw new Violation(what + " after " + this + ", with work of " + working);
        }
    }
}
