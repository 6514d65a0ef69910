package io.neli.cluster;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import io.neli.LeaderEvent;
import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderEvent.LeaderFenced;
import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderListener;
import io.neli.LeaderWork;
import io.neli.Neli;
import io.neli.test.FakeNeli;

/**
 * Calls {@link System#exit} where the first argument says, in two listeners or in work, and prints what the listener between them
 * is notified of. The second argument says whether that call is what ends the process, or comes after the main thread's.
 */
final class ExitMain {

    private ExitMain() {}

    public static void main(String[] args) throws InterruptedException {
        String where = args[0];
        boolean mainFirst = args[1].equals("main");
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch revoked = new CountDownLatch(1);
        LeaderListener exiting = event -> {
            if (where.equals(nameOf(event))) {
                System.exit(3);
            }
        };
        FakeNeli neli = FakeNeli.builder()
                .leading(false)
                .handoverTimeout(Duration.ofMinutes(10))
                .listener(exiting)
                .listener(event -> System.out.println(nameOf(event)))
                .listener(exiting)
                .listener(event -> {
                    if (event instanceof LeaderRevoked) {
                        revoked.countDown();
                    }
                })
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            neli.close();
            System.out.println("closed");
        }));
        neli.acquire();
        if (where.equals("work")) {
            new Thread(() -> work(neli, begun, mainFirst ? revoked : new CountDownLatch(0))).start();
            begun.await();
        }
        if (mainFirst) {
            System.exit(3);
        } else if (where.equals("fenced")) {
            neli.fence();
        } else if (where.equals("revoked")) {
            neli.revoke();
        }
    }

    @SuppressWarnings("try") // the work is only closed
    private static void work(Neli neli, CountDownLatch begun, CountDownLatch end) {
        try (LeaderWork work = neli.beginWork().orElseThrow()) {
            begun.countDown();
            end.await();
            System.exit(3);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String nameOf(LeaderEvent event) {
        if (event instanceof LeaderAcquired) {
            return "acquired";
        }
        return event instanceof LeaderRevoked ? "revoked" : event instanceof LeaderFenced ? "fenced" : "unknown";
    }
}
