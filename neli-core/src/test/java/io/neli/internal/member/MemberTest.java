package io.neli.internal.member;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import io.neli.internal.shell.Participant;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;

class MemberTest {

    private final AtomicReference<Duration> cooldown = new AtomicReference<>();

    /** An engine that leads, and notes how long it must not be eligible. */
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

        assertThat(cooldown).hasValue(settings.leaseDuration().multipliedBy(10));
    }

    @Test
    void a_start_that_comes_after_the_close_waits_for_nothing() {
        MemberSettings settings = MemberNeliTest.settings();
        AtomicBoolean waits = new AtomicBoolean();
        Engine.Factory engines = events -> {
            Engine engine = new DisabledEngine(settings, true, events);
            return (Engine) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Engine.class}, (proxy, method, arguments) -> {
                        waits.compareAndSet(false, method.getName().equals("awaitStarted"));
                        return method.invoke(engine, arguments);
                    });
        };
        Member member = new Member(settings, engines, List.of(), InstantSource.system());
        member.close();
        member.start();
        member.awaitStarted();
        assertThat(waits).isFalse();
    }
}
