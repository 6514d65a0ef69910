package io.neli.spring.autoconfigure;

import io.neli.NeliException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/** Finds the SSL bundle that a property names. */
final class NamedSslBundle {

    private NamedSslBundle() {}

    static SslBundle find(@Nullable SslBundles bundles, String property, String name) {
        if (bundles == null || !bundles.getBundleNames().contains(name)) {
            throw new NeliException(
                    property + " is '" + name + "', and there is no such SSL bundle",
                    "define spring.ssl.bundle.pem." + name + " or spring.ssl.bundle.jks." + name
                            + ", or name a bundle that there is");
        }
        return bundles.getBundle(name);
    }
}
