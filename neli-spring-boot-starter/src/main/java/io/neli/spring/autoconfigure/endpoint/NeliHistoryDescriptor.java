package io.neli.spring.autoconfigure.endpoint;

import java.util.List;

import io.neli.LeaderTerm;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * Who led a role.
 *
 * @param terms the earliest first
 */
public record NeliHistoryDescriptor(String role, int partition, List<LeaderTerm> terms)
        implements OperationResponseBody {

    public NeliHistoryDescriptor {
        terms = List.copyOf(terms);
    }
}
