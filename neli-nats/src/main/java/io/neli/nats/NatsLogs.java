package io.neli.nats;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import io.nats.client.JetStreamApiException;
import io.nats.client.Options;
import io.nats.client.impl.NatsServerPool;
import io.neli.internal.election.LogId;
import io.neli.internal.member.LogProvider.Creation;
import io.neli.internal.shell.ElectionDriver;
import io.neli.internal.shell.Logs;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.Problems;
import io.neli.internal.shell.ShellSettings;
import io.neli.internal.shell.TaskThreads;
import org.jspecify.annotations.Nullable;

/** The logs of a group on NATS: each is a subject of the same stream, in which the members also announce themselves. */
final class NatsLogs implements Logs {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

    private final Options options;
    private final ShellSettings settings;
    private final LeaderStream stream;
    private final MemberClock clock = MemberClock.system();
    private final Problems problems;
    private final NatsFailure failure;
    private final NatsSession.Reading reading = new NatsSession.Reading();
    private final Map<String, WriteCheck.Refused> refused = new LinkedHashMap<>();
    private final TaskThreads closing;
    private final ElectionDriver driver;
    private final Membership membership;
    private volatile @Nullable NatsSession session;

    NatsLogs(
            Options options,
            String shown,
            ShellSettings settings,
            Creation creation,
            ElectionDriver driver,
            Problems problems) {
        this.options = withPool(options).build();
        this.settings = settings;
        this.stream = new LeaderStream(settings, creation);
        this.problems = problems;
        this.driver = driver;
        this.membership = new Membership(settings, clock, driver);
        this.closing = new TaskThreads(settings.threadName("close"));
        this.failure = new NatsFailure(shown, settings.topic());
    }

    /** All connections share a pool, which tries the last server last: that server may be cut off from its cluster. */
    static Options.Builder withPool(Options options) {
        return new Options.Builder(options)
                .serverPool(options.getServerPool() == null ? new NatsServerPool() : options.getServerPool())
                .ignoreDiscoveredServers();
    }

    @Override
    public Connection connect() throws IOException, JetStreamApiException, InterruptedException {
        StreamConnection connection = StreamConnection.connect(options, settings, stream, reading, clock, closing);
        NatsSession next = new NatsSession(
                connection,
                settings,
                reading,
                driver,
                membership,
                clock,
                new WriteCheck(settings.election().leaseDuration(), clock, problems, failure, refused));
        session = next;
        return next;
    }

    @Override
    public void opened() {
        // nothing to do: the member announces itself when it begins to read
    }

    @Override
    public void settled() {
        NatsSession current = session;
        if (current != null) {
            current.leave();
        }
    }

    @Override
    public Problem describe(Throwable why) {
        return failure.of(why);
    }

    @Override
    public void renewed() {
        reading.extended().addAll(settings.logs());
        reading.position().lost();
    }

    @Override
    public void rejoin() {
        membership.rejoin(); // a step of the membership follows that of the election
    }

    @Override
    public void readFurtherBack(LogId log) {
        reading.extended().add(log);
    }

    @Override
    public void close() {
        closing.close(CLOSE_LIMIT); // the election's thread has ended and closed its connection
    }
}
