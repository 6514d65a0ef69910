package io.neli.internal.election;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What this member has sent to a partition.
 *
 * @param nextSequence the sequence of the next record that may grant a lease
 * @param sent the latest of those records and when they were sent, oldest first
 * @param claim the claim that has not been read back yet; null if there is none
 * @param resigned the term that this member has sent a resignation for; {@link Term#NONE} if none
 * @param greetings how many more greetings it will send, one by one as they are read back; negative if none is awaited
 */
record Outgoing(long nextSequence, List<Sent> sent, @Nullable Sent claim, long resigned, long greetings) {

    /** More heartbeats than fit into a lease. Forgetting older ones can only shorten a lease. */
    static final int REMEMBERED = 64;

    static final Outgoing NONE = new Outgoing(0, List.of(), null, Term.NONE, -1);

    record Sent(long sequence, Moment at) {}

    @Nullable
    Moment sentAt(long sequence) {
        for (int i = sent.size() - 1; i >= 0; i--) {
            if (sent.get(i).sequence() == sequence) {
                return sent.get(i).at();
            }
        }
        return null;
    }

    private List<Sent> remember(Sent latest) {
        int from = Math.max(0, sent.size() + 1 - REMEMBERED);
        Sent[] longer = new Sent[sent.size() - from + 1];
        for (int i = from; i < sent.size(); i++) {
            longer[i - from] = sent.get(i);
        }
        longer[longer.length - 1] = latest;
        return Collections.unmodifiableList(Arrays.asList(longer));
    }

    Outgoing sentHeartbeat(Moment now) {
        return new Outgoing(nextSequence + 1, remember(new Sent(nextSequence, now)), claim, resigned, greetings);
    }

    Outgoing sentClaim(Moment now) {
        Sent latest = new Sent(nextSequence, now);
        return new Outgoing(nextSequence + 1, remember(latest), latest, resigned, greetings);
    }

    Outgoing readClaim(long sequence) {
        return claim != null && claim.sequence() == sequence ? withoutClaim() : this;
    }

    Outgoing withoutClaim() {
        return new Outgoing(nextSequence, sent, null, resigned, greetings);
    }

    Outgoing sentResign(long term) {
        return new Outgoing(nextSequence, sent, claim, term, greetings);
    }

    /** The log was lost: what was sent to it renews no lease. */
    Outgoing forgotten() {
        return new Outgoing(nextSequence, List.of(), null, Term.NONE, -1);
    }

    Outgoing sentGreeting(long more) {
        return new Outgoing(nextSequence, sent, claim, resigned, more);
    }
}
