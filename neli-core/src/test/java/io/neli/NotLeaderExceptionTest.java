package io.neli;

import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class NotLeaderExceptionTest {

    @Test
    void it_says_which_role_is_meant_and_who_leads() {
        assertThat(new NotLeaderException("invoices", Optional.of(new Leader("invoices", "bob", 17, false, Map.of()))))
                .hasMessageContainingAll("'invoices'", "'bob' leads it with token 17")
                .extracting(NotLeaderException::role)
                .isEqualTo("invoices");
        assertThat(new NotLeaderException("invoices", Optional.empty()))
                .hasMessageContainingAll("'invoices'", "nobody is known to lead it");
    }

    @Test
    void a_member_that_leads_and_lets_no_work_begin_says_why() {
        assertThat(new NotLeaderException("invoices", Optional.of(new Leader("invoices", "alice", 3, true, Map.of()))))
                .hasMessageContaining("it leads with token 3, but its listeners are still preparing, or it hands over");
    }
}
