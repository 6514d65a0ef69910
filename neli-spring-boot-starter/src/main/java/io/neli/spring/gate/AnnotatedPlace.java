package io.neli.spring.gate;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;

import io.neli.NeliException;

/** What carries an annotation; its name is for people. */
record AnnotatedPlace(Class<? extends Annotation> annotation, String name) {

    AnnotatedPlace(Class<? extends Annotation> annotation, Method method, Class<?> type) {
        this(annotation, type.getName() + "." + method.getName() + "()");
    }

    /** The failure of a start-up because the annotation cannot work there; to be thrown. */
    NeliException refusal(String problem, String fix) {
        return new NeliException("@" + annotation.getSimpleName() + " cannot work on " + name + ": " + problem, fix);
    }
}
