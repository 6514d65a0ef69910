package io.neli.spring.autoconfigure.health;

import java.util.LinkedHashMap;
import java.util.Map;

import io.neli.Neli;
import io.neli.NeliSnapshot;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Shows whether the election itself works: leaders, standbys and observers are all up. If the leader topic cannot be
 * used, it is up with a problem, because standbys work without the topic, or down if so configured.
 */
final class NeliHealthIndicator extends AbstractHealthIndicator {

    private final Neli neli;
    private final boolean downWhenFailed;

    NeliHealthIndicator(Neli neli, boolean downWhenFailed) {
        super("The election does not answer");
        this.neli = neli;
        this.downWhenFailed = downWhenFailed;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        NeliSnapshot snapshot = neli.snapshot();
        builder.status(statusOf(snapshot.status()))
                .withDetail("election", snapshot.status().name())
                .withDetail("eligible", snapshot.eligible())
                .withDetail("roles", roles(snapshot));
        if (snapshot.partitions().isEmpty()) {
            builder.withDetail("disabled", true); // by neli.enabled
        }
        snapshot.problem().ifPresent(problem -> builder.withDetail("problem", problem));
    }

    private Status statusOf(NeliSnapshot.Status election) {
        return switch (election) {
            case RUNNING, CONNECTING -> Status.UP;
            case FAILED -> downWhenFailed ? Status.DOWN : Status.UP;
            case UNABLE_TO_LEAD -> Status.DOWN;
            case STOPPED -> Status.UNKNOWN;
        };
    }

    private static Map<String, Object> roles(NeliSnapshot snapshot) {
        Map<String, Object> roles = new LinkedHashMap<>();
        for (NeliSnapshot.Partition partition : snapshot.partitions()) {
            Map<String, Object> role = new LinkedHashMap<>();
            role.put("leading", partition.leading());
            partition.leader().ifPresent(leader -> role.put("leader", leader));
            if (!partition.preparingFor().isZero()) {
                role.put("preparingFor", partition.preparingFor());
            }
            partition.roles().forEach(name -> roles.put(name, role));
        }
        return roles;
    }
}
