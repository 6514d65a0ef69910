package io.neli.spring.autoconfigure.endpoint;

import com.fasterxml.jackson.annotation.JsonValue;
import io.neli.NeliSnapshot;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** The answer of {@link NeliEndpoint}; unknown values are {@code null}. */
public record NeliDescriptor(@JsonValue NeliSnapshot snapshot) implements OperationResponseBody {}
