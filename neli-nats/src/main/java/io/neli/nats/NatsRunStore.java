package io.neli.nats;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.KeyValue;
import io.nats.client.KeyValueManagement;
import io.nats.client.Options;
import io.nats.client.PurgeOptions;
import io.nats.client.api.KeyValueConfiguration;
import io.nats.client.api.KeyValueEntry;
import io.nats.client.api.KeyValueOperation;
import io.nats.client.api.KeyValueStatus;
import io.nats.client.api.KeyValueWatcher;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.NatsKeyValueWatchSubscription;
import io.neli.internal.member.LogProvider.Creation;
import io.neli.internal.runs.RunKey;
import io.neli.internal.runs.RunRecord;
import io.neli.internal.runs.RunStore;
import io.neli.internal.runs.RunText;
import io.neli.internal.shell.Deadline;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.ShellSettings;
import io.neli.internal.shell.UnusableLogException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records runs in a key-value bucket next to the stream of the election. */
final class NatsRunStore implements RunStore {

    private static final Logger log = LoggerFactory.getLogger(NatsRunStore.class);

    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final String PURGE = "$JS.API.STREAM.PURGE.";

    /** The key of an entry that marks how far to read. It is not the key of a run. */
    private static final String MARK = "mark";

    private final Options options;
    private final ShellSettings settings;
    private final Creation creation;
    private final NatsFailure failure;
    private final String bucket;
    private final String stream;
    private final StreamCheck check;
    private Inbox inbox = new Inbox();
    private volatile @Nullable Connection connection;
    private volatile boolean closed;
    private @Nullable KeyValue entries;

    /** Connects on first use. */
    NatsRunStore(Options options, String shown, ShellSettings settings, Creation creation) {
        this.options = NatsLogs.withPool(options).connectionTimeout(LIMIT).build();
        this.settings = settings;
        this.creation = creation;
        this.bucket = settings.topic() + "-runs";
        this.stream = "KV_" + bucket;
        this.failure = new NatsFailure(shown, stream);
        this.check =
                new StreamCheck("the key-value bucket '" + bucket + "' for the runs of jobs", "the record of runs");
    }

    @Override
    public void prepare() throws InterruptedException {
        entries();
    }

    private KeyValue entries() throws InterruptedException {
        Connection last = connection;
        KeyValue opened = entries;
        if (opened != null && last != null && last.getStatus() != Connection.Status.CLOSED) {
            return opened;
        }
        disconnect(); // it was lost since its last use, or the bucket could not be opened
        try {
            Inbox reports = new Inbox();
            Connection connected =
                    StreamConnection.connect(new Options.Builder(options), settings.threadName("runs"), reports);
            connection = connected;
            inbox = reports;
            if (closed) { // closed while it connected: an interrupt only makes the client try the next server
                disconnect();
                throw new IllegalStateException("closed");
            }
            opened = open(connected);
        } catch (IOException | JetStreamApiException e) {
            throw new IllegalStateException(e);
        }
        entries = opened;
        return opened;
    }

    private KeyValue open(Connection connected) throws IOException, JetStreamApiException, InterruptedException {
        try {
            check(connected);
        } catch (JetStreamApiException e) {
            if (e.getApiErrorCode() != LeaderStream.STREAM_NOT_FOUND) {
                throw e;
            }
            create(connected.keyValueManagement());
        }
        return connected.keyValue(bucket);
    }

    /** Other members may create the same bucket at the same time; that is not an error. */
    private void create(KeyValueManagement buckets) throws IOException, JetStreamApiException {
        if (!creation.allowed()) {
            throw new UnusableLogException(
                    "there is no key-value bucket '" + bucket
                            + "' for the runs of jobs, and neli.topic.create is 'false'",
                    "create it (nats kv add " + bucket + "), or set neli.topic.create to true");
        }
        KeyValueStatus created = LeaderStream.create(
                creation,
                replicas -> buckets.create(KeyValueConfiguration.builder()
                        .name(bucket)
                        .description("Runs of the jobs of the group " + settings.groupId())
                        .storageType(StorageType.File)
                        .replicas(replicas)
                        .build()));
        log.info(
                "Created the key-value bucket {} for the runs of jobs, with {} replica(s)",
                bucket,
                created.getReplicas());
    }

    private void check(Connection connected) throws IOException, JetStreamApiException {
        StreamConfiguration found =
                connected.jetStreamManagement().getStreamInfo(stream).getConfiguration();
        check.check(found);
        Duration age = found.getMaxAge();
        check.require(
                age == null || age.isZero(),
                "it has a TTL of " + age + " and forgets the last run of a job that is rarely due",
                "none");
        check.warnOfFewReplicas(found, StreamConnection.servers(connected));
    }

