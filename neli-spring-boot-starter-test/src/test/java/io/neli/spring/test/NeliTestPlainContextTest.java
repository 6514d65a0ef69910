package io.neli.spring.test;

import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.LeaderListener;
import io.neli.Neli;
import io.neli.spring.test.BillingApplication.Job;
import io.neli.test.FakeNeli;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.assertj.core.api.Assertions.assertThat;

@SpringJUnitConfig
@NeliTest(
        leader = false,
        roles = {"invoices", "reports"})
@TestPropertySource(properties = {"neli.enabled=false", "neli.roles=mail", "neli.name=alice"})
class NeliTestPlainContextTest {

    @Autowired
    private FakeNeli fake;

    @Autowired
    @Qualifier("ownElection")
    private Neli own;

    @Autowired
    @Qualifier("otherElection")
    private Neli other;

    @Autowired
    @Qualifier("neliLifecycle")
    private Lifecycle lifecycle;

    @Autowired
    private Job job;

    @Autowired
    private Steps steps;

    @Test
    void each_role_may_be_led_without_the_others() {
        fake.acquire("reports");

        assertThat(job.report()).isEqualTo("reported");
        assertThat(job.settle()).isNull(); // settle() has the first role
        long token = fake.leadership("reports").orElseThrow().token();
        assertThat(steps.last).isEqualTo(new LeaderAcquired("reports", 1, token));
    }

    @Test
    void an_election_of_one_s_own_is_replaced_and_an_application_that_takes_no_part_does() {
        assertThat(own).isSameAs(fake).isSameAs(other);
        assertThat(lifecycle.isRunning()).isTrue();
        assertThat(fake.snapshot().name()).isEqualTo("alice");
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Job.class)
    static class Application {

        @Bean
        @Primary
        Neli ownElection() {
            throw new KafkaException("there is no broker");
        }

        @Bean
        Neli otherElection() {
            throw new KafkaException("there is no broker");
        }

        @Bean
        Steps steps(Neli neli) {
            return new Steps(neli);
        }
    }

    /** A listener that depends on its own election. */
    static class Steps implements LeaderListener {

        private final Neli neli;
        private Object last;

        Steps(Neli neli) {
            this.neli = neli;
        }

        @Override
        public void onEvent(io.neli.LeaderEvent event) {
            last = neli.isLeader(event.role()) ? event : null;
        }
    }
}
