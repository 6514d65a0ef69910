package io.neli.internal.runs;

import java.time.Instant;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class RunTextTest {

    private static final Instant DUE = Instant.parse("2026-03-29T01:00:00Z");

    private static final RunRecord ENDED = new RunRecord(
            "close: the books", DUE, DUE.plusMillis(7), DUE.plusSeconds(3), true, "cron 0 0 3 * * * in Z", "a b", 42);

    @Test
    void a_record_is_text_that_people_can_read() {
        assertThat(RunText.key("billing", new RunKey("close: the books", 42, 1)))
                .isEqualTo("billing 42 1 close: the books");
        assertThat(RunText.value(ENDED))
                .isEqualTo(
                        """
                        job: close: the books
                        due: 2026-03-29T01:00:00Z
                        begun: 2026-03-29T01:00:00.007Z
                        ended: 2026-03-29T01:00:03Z
                        succeeded: true
                        schedule: cron 0 0 3 * * * in Z
                        member: a b
                        token: 42""");
    }

    @Test
    void what_was_written_is_read() {
        RunKey key = new RunKey("close: the books", 42, 1);
        for (String group : List.of("billing", "billing 42", "bücher / und +")) {
            assertThat(RunText.parseKey(group, RunText.key(group, key))).contains(key);
            assertThat(RunText.parseKey(group, RunText.key("another", key))).isEmpty();
        }
        assertThat(RunText.parseValue(RunText.value(ENDED) + "\nnew: field")).contains(ENDED);
        RunRecord since = new RunRecord("j", DUE, null, null, false, "rate PT1H", "m", 1);
        assertThat(RunText.parseValue(RunText.value(since))).contains(since);
        RunRecord separated = new RunRecord("j", DUE, null, null, false, "each\u2028day", "m", 1);
        assertThat(RunText.parseValue(RunText.value(separated))).contains(separated);
        RunRecord begun = new RunRecord("j", DUE, DUE, null, false, "rate PT1H", "m", 1);
        assertThat(RunText.parseValue(RunText.value(begun))).contains(begun);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "mark",
                "42",
                "group 42 1",
                "group x 1 job",
                "group 42 x job",
                "group 99999999999999999999 1 job"
            })
    void other_keys_are_no_keys(String text) {
        assertThat(RunText.parseKey("group", text)).isEmpty();
    }

    @Test
    void no_text_does_harm() {
        Random random = new Random(1);
        String text = RunText.value(ENDED);
        for (int i = 0; i < 10_000; i++) {
            StringBuilder changed = new StringBuilder(text);
            for (int change = 0; change <= i % 5; change++) {
                changed.setCharAt(random.nextInt(changed.length()), (char) random.nextInt(300));
            }
            RunText.parseValue(changed.substring(0, random.nextInt(changed.length())));
            RunText.parseKey("billing", changed.toString());
        }
        assertThat(RunText.parseValue("x".repeat(100_000))).isEmpty();
        assertThat(RunText.parseValue(text.replace("2026-03-29T01:00:00Z", "+999999999-01-01T00:00:00Z")))
                .isEmpty();
    }
}
