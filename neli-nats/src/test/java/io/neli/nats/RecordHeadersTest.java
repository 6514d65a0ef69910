package io.neli.nats;

import java.time.Duration;
import java.util.UUID;

import io.nats.client.impl.Headers;
import io.neli.internal.election.Decoded;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.MemberId;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RecordHeadersTest {

    private final RecordHeaders headers = new RecordHeaders("Gruppe 1: ä/ö");

    @Test
    void a_record_with_any_characters_is_read_as_it_was_written() {
        MemberId member = new MemberId("größe % + \u65e5\u672c", new UUID(1, 2));
        LogRecord record = new LogRecord.Bid(new LogRecord.Sender(member, 7, Duration.ofSeconds(3)), -1);

        Headers written = headers.encode(record);

        assertThat(written.entrySet())
                .allSatisfy(header -> assertThat(header.getValue().get(0)).isASCII());
        assertThat(headers.decode(written)).isEqualTo(record);
    }

    @Test
    void a_message_without_headers_is_of_no_group() {
        assertThat(headers.decode(null)).isEqualTo(new Decoded.Unreadable(false));
        assertThat(headers.isOfGroup(null)).isFalse();
    }

    @Test
    void a_message_of_another_group_is_told_apart() {
        Headers other = new RecordHeaders("other").ofGroup();
        assertThat(headers.isOfGroup(other)).isFalse();
        assertThat(headers.isOfGroup(headers.ofGroup())).isTrue();
    }

    @Test
    void a_header_that_is_not_encoded_is_left_out() {
        LogRecord record = new LogRecord.Bid(
                new LogRecord.Sender(new MemberId("member", new UUID(1, 2)), 7, Duration.ofSeconds(3)), -1);
        assertThat(headers.decode(headers.encode(record).put("traced-by", "%zz")))
                .isEqualTo(record);
    }

    @Test
    void a_field_that_is_not_encoded_is_missing() {
        Headers broken = headers.ofGroup().put("neli", "%zz");
        assertThat(headers.decode(broken)).isInstanceOf(Decoded.Unreadable.class);
    }
}
