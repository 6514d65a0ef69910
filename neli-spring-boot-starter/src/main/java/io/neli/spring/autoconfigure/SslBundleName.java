package io.neli.spring.autoconfigure;

import io.neli.NeliException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/**
 * The name of an SSL bundle.
 *
 * @param property which it is the value of
 */
record SslBundleName(String property, String value) {

    /** @throws NeliException if there is no such bundle */
    SslBundle find(@Nullable SslBundles bundles) {
        if (bundles == null || !bundles.getBundleNames().contains(value)) {
            throw new NeliException(
                    property + " is '" + value + "', and there is no such SSL bundle",
                    "define spring.ssl.bundle.pem." + value + " or spring.ssl.bundle.jks." + value
                            + ", or name a bundle that there is");
        }
        return bundles.getBundle(value);
    }
}
