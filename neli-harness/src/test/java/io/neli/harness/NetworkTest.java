package io.neli.harness;

import java.util.IntSummaryStatistics;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import static org.assertj.core.api.Assertions.assertThat;

class NetworkTest {

    @Test
    @EnabledIfSystemProperty(named = "surefire.real.class.path", matches = ".+", disabledReason = "there are no forks")
    void a_fork_of_a_build_knows_its_number() {
        assertThat(Integer.decode(System.getenv("TEST_FORK"))).isPositive();
    }

    @Test
    void forks_of_a_build_give_away_ports_of_their_own_below_those_of_the_kernel() {
        int last = 0;
        for (int fork = 0; fork < 5; fork++) {
            int number = fork;
            IntSummaryStatistics ports = IntStream.range(0, 100)
                    .map(count -> Network.freePort(number))
                    .summaryStatistics();
            assertThat(ports.getMin()).as("fork %d", fork).isGreaterThan(last);
            last = ports.getMax();
        }
        assertThat(last).isLessThan(32_000);
    }
}
