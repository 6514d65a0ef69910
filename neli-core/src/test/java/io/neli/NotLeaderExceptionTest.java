package io.neli;

import java.util.Optional;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NotLeaderExceptionTest {

    @Test
    void itSaysWhichRoleIsMeantAndWhoLeads() {
        assertThat(new NotLeaderException("invoices", Optional.of(new Leader("invoices", "bob", 17, false))))
                .hasMessageContainingAll("'invoices'", "'bob' leads it with token 17")
                .extracting(NotLeaderException::role)
                .isEqualTo("invoices");
        assertThat(new NotLeaderException("invoices", Optional.empty()))
                .hasMessageContainingAll("'invoices'", "nobody is known to lead it");
    }

    @Test
    void aMemberThatLeadsAndLetsNoWorkBeginSaysWhy() {
        assertThat(new NotLeaderException("invoices", Optional.of(new Leader("invoices", "alice", 3, true))))
                .hasMessageContaining("it leads with token 3, but its listeners still prepare, or it hands over");
    }
}
