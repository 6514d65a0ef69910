package io.neli.sample.broker;

import java.lang.reflect.Proxy;

/** Ignores signals that the terminal sends to all processes of the lab: the lab itself stops the others in order. */
final class IgnoredSignals {

    private IgnoredSignals() {}

    /**
     * By reflection, as the class for signals is not part of Java SE. Without it, the signals end this process as usual.
     *
     * @param names such as INT (Ctrl-C) and HUP (the terminal is closed)
     */
    static void ignore(String... names) {
        for (String name : names) {
            try {
                Class<?> signal = Class.forName("sun.misc.Signal");
                Class<?> handler = Class.forName("sun.misc.SignalHandler");
                Object ignore = Proxy.newProxyInstance(
                        handler.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> null);
                signal.getMethod("handle", signal, handler)
                        .invoke(null, signal.getConstructor(String.class).newInstance(name), ignore);
            } catch (ReflectiveOperationException e) {
                // Windows has no HUP
            }
        }
    }
}
