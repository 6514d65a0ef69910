package io.neli.internal.election;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What this member has sent to a partition.
 *
 * @param sent the latest records that may grant a lease and when they were sent, oldest first
 * @param unknownTo the sequence of the one before those, of which it knows no more; negative if there is none
 * @param claim the claim that has not been read back yet; null if there is none
 * @param resigned the term that this member has sent a resignation for; {@link Term#NONE} if none
 * @param greetings how many more greetings it will send, one by one as they are read back; negative if none is awaited
 */
record Outgoing(List<Sent> sent, long unknownTo, @Nullable Sent claim, long resigned, long greetings) {

    /** More heartbeats than fit into a lease. Forgetting older ones can only shorten a lease. */
    static final int REMEMBERED = 64;

    static final Outgoing NONE = new Outgoing(List.of(), -1, null, Term.NONE, -1);

    private static final long MILLION = 1_000_000;

    record Sent(long sequence, Moment at) {}

    /**
     * The sequence of a record that is sent now. They grow by steps that the clock draws: where a snapshot of this process runs
     * twice, each of the two soon uses one that the other has not.
     */
    long nextSequence(Moment now) {
        return lastSequence() + 1 + Math.floorMod(now.time().nanos(), MILLION);
    }

    private long lastSequence() {
        return sent.isEmpty() ? unknownTo : sent.get(sent.size() - 1).sequence();
    }

    /** Whether this member has not sent that record; it does not know of those that it has forgotten. */
    boolean isForeign(long sequence) {
        return sequence > unknownTo && sentAt(sequence) == null;
    }

    @Nullable
    Moment sentAt(long sequence) {
        for (int i = sent.size() - 1; i >= 0; i--) {
            if (sent.get(i).sequence() == sequence) {
                return sent.get(i).at();
            }
        }
        return null;
    }

    Outgoing sentHeartbeat(Moment now) {
        return remember(new Sent(nextSequence(now), now), claim);
    }

    Outgoing sentClaim(Moment now) {
        Sent latest = new Sent(nextSequence(now), now);
        return remember(latest, latest);
    }

    private Outgoing remember(Sent latest, @Nullable Sent awaited) {
        int from = Math.max(0, sent.size() + 1 - REMEMBERED);
        Sent[] longer = new Sent[sent.size() - from + 1];
        for (int i = from; i < sent.size(); i++) {
            longer[i - from] = sent.get(i);
        }
        longer[longer.length - 1] = latest;
        long before = from == 0 ? unknownTo : sent.get(from - 1).sequence();
        return new Outgoing(Collections.unmodifiableList(Arrays.asList(longer)), before, awaited, resigned, greetings);
    }

    Outgoing readClaim(long sequence) {
        return claim != null && claim.sequence() == sequence ? withoutClaim() : this;
    }

    Outgoing withoutClaim() {
        return new Outgoing(sent, unknownTo, null, resigned, greetings);
    }

    Outgoing sentResign(long term) {
        return new Outgoing(sent, unknownTo, claim, term, greetings);
    }

    /** The log was lost: what was sent to it renews no lease. */
    Outgoing forgotten() {
        return new Outgoing(List.of(), lastSequence(), null, Term.NONE, -1);
    }

    Outgoing sentGreeting(long more) {
        return new Outgoing(sent, unknownTo, claim, resigned, more);
    }
}
