package io.neli.protocol.simulation;

import io.neli.protocol.Event;
import io.neli.protocol.MemberId;
import io.neli.protocol.State;
import io.neli.protocol.Term;

/**
 * What one member has announced of one partition, held against the rules: each term is acquired once, then revoked at most
 * once, then fenced at most once; after that nothing more comes of it, and it is not given up while its work goes on.
 */
final class Conduct {

    private State announced = State.STANDBY;
    private long token = Term.NONE;
    private boolean drained;

    void announced(MemberId who, Event event) {
        if (event instanceof Event.Acquired) {
            require(announced == State.STANDBY && event.token() > token, who, event);
            announced = State.LEADING;
            token = event.token();
            drained = false;
        } else if (event instanceof Event.Revoked) {
            require(announced == State.LEADING && event.token() == token, who, event);
            announced = State.DRAINING;
        } else {
            require(announced != State.STANDBY && event.token() == token, who, event);
            announced = State.STANDBY;
        }
    }

    void drained(long term) {
        drained |= term == token;
    }

    void resigned(MemberId who, long term) {
        if (term == token) {
            require(announced == State.DRAINING && drained, who, "Resign[" + term + "]");
            announced = State.STANDBY;
        }
    }

    /** The state and what was announced tell the same. */
    void agreesWith(MemberId who, State state) {
        require(announced == (state == State.CLAIMED ? State.STANDBY : state), who, state);
    }

    private void require(boolean legal, MemberId who, Object what) {
        if (!legal) {
            throw new SimulationFailure(who + ": " + what + " after " + announced + " of term " + token);
        }
    }
}
