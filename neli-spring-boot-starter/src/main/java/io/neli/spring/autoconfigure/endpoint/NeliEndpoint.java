package io.neli.spring.autoconfigure.endpoint;

import java.time.Duration;
import java.util.List;

import io.neli.Neli;
import io.neli.NeliSnapshot;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * Shows what this member knows of the election, and makes it hand over: {@code GET /actuator/neli},
 * {@code POST /actuator/neli/resign}, {@code /pause} and {@code /resume}. Like any endpoint it must be exposed; what writes
 * also needs {@code management.endpoint.neli.access=unrestricted}.
 */
@Endpoint(id = "neli", defaultAccess = Access.READ_ONLY)
public class NeliEndpoint {

    /** How long a member that resigns is not eligible by default: it should not just win again. */
    private static final Duration COOLDOWN = Duration.ofMinutes(1);

    private final Neli neli;

    /** An endpoint for this election; where it has listed roles, it takes no others. */
    public NeliEndpoint(Neli neli) {
        this.neli = neli;
    }

    /** What a member can be asked to do. */
    public enum Command {
        /** Hand over all that it leads, and not be eligible before the cooldown is over. */
        RESIGN,
        /** Hand over all that it leads, and not be eligible before it is resumed. */
        PAUSE,
        /** Be eligible again after a pause. */
        RESUME
    }

    /** What this member knows at this moment. */
    @ReadOperation
    public NeliDescriptor neli() {
        return new NeliDescriptor(neli.snapshot());
    }

    /**
     * Runs a command. Does not wait for the handover, which waits for running work.
     *
     * @param cooldown for {@link Command#RESIGN} only; by default a minute
     * @param role of this role, and those on its partition; by default of the whole member
     * @throws InvalidEndpointRequestException if the cooldown or the role is invalid, or the election is stopped
     */
    @WriteOperation
    public void run(@Selector Command command, @Nullable Duration cooldown, @Nullable String role) {
        check(command, cooldown, role);
        Duration asked = cooldown == null ? COOLDOWN : cooldown;
        if (role == null) {
            switch (command) {
                case RESIGN -> neli.resign(asked);
                case PAUSE -> neli.pause();
                case RESUME -> neli.resume();
            }
        } else {
            switch (command) {
                case RESIGN -> neli.resign(role, asked);
                case PAUSE -> neli.pause(role);
                case RESUME -> neli.resume(role);
            }
        }
    }

    private void check(Command command, @Nullable Duration cooldown, @Nullable String role) {
        List<String> roles = neli.roles();
        if (role != null && (role.isBlank() || !(roles.isEmpty() || roles.contains(role)))) {
            throw refused("role is '" + role + "': it must be in neli.roles, which is " + roles);
        }
        if (cooldown != null && (command != Command.RESIGN || cooldown.isNegative())) {
            throw refused("cooldown is '" + cooldown + "': only resign takes one, and it must not be negative");
        }
        if (neli.snapshot().status() == NeliSnapshot.Status.STOPPED) {
            throw refused("the election of this member is stopped: start it first");
        }
    }

    private static InvalidEndpointRequestException refused(String why) {
        return new InvalidEndpointRequestException(why, why);
    }
}
