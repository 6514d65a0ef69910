package io.neli.spring.autoconfigure;

import io.neli.NeliBuilder;

/**
 * Customizes the builder of the auto-configured election, for settings that have no property or a computed value. Beans
 * of this type are called in their order, after the {@code neli.*} properties have been passed to the builder. With
 * {@code neli.enabled=false}, only group id, roles, partitions and metadata have an effect. With {@code
 * neli.require-readiness=true}, only the property {@code neli.candidate} makes an observer.
 */
@FunctionalInterface
public interface NeliBuilderCustomizer {

    /** Changes the builder, but does not call {@code build()}. */
    void customize(NeliBuilder builder);
}
