package io.neli.spring.autoconfigure.endpoint;

import java.time.Duration;
import java.util.Locale;

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

    /** An endpoint for this election. */
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
        return NeliDescriptor.of(neli.snapshot());
    }

    /**
     * Runs a command. Does not wait for the handover, which waits for running work.
     *
     * @param cooldown for {@link Command#RESIGN} only; by default a minute
     * @throws InvalidEndpointRequestException if the cooldown is invalid, or the election is stopped
     */
    @WriteOperation
    public void run(@Selector Command command, @Nullable Duration cooldown) {
        check(command, cooldown);
        switch (command) {
            case RESIGN -> neli.resign(cooldown == null ? COOLDOWN : cooldown);
            case PAUSE -> neli.pause();
            case RESUME -> neli.resume();
        }
    }

    private void check(Command command, @Nullable Duration cooldown) {
        if (cooldown != null && command != Command.RESIGN) {
            throw refused("cooldown is '" + cooldown + "': only resign takes a cooldown; leave it out");
        }
        if (cooldown != null && cooldown.isNegative()) {
            throw refused("cooldown is '" + cooldown + "': it must not be negative");
        }
        if (neli.snapshot().status() == NeliSnapshot.Status.STOPPED) {
            throw refused("the election of this member is stopped, so there is nothing to "
                    + command.name().toLowerCase(Locale.ROOT));
        }
    }

    private static InvalidEndpointRequestException refused(String why) {
        return new InvalidEndpointRequestException(why, why);
    }
}
