package io.neli.internal.member;

import java.util.Optional;

import io.neli.Leader;
import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.internal.shell.Problem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs who leads, for an application's operators. The logger has the name of the public package, so that its level is
 * independent of the loggers of internal packages.
 */
record ElectionLog(MemberSettings settings) {

    private static final Logger log = LoggerFactory.getLogger("io.neli");

    /** Names both the servers and the group: staging and production may share a cluster and, by mistake, a group. */
    void starting(String servers) {
        log.info(
                "Group {}: {} starts, with {} at {}, roles {}, lease {}{}",
                settings.groupId(),
                settings.name(),
                settings.topic(),
                servers,
                settings.roles().named(),
                Problem.text(settings.leaseDuration()),
                settings.candidate() ? "" : ", as an observer");
    }

    void changed(LeaderEvent event) {
        String what;
        if (event instanceof LeaderAcquired) {
            what = "this member leads";
        } else if (event instanceof LeaderRevoked revoked) {
            what = "this member hands over (" + revoked.reason() + ")";
        } else {
            what = "this member no longer leads (" + ((LeaderFenced) event).reason() + ")";
        }
        write(event.partition(), what, event.token());
    }

    /** Does not log this member's own terms, because {@link #changed} does. */
    void leaderChanged(int partition, Optional<Leader> leader) {
        if (leader.isEmpty()) {
            log.info("Group {}, role {}: nobody is known to lead", settings.groupId(), roles(partition));
        } else if (!leader.get().self()) {
            write(partition, leader.get().name() + " leads", leader.get().token());
        }
    }

    private void write(int partition, String what, long token) {
        log.info(
                "Group {}, role {}: {}, partition {}, token {}",
                settings.groupId(),
                roles(partition),
                what,
                partition,
                token);
    }

    private String roles(int partition) {
        return String.join(", ", settings.roles().announcedOn(partition));
    }
}
