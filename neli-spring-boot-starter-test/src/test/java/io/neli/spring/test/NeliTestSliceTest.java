package io.neli.spring.test;

import io.neli.spring.test.BillingApplication.Invoices;
import io.neli.test.FakeNeli;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;

@WebMvcTest(Invoices.class)
@NeliTest(leader = false)
class NeliTestSliceTest {

    @Autowired
    private FakeNeli neli;

    @Autowired
    private MockMvcTester web;

    @Test
    void a_slice_has_the_fake_checks_leadership_and_refuses_requests_as_the_application_does() {
        assertThat(web.get().uri("/settle"))
                .hasStatus(HttpStatus.SERVICE_UNAVAILABLE)
                .hasHeader(HttpHeaders.RETRY_AFTER, "1");

        neli.acquire();

        assertThat(web.get().uri("/settle")).hasStatusOk().bodyText().isEqualTo("settled");
    }
}
