package io.neli.cluster;

import java.time.Duration;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderWork;
import io.neli.Neli;
import io.neli.test.FakeNeli;

/** Calls {@link System#exit} where the argument says, and prints what its other listener is notified of. */
final class ExitMain {

    private ExitMain() {}

    public static void main(String[] args) {
        String where = args[0];
        FakeNeli neli = FakeNeli.builder()
                .leading(false)
                .handoverTimeout(Duration.ofMinutes(10))
                .listener(event -> {
                    if (where.equals(nameOf(event))) {
                        System.exit(3);
                    }
                })
                .listener(event -> System.out.println(nameOf(event)))
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            neli.close();
            System.out.println("closed");
        }));
        neli.acquire();
        if (where.equals("work")) {
            work(neli);
        } else if (where.equals("fenced")) {
            neli.fence();
        } else {
            neli.revoke();
        }
    }

    @SuppressWarnings("try") // the work is only closed
    private static void work(Neli neli) {
        try (LeaderWork work = neli.beginWork().orElseThrow()) {
            System.exit(3);
        }
    }

    private static String nameOf(LeaderEvent event) {
        if (event instanceof LeaderAcquired) {
            return "acquired";
        }
        return event instanceof LeaderRevoked ? "revoked" : event instanceof LeaderFenced ? "fenced" : "unknown";
    }
}
