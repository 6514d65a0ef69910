package io.neli.spring.test;

import java.time.Duration;
import java.util.Optional;

import io.neli.Leader;
import io.neli.LeaderWork;
import io.neli.Neli;
import io.neli.spring.LeaderAcquiredEvent;
import io.neli.spring.LeaderFencedEvent;
import io.neli.spring.LeaderRevokedEvent;
import io.neli.spring.LeadershipEvent;
import io.neli.spring.test.BillingApplication.Job;
import io.neli.test.FakeNeli;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.event.ApplicationEvents;
import org.springframework.test.context.event.RecordApplicationEvents;

import static org.assertj.core.api.Assertions.assertThat;

/** Each method changes the fake's state, and finds the state that the annotation specifies. */
@SpringBootTest(webEnvironment = WebEnvironment.NONE)
@NeliTest
@RecordApplicationEvents
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class NeliTestTest {

    @Autowired
    private FakeNeli fake;

    @Autowired
    private Neli neli;

    @Value("#{@neli}")
    private Neli named;

    @Autowired
    private Job job;

    @Autowired
    private ApplicationEvents events;

    @Autowired
    private ConfigurableApplicationContext context;

    @Test
    @Order(1)
    void a_leader_runs_its_jobs_until_the_test_says_otherwise() {
        assertThat(neli).isSameAs(fake).isSameAs(named);
        assertThat(job.settle()).isEqualTo("settled");

        fake.fence();

        assertThat(job.settle()).isNull();
        assertThat(events.stream(LeadershipEvent.class)).singleElement().isInstanceOf(LeaderFencedEvent.class);
        assertThat(job.received()).endsWith("LeaderFencedEvent");
    }

    @Test
    @Order(2)
    void it_leads_again_after_a_test_that_ended_fenced() {
        assertThat(job.settle()).isEqualTo("settled");
        assertThat(events.stream(LeadershipEvent.class)).isEmpty();

        fake.revoke();
        fake.acquire();

        assertThat(events.stream(LeadershipEvent.class))
                .hasExactlyElementsOfTypes(LeaderRevokedEvent.class, LeaderAcquiredEvent.class);
        fake.pause();
    }

    @Test
    @Order(3)
    void it_leads_again_after_a_test_that_ended_paused() {
        assertThat(job.settle()).isEqualTo("settled");

        Optional<LeaderWork> work = neli.beginWork();
        neli.resign(Duration.ofDays(1));
        work.orElseThrow().close();
    }

    @Test
    @Order(4)
    void it_leads_again_after_a_test_that_resigned() {
        assertThat(job.settle()).isEqualTo("settled");

        context.stop();
        assertThat(neli.isLeader()).isFalse();
        context.start();

        assertThat(job.settle()).isEqualTo("settled");
    }

    @Test
    @Order(5)
    void it_leads_again_when_a_cached_context_is_used_again() {
        long token = neli.leadership().orElseThrow().token();

        context.pause();
        assertThat(neli.isLeader()).isFalse();
        context.restart();

        assertThat(job.settle()).isEqualTo("settled");
        assertThat(neli.leadership().orElseThrow().token()).isGreaterThan(token);
    }

    @Nested
    class Inside {

        @Test
        void a_nested_test_leads_too() {
            assertThat(job.settle()).isEqualTo("settled");
            fake.revoke();
        }
    }

    @Nested
    @NeliTest(leader = false)
    class OfItsOwn {

        @Autowired
        private Job job;

        @Autowired
        private FakeNeli neli;

        @Test
        void a_nested_test_may_ask_for_another_state() {
            assertThat(job.settle()).isNull();
            assertThat(neli.leader().map(Leader::name)).contains(FakeNeli.OTHER);
        }
    }
}
