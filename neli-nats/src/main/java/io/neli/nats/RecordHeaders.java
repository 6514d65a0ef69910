package io.neli.nats;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

import io.nats.client.impl.Headers;
import io.neli.internal.election.Decoded;
import io.neli.internal.election.LogRecord;
import io.neli.internal.election.RecordCodec;
import org.jspecify.annotations.Nullable;

/** Converts records to message headers and back. Headers allow ASCII only, so values are encoded as in a URL. */
final class RecordHeaders {

    private static final String GROUP = "group";

    private final RecordCodec codec;

    RecordHeaders(String groupId) {
        this.codec = new RecordCodec(groupId);
    }

    Headers encode(LogRecord record) {
        Headers headers = ofGroup();
        codec.encode(record).forEach((name, value) -> headers.put(name, encoded(value)));
        return headers;
    }

    /** Headers that mark a message as one of this group. */
    Headers ofGroup() {
        return new Headers().put(GROUP, encoded(codec.key()));
    }

    boolean isOfGroup(@Nullable Headers headers) {
        return headers != null && encoded(codec.key()).equals(headers.getFirst(GROUP));
    }

    static String encoded(byte[] value) {
        return URLEncoder.encode(new String(value, StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    /** The record, or why it is ignored. */
    Decoded decode(@Nullable Headers headers) {
        if (headers == null) {
            return codec.decode(null, Map.of());
        }
        Map<String, byte[]> fields = new HashMap<>();
        headers.entrySet().forEach(header -> {
            try {
                String value = URLDecoder.decode(header.getValue().get(0), StandardCharsets.UTF_8);
                fields.put(header.getKey(), value.getBytes(StandardCharsets.UTF_8));
            } catch (IllegalArgumentException e) {
                // not a header of ours
            }
        });
        return codec.decode(fields.remove(GROUP), fields);
    }
}
