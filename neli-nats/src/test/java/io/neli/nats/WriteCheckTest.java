package io.neli.nats;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;

import io.nats.client.JetStreamApiException;
import io.nats.client.api.PublishAck;
import io.nats.client.impl.NatsMessage;
import io.neli.internal.election.Moment;
import io.neli.internal.election.MonotonicTime;
import io.neli.internal.shell.Problem;
import io.neli.internal.shell.Problems;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

/** How long a connection may fail to write before it is abandoned. */
class WriteCheckTest {

    private static final Duration LEASE = Duration.ofSeconds(12);

    private MonotonicTime now = new MonotonicTime(0);
    private final NatsFailure failure = new NatsFailure("nats://host", "stream");
    private final Problems problems = new Problems("group");
    private final Map<String, WriteCheck.Refused> refused = new LinkedHashMap<>();
    private final WriteCheck check = connection();

    private WriteCheck connection() {
        return new WriteCheck(LEASE, () -> new Moment(now, 0), problems, failure, refused);
    }

    private Unsent.Attempt attempt() {
        return attempt("subject");
    }

    private Unsent.Attempt attempt(String subject) {
        return new Unsent.Attempt(
                NatsMessage.builder().subject(subject).data(new byte[0]).build(), now, 1);
    }

    private String problem() {
        return problems.of(Problems.Source.LOG).map(Problem::text).orElse("none");
    }

    private void pass(Duration duration) {
        now = now.plus(duration);
    }

    private void assertGoesOn() {
        assertThatCode(() -> check.check(100)).doesNotThrowAnyException();
    }

    @Test
    void a_third_of_a_lease_after_the_first_message_that_was_not_taken_the_connection_is_left() {
        pass(Duration.ofHours(1)); // a standby had nothing to write
        Unsent.Attempt first = attempt();
        pass(Duration.ofSeconds(2));
        check.failed(first, new IOException("no answer in time"));
        check.failed(attempt(), new IOException("no answer in time"));
        assertGoesOn();

        pass(Duration.ofSeconds(2));

        Throwable thrown = catchThrowable(() -> check.check(100));
        assertThat(failure.of(thrown).text()).contains("nothing has been written for 4000 ms, no answer in time");
    }

    @Test
    void one_message_that_is_taken_is_enough_to_stay() {
        Unsent.Attempt first = attempt();
        pass(Duration.ofSeconds(3));
        check.written(attempt(), 1);
        check.failed(first, new IOException("late"));
        pass(Duration.ofSeconds(3));
        assertGoesOn();
    }

    @Test
    void a_process_that_was_stopped_does_not_blame_the_server() {
        check.failed(attempt(), new IOException());
        pass(Duration.ofMinutes(1));
        check.resumed(Duration.ofMinutes(1));
        assertGoesOn();
    }

    @Test
    void what_the_server_has_refused_remains_the_problem() {
        check.refused("Permissions Violation for Publish");
        check.failed(attempt(), new IOException());
        pass(LEASE);
        assertThat(failure.of(catchThrowable(() -> check.check(100))).text()).contains("Permissions Violation");
    }

    @Test
    void what_the_server_has_refused_is_why_nothing_is_read() {
        check.refused("maximum subscriptions exceeded");
        check.written(attempt(), 1);
        check.check(1);
        pass(LEASE);
        assertThat(failure.of(catchThrowable(() -> check.check(1))).text()).contains("maximum subscriptions");
    }

    @Test
    void a_refused_subject_is_the_problem_until_a_message_there_is_taken_whatever_else_is_taken() {
        check.refused("Permissions Violation for Publish to \"neli.stream.0\"");
        check.refused("Permissions Violation for Publish to \"neli.stream.1\"");
        check.written(attempt("neli.stream.members"), 1);
        check.written(attempt("neli.stream.0"), 2);
        assertThat(problem()).contains("Permissions Violation");

        WriteCheck next = connection(); // it has been left, because nothing else was to be written
        problems.report(Problems.Source.LOG, failure.of(new IOException("not reached at first")));
        next.written(attempt("neli.stream.members"), 3);
        assertThat(problem()).contains("Permissions Violation");

        next.written(attempt("neli.stream.1"), 4);
        assertThat(problem()).isEqualTo("none");
    }

