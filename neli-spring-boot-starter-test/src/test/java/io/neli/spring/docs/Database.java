package io.neli.spring.docs;

import java.util.UUID;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** Runs each script on a new database. */
final class Database {

    private Database() {}

    static void execute(String script) {
        DriverManagerDataSource empty = new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID());
        new ResourceDatabasePopulator(new ByteArrayResource(script.getBytes())).execute(empty);
    }
}
