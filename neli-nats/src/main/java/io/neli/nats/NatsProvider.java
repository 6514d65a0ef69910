package io.neli.nats;

import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.nats.client.Options;
import io.neli.NeliException;
import io.neli.internal.election.PastTerm;
import io.neli.internal.member.LogProvider;
import io.neli.internal.runs.RunStore;
import io.neli.internal.shell.ElectionDriver;
import io.neli.internal.shell.Logs;
import io.neli.internal.shell.MemberClock;
import io.neli.internal.shell.Problems;
import io.neli.internal.shell.ShellSettings;
import org.jspecify.annotations.Nullable;

/** Keeps logs, runs and history on a NATS server or cluster. */
final class NatsProvider implements LogProvider {

    private static final Pattern STREAM = Pattern.compile("[a-zA-Z0-9_-]{1,200}");
    private static final int MOST_REPLICAS = 5;

    private final Options options;
    private final String servers;

    NatsProvider(Options options) {
        this.options = options;
        this.servers = options.getServers().stream().map(NatsProvider::shown).collect(Collectors.joining(","));
    }

    /** The address without user name and password. */
    private static String shown(URI server) {
        return server.getScheme() + "://" + server.getHost() + (server.getPort() < 0 ? "" : ":" + server.getPort());
    }

    @Override
    public String defaultTopic(String groupId) {
        return groupId;
    }

    @Override
    public String servers() {
        return servers;
    }

    @Override
    public void check(String topic, @Nullable String groupId, int quorum, Creation creation) {
        checkStream(topic, groupId);
        checkReplicas(quorum, creation.replicationFactor());
        checkOptions();
    }

    private static void checkStream(String topic, @Nullable String groupId) {
        if (!STREAM.matcher(topic).matches()) {
            throw new NeliException(
                    groupId == null
                            ? "neli.topic.name is '" + topic + "': it is not a legal name of a NATS stream"
                            : "neli.group-id is '" + groupId
                                    + "': the stream of that name would not be legal (the default"
                                    + " of the group id is spring.application.name)",
                    "use at most 200 letters, digits, '_' and '-'"
                            + (groupId == null ? "" : ", or set neli.topic.name too"));
        }
    }

    private static void checkReplicas(int quorum, @Nullable Integer replicas) {
        if (quorum != 1) {
            throw new NeliException(
                    "neli.quorum is '" + quorum + "': the log is a NATS stream, which has a quorum of its own",
                    "leave it out; the stream has three replicas where there are three servers");
        }
        if (replicas != null && replicas > MOST_REPLICAS) {
            throw new NeliException(
                    "neli.topic.replication-factor is '" + replicas + "': a NATS stream has at most " + MOST_REPLICAS
                            + " replicas",
                    "use 3 or 5, or leave it out");
        }
    }

    private void checkOptions() {
        if (options.getServers().stream().anyMatch(server -> server.getPort() > ShellSettings.LARGEST_PORT)) {
            throw new NeliException(
                    "neli.nats.servers is '" + servers + "': a port is larger than " + ShellSettings.LARGEST_PORT,
                    "use addresses such as nats://host:4222");
        }
        if (options.useDispatcherWithExecutor()) {
            throw new NeliException(
                    "the options of the NATS client have useDispatcherWithExecutor, which does not keep messages in order",
                    "leave it out");
        }
    }

    @Override
    public Logs logs(ShellSettings settings, Creation creation, ElectionDriver driver, Problems problems) {
        return new NatsLogs(options, servers, settings, creation, driver, problems);
    }

    @Override
    public RunStore runStore(ShellSettings settings, Creation creation) {
        return new NatsRunStore(options, servers, settings, creation);
    }

    @Override
    public List<PastTerm> history(ShellSettings settings, int partition, long since) throws InterruptedException {
        return new NatsHistory(options, servers, settings, MemberClock.system()).read(partition, since);
    }
}
