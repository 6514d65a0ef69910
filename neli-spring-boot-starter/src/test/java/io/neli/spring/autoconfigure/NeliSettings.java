package io.neli.spring.autoconfigure;

import java.util.Map;

import io.neli.Neli;
import io.neli.NeliBuilder;
import org.springframework.boot.context.properties.bind.Binder;

/** Checks the election's settings in an application's properties, without starting the election. */
public final class NeliSettings {

    private NeliSettings() {}

    /** Fails as an application named {@code billing} with these properties would. */
    public static void check(Binder binder) {
        NeliProperties properties = binder.bindOrCreate("neli", NeliProperties.class);
        NeliBuilder builder = Neli.builder().kafka(Map.of("bootstrap.servers", "broker:9092"));
        new NeliBuilderConfigurer(properties, "billing").configure(builder);
        builder.build();
    }
}
