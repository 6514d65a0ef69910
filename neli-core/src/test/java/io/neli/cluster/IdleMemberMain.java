package io.neli.cluster;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Scanner;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.Neli;
import io.neli.cluster.Line.Kind;

/**
 * A member with the default settings in an application that does nothing, so that what the process costs is the election. Reports
 * how many requests its clients have sent when it is asked to on standard input.
 */
public final class IdleMemberMain {

    private static final Report REPORT = new Report();

    private IdleMemberMain() {}

    public static void main(String[] args) throws JMException {
        Neli neli = Neli.builder()
                .kafka(Map.of("bootstrap.servers", args[0]))
                .groupId(args[1])
                .name(args[2])
                .listener(event -> {
                    if (event instanceof LeaderAcquired) {
                        REPORT.write(System.nanoTime(), Kind.ACQUIRED, "role", event.role(), "token", event.token());
                    }
                })
                .start();
        try (Scanner commands = new Scanner(System.in)) {
            while (commands.hasNext()) {
                List<Object> state = commands.next().equals("requests")
                        ? requests()
                        : List.of(
                                "leader",
                                neli.isLeader(),
                                "group",
                                neli.snapshot().groupMembers());
                REPORT.write(System.nanoTime(), Kind.STATE, state.toArray());
            }
        }
        Runtime.getRuntime().halt(1); // the measuring process has gone
    }

    /** By the purpose of the client. */
    private static List<Object> requests() throws JMException {
        List<Object> requests = new ArrayList<>();
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        Set<ObjectName> clients = beans.queryNames(new ObjectName("kafka.*:type=*-metrics,client-id=neli-*"), null);
        for (ObjectName client : clients) {
            String type = client.getKeyProperty("type");
            if (Set.of("consumer-metrics", "producer-metrics", "admin-client-metrics")
                    .contains(type)) {
                String id = client.getKeyProperty("client-id");
                requests.add(id.substring(id.lastIndexOf('-') + 1));
                requests.add(((Double) beans.getAttribute(client, "request-total")).longValue());
            }
        }
        return requests;
    }
}
