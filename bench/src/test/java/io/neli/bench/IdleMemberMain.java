package io.neli.bench;

import java.util.Scanner;
import java.util.stream.Collectors;

import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.Neli;
import io.neli.TestServers;
import io.neli.cluster.Line.Kind;
import io.neli.cluster.Report;

/**
 * A member with the default settings in an application that does nothing, so that the process costs what the election
 * costs. On request on standard input, it reports how many requests its clients have sent.
 */
public final class IdleMemberMain {

    private static final Report REPORT = new Report();

    private IdleMemberMain() {}

    public static void main(String[] args) {
        TestServers servers = TestServers.get();
        Neli neli = servers.builder(args[0])
                .groupId(args[1])
                .name(args[2])
                .listener(event -> {
                    if (event instanceof LeaderAcquired) {
                        REPORT.write(
                                System.nanoTime(), Kind.ACQUIRED, "role=" + event.role() + " token=" + event.token());
                    }
                })
                .start();
        try (Scanner commands = new Scanner(System.in)) {
            while (commands.hasNext()) {
                String state = commands.next().equals("requests")
                        ? requests(servers)
                        : "leader=" + neli.isLeader() + " group="
                                + neli.snapshot().groupMembers();
                REPORT.write(System.nanoTime(), Kind.STATE, state);
            }
        }
        Runtime.getRuntime().halt(1); // the measuring process has ended
    }

    private static String requests(TestServers servers) {
        return servers.requests().entrySet().stream()
                .map(sent -> sent.getKey() + "=" + sent.getValue())
                .collect(Collectors.joining(" "));
    }
}
