package io.neli.spring.gate;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;

import io.neli.NeliException;
import org.jspecify.annotations.Nullable;

/** What carries an annotation; its name is for people. */
record AnnotatedPlace(Class<? extends Annotation> annotation, String name) {

    AnnotatedPlace(Class<? extends Annotation> annotation, Method method, Class<?> type) {
        this(annotation, type.getName() + "." + method.getName() + "()");
    }

    /** The failure of a start-up because the annotation cannot work there; to be thrown. */
    NeliException refusal(String problem, String fix) {
        return refusal(problem, fix, null);
    }

    NeliException refusal(String problem, String fix, @Nullable Throwable cause) {
        NeliException refusal =
                new NeliException("@" + annotation.getSimpleName() + " cannot work on " + name + ": " + problem, fix);
        refusal.initCause(cause);
        return refusal;
    }
}
