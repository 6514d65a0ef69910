package io.neli.spring.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

import io.neli.spring.autoconfigure.NeliSettings;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.ClassUtils;

/** The properties that a page shows. */
final class Configuration {

    private static final Metadata METADATA = Metadata.ofTheClassPath();

    private final MutablePropertySources sources = new MutablePropertySources();

    static Configuration read(CodeBlock block) {
        PropertySourceLoader loader =
                block.language().equals("yaml") ? new YamlPropertySourceLoader() : new PropertiesPropertySourceLoader();
        Configuration configuration = new Configuration();
        try {
            loader.load(block.toString(), new ByteArrayResource(block.code().getBytes()))
                    .forEach(configuration.sources::addLast);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return configuration;
    }

    private List<String> names() {
        return sources.stream()
                .map(source -> (PropertySource<?>) source)
                .flatMap(source -> List.of(((EnumerablePropertySource<?>) source).getPropertyNames()).stream())
                .map(name -> name.replaceAll("\\[\\d+]", ""))
                .distinct()
                .toList();
    }

    List<String> unknown() {
        return names().stream().filter(name -> METADATA.find(name).isEmpty()).toList();
    }

    /** Checks that each value has the right type, and that the election accepts its settings. */
    void bind() {
        Binder binder = new Binder(
                ConfigurationPropertySources.from(sources), new PropertySourcesPlaceholdersResolver(sources));
        for (String name : names()) {
            String type = METADATA.find(name).orElseThrow().type();
            if (ClassUtils.isPresent(type, null)) { // the other types have type arguments
                binder.bind(name, Bindable.of(ClassUtils.resolveClassName(type, null)));
            }
        }
        NeliSettings.check(binder);
    }
}