    /**
     * Writes a mark and reads up to it, because the server that answers may be behind. Does this twice: an entry that
     * is replaced before it is sent, for example when a former leader's run ends, may arrive after the first mark.
     */
    @Override
    public Map<RunKey, RunRecord> read() throws InterruptedException {
        try {
            KeyValue opened = entries();
            check(Objects.requireNonNull(connection)); // it may have been changed since it was opened
            Reader reader = new Reader(MemberClock.system());
            NatsKeyValueWatchSubscription watch = opened.watchAll(reader);
            try {
                reader.await(opened.put(MARK, new byte[0]));
                reader.await(opened.put(MARK, new byte[0]));
            } finally {
                watch.unsubscribe();
            }
            return reader.records();
        } catch (IOException | JetStreamApiException e) {
            throw new IllegalStateException(e);
        }
    }

    final class Reader implements KeyValueWatcher {
        private final MemberClock clock;
        private final Map<RunKey, RunRecord> records = new HashMap<>();
        private long revision;

        Reader(MemberClock clock) {
            this.clock = clock;
        }

        @Override
        public void watch(KeyValueEntry entry) {
            Optional<RunRecord> value = Optional.ofNullable(entry.getValueAsString())
                    .filter(text -> entry.getOperation() == KeyValueOperation.PUT)
                    .flatMap(RunText::parseValue);
            read(entry.getKey(), value, entry.getRevision());
        }

        synchronized void read(String name, Optional<RunRecord> value, long at) {
            key(name).ifPresent(key -> value.ifPresentOrElse(run -> records.put(key, run), () -> records.remove(key)));
            revision = at;
            notifyAll();
        }

        /** The limit counts from the last entry that was read: there may be many, or the link may be slow. */
        synchronized void await(long mark) throws IOException, InterruptedException {
            while (revision < mark) {
                long before = revision;
                if (!Deadline.after(LIMIT, clock).await(this, () -> revision != before)) {
                    throw new IOException("nothing was read for " + LIMIT.toSeconds() + " s");
                }
            }
        }

        @Override
        public void endOfData() {
            // not the end: this server may not know all that was written
        }

        synchronized Map<RunKey, RunRecord> records() {
            return Map.copyOf(records);
        }
    }

    /** NATS allows only some characters in a key, so this encodes it. */
    private String name(RunKey key) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(RunText.key(settings.groupId(), key).getBytes(StandardCharsets.UTF_8));
    }

    private Optional<RunKey> key(String name) {
        try {
            return RunText.parseKey(
                    settings.groupId(), new String(Base64.getUrlDecoder().decode(name), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public CompletionStage<?> write(RunKey key, RunRecord record) throws InterruptedException {
        try {
            return CompletableFuture.completedFuture(entries().put(name(key), RunText.value(record)));
        } catch (IOException | JetStreamApiException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits for no answer, because a refused request gets none, and jobs would wait too. */
    @Override
    public void forget(Collection<RunKey> keys) {
        Connection connected = connection;
        if (connected == null) {
            return; // the next term deletes them
        }
        Inbox reports = inbox;
        try {
            for (RunKey key : keys) { // deleting through the bucket would leave a marker for each term
                String purged =
                        PurgeOptions.subject("$KV." + bucket + "." + name(key)).toJson();
                CompletionStage<?> unused = connected
                        .requestWithTimeout(PURGE + stream, purged.getBytes(StandardCharsets.UTF_8), LIMIT)
                        .whenComplete((answer, unanswered) -> {
                            if (unanswered != null) {
                                notForgotten(unanswered, reports.takeRefusal());
                            }
                        });
            }
        } catch (RuntimeException e) {
            notForgotten(e, null);
        }
    }

    private void notForgotten(Throwable why, @Nullable String refusal) {
        if (refusal == null) {
            log.debug("Records of former terms are deleted by the next one", why);
        } else {
            log.warn(
                    "Records of former terms are not deleted: {}",
                    failure.ofRefusal(refusal).text());
        }
    }

    /** Called after each failure. Disconnects, so that the next attempt uses a new connection. */
    @Override
    public Problem describe(Throwable thrown) {
        disconnect();
        String refusal = inbox.takeRefusal();
        return refusal == null ? failure.of(thrown) : failure.ofRefusal(refusal); // a refused request is not answered
    }

    @Override
    public void close() {
        closed = true;
        disconnect();
    }

    private void disconnect() {
        Connection connected = connection;
        connection = null;
        entries = null;
        if (connected != null) {
            StreamConnection.close(connected);
        }
    }
}
