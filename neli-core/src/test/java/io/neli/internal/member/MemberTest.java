package io.neli.internal.member;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

import io.neli.internal.election.Election;
import io.neli.internal.election.ElectionState;
import io.neli.internal.election.Input;
import io.neli.internal.election.LogId;
import io.neli.internal.election.MemberId;
import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.Participant;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class MemberTest {

    private final AtomicReference<Duration> cooldown = new AtomicReference<>();

    /** Leads, and notes for how long it is to be not eligible. */
    private Engine noting(Engine engine) {
        return (Engine) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Engine.class, Participant.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("participant")) {
                        return proxy;
                    }
                    if (method.getName().equals("resign")) {
                        cooldown.set((Duration) arguments[1]);
                    }
                    return method.invoke(engine, arguments);
                });
    }

    @Test
    void a_member_whose_listener_could_not_prepare_is_not_eligible_for_ten_leases_and_is_then() {
        MemberSettings settings = MemberNeliTest.settings(event -> {
            throw new IllegalStateException("meant to fail");
        });
        MemberNeli neli = new MemberNeli(settings, events -> noting(new DisabledEngine(settings, true, events)));
        neli.start();
        eventually().until(() -> cooldown.get() != null);
        neli.close();

        Election election = new Election(
                new MemberId("member", new UUID(0, 1)), settings.shell().election());
        Moment now = new Moment(new MonotonicTime(0), 0);
        ElectionState open = election.step(election.initial(true), new LogId(0, 0), new Input.LogOpened(0, 0), now)
                .state();
        ElectionState resigned =
                election.resign(open, null, cooldown.get(), now).state();
        MonotonicTime end = now.time().plus(settings.leaseDuration().multipliedBy(10));
        assertThat(resigned.eligibility().isEligibleAt(end.plus(Duration.ofNanos(-1))))
                .isFalse();
        assertThat(resigned.eligibility().isEligibleAt(end)).isTrue();
    }
}
