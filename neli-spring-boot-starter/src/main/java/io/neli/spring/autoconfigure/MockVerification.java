package io.neli.spring.autoconfigure;

import io.neli.Neli;
import io.neli.NeliException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Lazy;

/** Refuses a mock of the election: other beans would fail with it, and no work would begin even if it leads. */
@Lazy(false)
final class MockVerification {

    /** Comes before the callbacks of all singletons, in which others call the election. */
    MockVerification(ObjectProvider<Neli> election) {
        election.ifUnique(neli -> {
            if (neli.snapshot() == null) { // never, except from a mock
                throw new NeliException(
                        "the bean of type io.neli.Neli is a mock, with which no @LeaderOnly call would run",
                        "annotate the test with @NeliTest of neli-spring-boot-starter-test, and use its FakeNeli"
                                + " instead of the mock");
            }
        });
    }
}
