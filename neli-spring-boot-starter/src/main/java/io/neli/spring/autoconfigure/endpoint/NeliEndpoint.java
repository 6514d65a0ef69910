package io.neli.spring.autoconfigure.endpoint;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

import io.neli.Neli;
import io.neli.NeliException;
import io.neli.NeliSnapshot;
import io.neli.NotLeaderException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.StringUtils;

/**
 * The actuator endpoint that shows what this member knows of the election, and runs commands such as {@code resign}.
 * Like any endpoint it must be exposed; commands also need {@code management.endpoint.neli.access=unrestricted}.
 */
@Endpoint(id = NeliEndpoint.ID, defaultAccess = Access.READ_ONLY)
public class NeliEndpoint {

    static final String ID = "neli";

    /** How long a member that resigns is not eligible by default, so that it does not win again immediately. */
    private static final Duration COOLDOWN = Duration.ofMinutes(1);

    private static final String DAY = "24h";
    private static final String HISTORY = "history";
    private static final List<String> COMMANDS = List.of("resign", "pause", "resume", "run");

    private final Neli neli;

    /** Creates an endpoint for this election. If the election has listed roles, the endpoint accepts no others. */
    public NeliEndpoint(Neli neli) {
        this.neli = neli;
    }

    /** What this member knows at this moment. */
    @ReadOperation
    public NeliDescriptor neli() {
        return new NeliDescriptor(neli.snapshot());
    }

    /**
     * Who led a role, according to its log. Takes some seconds to read the log.
     *
     * @param query {@code history}
     * @param role by default {@link Neli#defaultRole()}
     * @param since how long ago, in seconds if it has no unit; by default a day
     * @throws InvalidEndpointRequestException if one of these is invalid
     * @throws NeliException if the log cannot be read
     */
    @ReadOperation
    public NeliHistoryDescriptor history(@Selector String query, @Nullable String role, @Nullable String since)
            throws InterruptedException {
        if (!query.equals(HISTORY)) {
            throw refused("query", query, "use " + HISTORY);
        }
        refuseUnknown(role, "for " + neli.defaultRole());
        String wanted = role == null ? neli.defaultRole() : role;
        String time = since == null ? DAY : since;
        try {
            return new NeliHistoryDescriptor(wanted, neli.partitionOf(wanted), neli.history(wanted, duration(time)));
        } catch (IllegalArgumentException e) {
            throw refused("since", time, String.valueOf(e.getMessage()));
        }
    }

    private static Duration duration(String time) {
        try {
            return DurationStyle.detectAndParse(time, ChronoUnit.SECONDS);
        } catch (IllegalArgumentException | ArithmeticException e) { // not a duration, or too long for one
            throw new IllegalArgumentException("use a time longer than 0, such as 6h", e);
        }
    }

    private void refuseUnknown(@Nullable String role, String otherwise) {
        List<String> roles = neli.roles();
        if (role != null && (role.isBlank() || !(roles.isEmpty() || roles.contains(role)))) {
            throw refused("role", role, "use one of neli.roles, which is " + roles + ", or leave it out " + otherwise);
        }
        try {
            neli.partitionOf(role == null ? neli.defaultRole() : role);
        } catch (NeliException e) {
            throw refused("role", role, e.fix() + ", or leave it out " + otherwise);
        }
    }

    /**
     * Runs a command. Returns without waiting for running work or the handover.
     *
     * @param command {@code resign}, {@code pause}, {@code resume}, or {@code run}, which begins a run of a job
     * @param cooldown for {@code resign} only, in seconds if it has no unit; by default a minute
     * @param role limits the command to this role and those on its partition; by default it is for the whole member
     * @param job the name of the job, for {@code run} only
     * @throws InvalidEndpointRequestException if one of these is invalid, or the election is stopped
     */
    @WriteOperation
    public void run(@Selector String command, @Nullable String cooldown, @Nullable String role, @Nullable String job) {
        if (!COMMANDS.contains(command)) {
            throw refused("command", command, "use one of " + COMMANDS);
        }
        refuseUnknown(role, "for all");
        if (cooldown != null && !command.equals("resign")) {
            throw refused("cooldown", cooldown, "leave it out, because only resign takes one");
        }
        if (job == null && command.equals("run")) {
            throw refused("job", null, "name the job to run");
        }
        if (job != null && !command.equals("run")) {
            throw refused("job", job, "leave it out, because only run takes one");
        }
        if (job != null && role != null) {
            throw refused("role", role, "leave it out, because a job has one");
        }
        if (neli.snapshot().status() == NeliSnapshot.Status.STOPPED) {
            throw refused("status", NeliSnapshot.Status.STOPPED, "start the election of this member first");
        }
        if (job != null) {
            runNow(job);
            return;
        }
        try {
            carryOut(command, cooldown == null ? COOLDOWN : duration(cooldown), role);
        } catch (IllegalArgumentException e) { // not a duration, or not one that resign() accepts
            throw refused("cooldown", cooldown, "use 0s to " + Neli.LONGEST_COOLDOWN.toDays() + "d, such as 10m");
        }
    }

    private void runNow(String job) {
        try {
            neli.runNow(job);
        } catch (IllegalArgumentException | NotLeaderException e) {
            throw refused("job", job, String.valueOf(e.getMessage()));
        }
    }

    private void carryOut(String command, Duration cooldown, @Nullable String role) {
        if (role == null) {
            switch (command) {
                case "resign" -> neli.resign(cooldown);
                case "pause" -> neli.pause();
                default -> neli.resume();
            }
        } else {
            switch (command) {
                case "resign" -> neli.resign(role, cooldown);
                case "pause" -> neli.pause(role);
                default -> neli.resume(role);
            }
        }
    }

    static InvalidEndpointRequestException refused(String field, @Nullable Object value, String fix) {
        String why = field + " is '" + StringUtils.truncate(String.valueOf(value)) + "': " + fix;
        return new InvalidEndpointRequestException(why, why);
    }
}
