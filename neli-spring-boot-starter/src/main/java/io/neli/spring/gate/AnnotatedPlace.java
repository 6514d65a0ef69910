package io.neli.spring.gate;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.function.Supplier;

import io.neli.NeliException;
import org.jspecify.annotations.Nullable;

/** The method, class or bean that has an annotation; the name is for messages. */
record AnnotatedPlace(Class<? extends Annotation> annotation, String name) {

    AnnotatedPlace(Class<? extends Annotation> annotation, Method method, Class<?> type) {
        this(annotation, type.getName() + "." + method.getName() + "()");
    }

    /** Creates the exception to throw because the annotation cannot work there. */
    NeliException refusal(String problem, String fix) {
        return refusal(problem, fix, null);
    }

    NeliException refusal(String problem, String fix, @Nullable Throwable cause) {
        NeliException refusal =
                new NeliException("@" + annotation.getSimpleName() + " cannot work on " + name + ": " + problem, fix);
        refusal.initCause(cause);
        return refusal;
    }

    /** Makes the call. If it refuses a value, the exception names this place. */
    <T extends @Nullable Object> T named(Supplier<T> call) {
        try {
            return call.get();
        } catch (NeliException e) {
            throw refusal(e.problem(), e.fix(), e);
        }
    }
}
