package io.neli.cluster;

import io.neli.TestServers;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One {@link ServerProcess} for all test classes that ask for it: starting one takes longer than most tests. */
final class SharedBroker implements ParameterResolver {

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return ServerProcess.class.isAssignableFrom(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.create(SharedBroker.class))
                .computeIfAbsent(ServerProcess.class, type -> TestServers.get().start(), ServerProcess.class);
    }
}
