package io.neli.internal.shell;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DaemonThreadTest {

    private final ClassLoader known = Thread.currentThread().getContextClassLoader();

    /** For a thread of the common pool, an executable jar looks like this. */
    @Test
    void a_thread_of_a_creator_whose_context_class_loader_does_not_know_us_has_ours() {
        assertThat(contextOfCreated(ClassLoader.getPlatformClassLoader()))
                .isSameAs(DaemonThread.class.getClassLoader());
        assertThat(contextOfCreated(null)).isSameAs(DaemonThread.class.getClassLoader());
    }

    @Test
    void a_class_loader_that_knows_us_is_inherited() {
        ClassLoader child = new ClassLoader(known) {};

        assertThat(contextOfCreated(child)).isSameAs(child);
    }

    private ClassLoader contextOfCreated(ClassLoader ofCreator) {
        Thread creator = Thread.currentThread();
        creator.setContextClassLoader(ofCreator);
        try {
            return DaemonThread.of("created", () -> {}).getContextClassLoader();
        } finally {
            creator.setContextClassLoader(known);
        }
    }
}
