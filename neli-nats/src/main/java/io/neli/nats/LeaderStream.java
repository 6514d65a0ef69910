package io.neli.nats;

import java.io.IOException;
import java.time.Duration;

import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import io.neli.internal.election.ElectionSettings;
import io.neli.internal.member.LogProvider.Creation;
import io.neli.internal.shell.ShellSettings;
import io.neli.internal.shell.UnusableLogException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the group's stream, creates it if it is missing, and refuses settings that the election cannot rely on. */
final class LeaderStream {

    private static final Logger log = LoggerFactory.getLogger(LeaderStream.class);

    static final int STREAM_NOT_FOUND = 10059;
    static final int NO_REPLICAS_ON_A_SINGLE_SERVER = 10074;
    static final int NO_SUITABLE_SERVERS = 10005;

    private final ShellSettings settings;
    private final Creation creation;
    private final Subjects subjects;
    private final StreamCheck check;

    LeaderStream(ShellSettings settings, Creation creation) {
        this.settings = settings;
        this.creation = creation;
        this.subjects = new Subjects(settings.topic());
        this.check = new StreamCheck(named(), "the election");
    }

    /**
     * Creates the stream if it is missing, and returns its state and configuration.
     *
     * @param servers how many servers are known
     * @throws UnusableLogException if a setting has to be changed first
     */
    StreamInfo ensure(JetStreamManagement streams, int servers) throws IOException, JetStreamApiException {
        StreamInfo found = find(streams, servers);
        check(found.getConfiguration());
        check.warnOfFewReplicas(found.getConfiguration(), servers);
        return found;
    }

    private StreamInfo find(JetStreamManagement streams, int servers) throws IOException, JetStreamApiException {
        try {
            return info(streams);
        } catch (JetStreamApiException e) {
            if (e.getApiErrorCode() != STREAM_NOT_FOUND) {
                throw e;
            }
        }
        if (!creation.allowed()) {
            throw new UnusableLogException(
                    named() + ": there is no such stream, and neli.topic.create is 'false'",
                    "create it with the subject '" + subjects.all() + "', or set neli.topic.create to true");
        }
        return create(creation, replicas -> create(streams, replicas, servers));
    }

    StreamInfo info(JetStreamManagement streams) throws IOException, JetStreamApiException {
        return streams.getStreamInfo(settings.topic());
    }

    interface Creating<T> {
        T with(int replicas) throws IOException, JetStreamApiException;
    }

    /** Creates something with as many replicas as were asked for, or as is usual. */
    static <T> T create(Creation creation, Creating<T> what) throws IOException, JetStreamApiException {
        @Nullable Integer asked = creation.replicationFactor();
        try {
            return what.with(asked == null ? StreamCheck.USUAL_REPLICAS : asked);
        } catch (JetStreamApiException e) {
            // Only a single server gets one replica. In a cluster, some servers may only be down, and one replica would
            // be permanent.
            if (asked != null || e.getApiErrorCode() != NO_REPLICAS_ON_A_SINGLE_SERVER) {
                throw e;
            }
            return what.with(1);
        }
    }

    /** Other members may create the same stream at the same time; that is not an error. */
    private StreamInfo create(JetStreamManagement streams, int replicas, int servers)
            throws IOException, JetStreamApiException {
        StreamInfo created = streams.addStream(StreamConfiguration.builder()
                .name(settings.topic())
                .description("Leader election of the group " + settings.groupId())
                .subjects(subjects.all())
                .storageType(StorageType.File)
                .retentionPolicy(RetentionPolicy.Limits)
                .discardPolicy(DiscardPolicy.Old)
                .maxAge(creation.retention())
                .replicas(replicas)
                .build());
        log.info(
                "The stream {} has {} replicas on {} servers",
                settings.topic(),
                created.getConfiguration().getReplicas(),
                servers);
        return created;
    }

    void check(StreamConfiguration found) {
        if (!found.getSubjects().contains(subjects.all())) {
            throw check.unusable(
                    "its subjects are " + found.getSubjects(),
                    "'" + subjects.all() + "'",
                    "set neli.topic.name to another stream");
        }
        check.check(found);
        check.require(
                found.getDiscardPolicy() == DiscardPolicy.Old,
                "its discard policy is " + found.getDiscardPolicy(),
                "old");
        check.require(
                found.getMaxMsgsPerSubject() <= 0,
                "it keeps at most " + found.getMaxMsgsPerSubject() + " messages of a subject",
                "no such limit");
        Duration age = found.getMaxAge();
        boolean keeps = age == null || age.isZero() || age.compareTo(ElectionSettings.LONGEST_LEASE) > 0;
        check.require(keeps, "it keeps messages for " + age, "longer than any lease, such as 24h");
    }

    private String named() {
        return "neli.topic.name is '" + settings.topic() + "' (a NATS stream)";
    }
}
