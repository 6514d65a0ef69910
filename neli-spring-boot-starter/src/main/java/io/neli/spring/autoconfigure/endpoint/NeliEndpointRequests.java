package io.neli.spring.autoconfigure.endpoint;

import java.util.List;
import java.util.Map;

import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameter;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;

/**
 * Refuses what Boot would ignore in a request to {@link NeliEndpoint}: a misspelt {@code role} would mean the whole member. A
 * refusal is answered with the reason, which Boot does not show by default.
 */
final class NeliEndpointRequests implements OperationInvokerAdvisor {

    @Override
    public OperationInvoker apply(
            EndpointId endpoint, OperationType type, OperationParameters parameters, OperationInvoker invoker) {
        if (type != OperationType.WRITE || !endpoint.equals(EndpointId.of(NeliEndpoint.ID))) {
            return invoker;
        }
        List<String> fields =
                parameters.stream().map(OperationParameter::getName).toList();
        return context -> {
            if (!context.canResolve(WebServerNamespace.class)) { // JMX: its clients see fields and exceptions
                return invoker.invoke(context);
            }
            try {
                context.getArguments().forEach((field, value) -> {
                    if (value == null || !fields.contains(field)) {
                        throw NeliEndpoint.refused(field, value, "use cooldown, role or job, each with a value");
                    }
                });
                return invoker.invoke(context);
            } catch (InvalidEndpointRequestException e) {
                int status = WebEndpointResponse.STATUS_BAD_REQUEST;
                Map<String, Object> body = Map.of("status", status, "error", "Bad Request", "message", e.getMessage());
                return new WebEndpointResponse<>(body, status);
            }
        };
    }
}
