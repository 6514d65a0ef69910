package io.neli.spring.autoconfigure;

import io.neli.NeliBuilder;

/**
 * Changes how the auto-configured election is built: for what has no property, and where a value must be computed. Beans of
 * this type are called in their order, after the {@code neli.*} properties have been passed to the builder. With
 * {@code neli.enabled=false}, only roles and group id have an effect. Set these two by their properties nevertheless: annotations
 * and the endpoint check roles against {@code neli.roles}, and without a group id no customizer is called.
 */
@FunctionalInterface
public interface NeliBuilderCustomizer {

    /** Changes the builder; does not build. */
    void customize(NeliBuilder builder);
}