    @Test
    void a_refused_subject_to_which_nothing_is_written_any_more_is_no_problem_for_ever() {
        check.refused("Permissions Violation for Publish to \"neli.stream.0\"");
        pass(LEASE.multipliedBy(3).minusMillis(1));
        check.written(attempt(), 1);
        assertThat(problem()).contains("Permissions Violation");
        pass(Duration.ofMillis(1));
        check.written(attempt(), 2);
        assertThat(problem()).isEqualTo("none");
    }

    @Test
    void each_refused_subject_is_a_problem_for_a_time_of_its_own() {
        check.refused("Permissions Violation for Publish to \"neli.stream.0\"");
        pass(LEASE.multipliedBy(2));
        check.refused("Permissions Violation for Publish to \"neli.stream.members\"");
        pass(LEASE);
        check.written(attempt(), 1);
        assertThat(refused).containsOnlyKeys("neli.stream.members");
        assertThat(problem()).contains("Permissions Violation");
        assertThat(check.isRefused()).isTrue();
    }

    @Test
    void a_refused_login_is_over_with_the_next_connection() {
        check.refused("Authorization Violation");
        assertThat(problem()).contains("Authorization Violation");
        connection().written(attempt(), 1);
        assertThat(problem()).isEqualTo("none");
    }

    @Test
    void what_was_refused_once_and_taken_later_is_not_why_a_connection_ends() {
        check.refused("Permissions Violation for Publish to \"subject\"");
        check.written(attempt(), 1);
        assertThat(failure.of(check.failure("the connection is lost")).text()).contains("the connection is lost");
    }

    @Test
    void why_the_stream_has_taken_nothing_is_described_with_a_fix() {
        check.failed(attempt(), new JetStreamApiException(io.nats.client.api.Error.JsBadRequestErr));
        pass(LEASE);
        assertThat(failure.of(catchThrowable(() -> check.check(100))).text())
                .contains("the stream 'stream' cannot be used", "bad request", "limits of the account");
    }

    @Test
    void without_most_of_its_servers_a_cluster_is_described_as_such() {
        String answer = "{\"error\": {\"err_code\": 10008, \"description\": \"temporarily unavailable\"}}";
        Throwable refused = catchThrowable(() -> new PublishAck(
                NatsMessage.builder().subject("answer").data(answer).build()));
        assertThat(failure.of(refused).text()).contains("temporarily unavailable", "most of the servers");
    }

    @Test
    void a_failure_without_a_message_has_a_name() {
        assertThat(failure.of(new IOException("no connection", new TimeoutException()))
                        .text())
                .contains("no connection, TimeoutException;");
    }

    @Test
    void why_a_connection_is_left_is_said_once_and_without_the_name_of_a_class() {
        assertThat(failure.of(NatsFailure.ofConnection("the connection is lost"))
                        .text())
                .contains("'nats://host': the connection is lost;");
    }

    @ParameterizedTest
    @ValueSource(strings = {"_INBOX", "$JS.API.CONSUMER.CREATE.group", "$JS.FC.group", "$KV.group-runs", "neli.group"})
    void a_right_that_is_missing_stays_one_problem_though_the_subject_differs_in_each_request(String right) {
        Problem problem = failure.ofRefusal("Permissions Violation for Publish to \"" + right + ".a1.b\"");

        assertThat(problem.text()).contains("Publish to \"" + right + ".>\"");
        assertThat(failure.ofRefusal("Permissions Violation for Publish to \"" + right + ".c2\""))
                .isEqualTo(problem);
    }
}
