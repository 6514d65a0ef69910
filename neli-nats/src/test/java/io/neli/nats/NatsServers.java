package io.neli.nats;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.api.MessageInfo;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import io.neli.NeliBuilder;
import io.neli.TestMember;
import io.neli.TestServers;
import io.neli.cluster.GroupView;
import io.neli.cluster.ServerProcess;
import io.neli.internal.election.LogEntry;
import org.jspecify.annotations.Nullable;

/** Runs tests of behaviour on NATS. */
public final class NatsServers implements TestServers {

    /** One server for all tests in this JVM. It ends with the JVM. */
    private static final class Shared {

        private static final NatsServer SERVER = NatsServer.start();
        private static final Connection CONNECTION = connect(SERVER.url());
    }

    /** Tries again, because the client gives up after two seconds. */
    public static Connection connect(String url) {
        return TestMember.eventually()
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> Nats.connect(url), connection -> true);
    }

    @Override
    public String shared() {
        return Shared.SERVER.url();
    }

    @Override
    public ServerProcess start() {
        return NatsServer.start();
    }

    public static void close(Connection connection) {
        try {
            connection.close();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public GroupView view(String servers, String group) {
        return new PresenceView(servers, group);
    }

    @Override
    public NeliBuilder builder(String servers) {
        return NatsNeli.builder(servers.split(","));
    }

    @Override
    public String topic(String group) {
        return group;
    }

    @Override
    public long append(String topic, byte @Nullable [] key, byte @Nullable [] value, Map<String, byte[]> headers) {
        Headers all = new Headers();
        if (key != null) {
            all.put("group", RecordHeaders.encoded(key));
        }
        headers.forEach((name, content) -> {
            if (!name.isEmpty() && content != null) { // a message can have neither
                all.put(name, RecordHeaders.encoded(content));
            }
        });
        Message message = NatsMessage.builder()
                .subject(new Subjects(topic).of(0))
                .headers(all)
                .data(value == null ? new byte[0] : value)
                .build();
        try {
            return Shared.CONNECTION.jetStream().publish(message).getSeqno() - 1;
        } catch (IOException | JetStreamApiException e) {
            throw new IllegalStateException(e);
        }
    }

    /** All records in the group's first partition now, on the shared server. */
    public static List<LogEntry> read(String group) {
        RecordHeaders records = new RecordHeaders(group);
        String subject = new Subjects(group).of(0);
        return messages(Shared.CONNECTION, group).stream()
                .filter(message -> subject.equals(message.getSubject()))
                .map(message -> new LogEntry(message.getSeq() - 1, records.decode(message.getHeaders())))
                .toList();
    }

    /** All messages in the stream now. */
    static List<MessageInfo> messages(Connection connection, String stream) {
        try {
            JetStreamManagement streams = connection.jetStreamManagement();
            long last = streams.getStreamInfo(stream).getStreamState().getLastSequence();
            List<MessageInfo> messages = new ArrayList<>();
            for (long sequence = 1; sequence <= last; sequence++) {
                messages.add(streams.getMessage(stream, sequence));
            }
            return messages;
        } catch (IOException | JetStreamApiException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Set<String> threadsAtRest() {
        return Set.of("log", "events");
    }

    /** The client names its threads after the connection, and numbers them. */
    @Override
    public boolean isOfClient(String threadName) {
        return threadName.matches("neli-.*:\\d+");
    }

    @Override
    public Set<String> clients(String member) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(this::isOfClient)
                .collect(Collectors.toSet());
    }
}
