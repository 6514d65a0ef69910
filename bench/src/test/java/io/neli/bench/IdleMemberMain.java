package io.neli.bench;

import java.lang.management.ManagementFactory;
import java.util.Scanner;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

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
        Neli neli = TestServers.get()
                .builder(args[0])
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
                        ? requests()
                        : "leader=" + neli.isLeader() + " group="
                                + neli.snapshot().groupMembers();
                REPORT.write(System.nanoTime(), Kind.STATE, state);
            }
        }
        Runtime.getRuntime().halt(1); // the measuring process has ended
    }

    /** The requests of each client of Kafka, by its purpose. */
    private static String requests() {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        StringBuilder requests = new StringBuilder();
        try {
            for (ObjectName client :
                    beans.queryNames(new ObjectName("kafka.*:type=*-metrics,client-id=neli-*"), null)) {
                String type = client.getKeyProperty("type");
                if (Set.of("consumer-metrics", "producer-metrics", "admin-client-metrics")
                        .contains(type)) {
                    String id = client.getKeyProperty("client-id");
                    Double total = (Double) beans.getAttribute(client, "request-total");
                    requests.append(id.substring(id.lastIndexOf('-') + 1) + "=" + total.longValue() + " ");
                }
            }
        } catch (JMException e) {
            throw new IllegalStateException(e);
        }
        return requests.toString();
    }
}
