package io.neli.sample.broker;

import java.lang.reflect.Proxy;

/** Signals that are meant for another process, which ends this one in its turn. */
public final class IgnoredSignals {

    private IgnoredSignals() {}

    /**
     * Does nothing from now on when these come. The class for that is not part of Java SE, so a JDK may be without it: then
     * they end this process, as ever.
     *
     * @param names such as INT, which Ctrl-C sends to all that was started in a terminal, and HUP, which its end does
     */
    public static void ignore(String... names) {
        for (String name : names) {
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
