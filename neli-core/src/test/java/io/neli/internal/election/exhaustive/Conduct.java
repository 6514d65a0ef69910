package io.neli.internal.election.exhaustive;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.internal.election.State;
import io.neli.internal.election.Term;

/**
 * What a member has announced: a term is acquired once, then revoked at most once, then fenced at most once, and it is not
 * resigned while its work goes on. A value.
 *
 * @param announced what it is by its events
 * @param token of the last term that it acquired
 * @param term the offset of that term's claim
 */
record Conduct(State announced, long token, long term) {

    static final Conduct NONE = new Conduct(State.STANDBY, Term.NONE, Term.NONE);

    Conduct after(LeaderEvent event, long known) {
        if (event instanceof LeaderAcquired) {
            require(announced == State.STANDBY && event.token() > token, event);
            return new Conduct(State.LEADING, event.token(), known);
        }
        require(event.token() == token, event);
        if (event instanceof LeaderRevoked) {
            require(announced == State.LEADING, event);
            return new Conduct(State.DRAINING, token, term);
        }
        require(announced != State.STANDBY, event);
        return new Conduct(State.STANDBY, token, term);
    }

    /** A resignation may end a term that it has led only when that was revoked or fenced and its work has ended. */
    Conduct afterResign(long offset, boolean works) {
        if (offset != term) {
            return this;
        }
        require(announced != State.LEADING && !works, "Resign[" + offset + "], work goes on: " + works);
        return new Conduct(State.STANDBY, token, term);
    }

    void agreesWith(State state) {
        require(announced == (state == State.CLAIMED ? State.STANDBY : state), state);
    }

    private void require(boolean legal, Object what) {
        if (!legal) {
            throw new Violation(what + " after " + announced + " of term " + token);
        }
    }
}
