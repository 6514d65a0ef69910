package io.neli.spring.autoconfigure.endpoint;

import java.util.List;
import java.util.Map;

import io.neli.NeliException;
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
 * Refuses parameters of {@link NeliEndpoint} that Boot would ignore: with a misspelt {@code role}, a command would be
 * for the whole member. The answer says why, which Boot does not show by default.
 */
final class NeliEndpointRequests implements OperationInvokerAdvisor {

    @Override
    public OperationInvoker apply(
            EndpointId endpoint, OperationType type, OperationParameters parameters, OperationInvoker invoker) {
        List<String> fields =
                parameters.stream().map(OperationParameter::getName).toList();
        if (fields.isEmpty() || !endpoint.equals(EndpointId.of(NeliEndpoint.ID))) {
            return invoker;
        }
        String known = type == OperationType.READ ? "role or since" : "cooldown, role or job";
        return context -> {
            if (!context.canResolve(WebServerNamespace.class)) { // JMX clients see parameters and exceptions
                return invoker.invoke(context);
            }
            try {
                context.getArguments().forEach((field, value) -> {
                    if (value == null || !fields.contains(field)) {
                        throw NeliEndpoint.refused(field, value, "use " + known + ", each with a value");
                    }
                });
                return invoker.invoke(context);
            } catch (InvalidEndpointRequestException e) {
                return answer(WebEndpointResponse.STATUS_BAD_REQUEST, "Bad Request", e);
            } catch (NeliException e) { // the log cannot be read
                return answer(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, "Service Unavailable", e);
            }
        };
    }

    private static WebEndpointResponse<Map<String, Object>> answer(int status, String error, RuntimeException why) {
        String message = String.valueOf(why.getMessage());
        return new WebEndpointResponse<>(Map.of("status", status, "error", error, "message", message), status);
    }
}
