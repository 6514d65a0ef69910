package io.neli.sample.broker;

import java.lang.reflect.Proxy;
import java.util.List;

/** What a terminal sends to everything that was started in it: Ctrl-C, and its own end. */
public final class TerminalSignals {

    private TerminalSignals() {}

    /**
     * Leaves it to another process to end this one in its turn. The class is not part of Java SE, so a JDK may be without it:
     * then this process ends at once, too.
     */
    public static void ignore() {
        for (String name : List.of("INT", "HUP")) {
            try {
                Class<?> signal = Class.forName("sun.misc.Signal");
                Class<?> handler = Class.forName("sun.misc.SignalHandler");
                Object ignore = Proxy.newProxyInstance(
                        handler.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> null);
                signal.getMethod("handle", signal, handler)
                        .invoke(null, signal.getConstructor(String.class).newInstance(name), ignore);
            } catch (ReflectiveOperationException e) {
                // no HUP on Windows
            }
        }
    }
}
