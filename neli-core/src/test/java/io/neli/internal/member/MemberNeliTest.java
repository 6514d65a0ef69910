package io.neli.internal.member;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;

import io.neli.LeaderListener;
import io.neli.Mode;
import io.neli.Neli;
import io.neli.internal.shell.MetricsReporter;
import io.neli.internal.shell.Participant;
import org.junit.jupiter.api.Test;

import static io.neli.TestMember.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class MemberNeliTest {

    static MemberSettings settings(LeaderListener... listeners) {
        return new MemberSettings(
                "member",
                "group",
                "group.neli",
                1,
                true,
                0,
                Roles.checked(List.of(), 1),
                Map.of(),
                Mode.EXCLUSIVE,
                Duration.ofSeconds(3),
                Duration.ofMillis(500),
                Duration.ofHours(1),
                List.of(listeners),
                new MetricsReporter(List.of()),
                true,
                null,
                null,
                null);
    }

    /** An engine, and its participant, each of whose calls is shown to {@code calls} first. */
    private static Engine observed(Engine engine, BiConsumer<String, Object[]> calls) {
        return (Engine) Proxy.newProxyInstance(
                MemberNeliTest.class.getClassLoader(),
                new Class<?>[] {Engine.class, Participant.class},
                (proxy, method, arguments) -> {
                    calls.accept(method.getName(), arguments);
                    return method.getName().equals("participant") ? proxy : method.invoke(engine, arguments);
                });
    }

    @Test
    void an_engine_whose_start_failed_is_closed_and_the_next_start_begins_again() {
        AtomicInteger closes = new AtomicInteger();
        MemberSettings settings = settings();
        Neli neli = new MemberNeli(
                settings,
                events -> observed(new DisabledEngine(settings, false, events), (call, arguments) -> {
                    if (call.equals("start")) {
                        throw new IllegalStateException("meant to fail");
                    }
                    closes.addAndGet(call.equals("close") ? 1 : 0);
                }));

        assertThatThrownBy(neli::start).hasMessage("meant to fail");
        assertThat(closes).hasValue(1);
        assertThatThrownBy(neli::start).as("the next one").hasMessage("meant to fail");
        neli.close();
        assertThat(closes).hasValue(2);
    }

    @Test
    void a_member_whose_listener_could_not_prepare_is_not_eligible_for_ten_leases_and_is_then() {
        AtomicReference<Duration> cooldown = new AtomicReference<>();
        MemberSettings settings = settings(event -> {
            throw new IllegalStateException("meant to fail");
        });
        Neli neli = new MemberNeli(
                settings,
                events -> observed(new DisabledEngine(settings, true, events), (call, arguments) -> {
                    if (call.equals("resign")) {
                        cooldown.set((Duration) arguments[1]);
                    }
                }));

        neli.start();
        eventually().until(() -> cooldown.get() != null);
        neli.close();

        assertThat(cooldown).hasValue(settings.leaseDuration().multipliedBy(10));
    }

    @Test
    void a_start_that_comes_after_the_close_waits_for_nothing() {
        MemberSettings settings = settings();
        List<String> called = new CopyOnWriteArrayList<>();
        Engine.Factory engines =
                events -> observed(new DisabledEngine(settings, true, events), (call, arguments) -> called.add(call));
        Member member = new Member(settings, engines, List.of(), InstantSource.system());

        member.close();
        member.start();
        member.awaitStarted();

        assertThat(called).doesNotContain("awaitStarted");
    }
}
