package io.neli.spring.test;

import io.neli.LeaderEvent.LeaderRevoked;
import io.neli.LeaderListener;
import io.neli.test.FakeNeli;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import static org.mockito.ArgumentMatchers.isA;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

@SpringJUnitConfig(BillingApplication.Job.class)
@NeliTest(roles = "reports")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class NeliTestMocksTest {

    @Autowired
    private FakeNeli fake;

    @MockitoBean(name = "listener")
    private LeaderListener listener;

    @Test
    @Order(1)
    void a_mock_records_the_events_of_its_test() {
        fake.revoke();
        verify(listener).onEvent(isA(LeaderRevoked.class));
    }

    @Test
    @Order(2)
    void a_mock_records_no_event_of_the_reset_between_tests() {
        verifyNoInteractions(listener);
    }
}
