package io.neli.spring.autoconfigure.endpoint;

import java.time.Duration;
import java.util.Locale;

import io.neli.Neli;
import io.neli.NeliSnapshot;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * What this member knows of the election, and a way to have it hand over: {@code GET /actuator/neli},
 * {@code POST /actuator/neli/resign}, {@code /pause} and {@code /resume}. Like any endpoint it is exposed only where the
 * application says so; {@code management.endpoint.neli.access=read-only} leaves out what writes.
 */
@Endpoint(id = "neli")
public class NeliEndpoint {

    /** How long a member that resigned does not stand if nothing else is said: it should not just win again. */
    private static final Duration COOLDOWN = Duration.ofMinutes(1);

    private final Neli neli;

    /** An endpoint that shows, and acts on, this election. */
    public NeliEndpoint(Neli neli) {
        this.neli = neli;
    }

    /** What a member can be told to do. */
    public enum Command {
        /** Hand over all that it leads, and do not stand before the cooldown is over. */
        RESIGN,
        /** Hand over all that it leads, and do not stand until it is told to resume. */
        PAUSE,
        /** Stand again after a pause. */
        RESUME
    }

    /** What this member knows at this moment. */
    @ReadOperation
    public NeliDescriptor neli() {
        return NeliDescriptor.of(neli.snapshot());
    }

    /**
     * Tells the member what to do, and does not wait until it has done so: the handover waits for running work.
     *
     * @param cooldown for {@link Command#RESIGN} alone; a minute if it is left out
     * @throws InvalidEndpointRequestException if the cooldown makes no sense, or the election is stopped
     */
    @WriteOperation
    public void tell(@Selector Command command, @Nullable Duration cooldown) {
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
