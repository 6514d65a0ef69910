package io.neli.spring.autoconfigure.endpoint;

import com.fasterxml.jackson.annotation.JsonValue;
import io.neli.NeliSnapshot;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** What {@link NeliEndpoint} shows; what is not known is {@code null}. */
public record NeliDescriptor(@JsonValue NeliSnapshot snapshot) implements OperationResponseBody {}
