package io.neli.spring.autoconfigure;

import io.neli.NeliBuilder;

/**
 * Changes how the auto-configured election is built: for what has no property, and where a value must be computed.
 * Beans of this type are called in their order, after the {@code neli.*} properties have been passed to the builder.
 * With {@code neli.enabled=false}, only roles and group id have an effect.
 */
@FunctionalInterface
public interface NeliBuilderCustomizer {

    /** Changes the builder; does not build. */
    void customize(NeliBuilder builder);
}
