package io.neli.spring.gate;

import java.lang.annotation.Annotation;

import io.neli.NeliException;

/** The failure of a start-up because an annotation could not work where it is. */
public final class Refusal {

    private Refusal() {}

    /**
     * An exception to be thrown.
     *
     * @param place what carries the annotation, for people
     */
    public static NeliException of(Class<? extends Annotation> annotation, String place, String problem, String fix) {
        return new NeliException("@" + annotation.getSimpleName() + " cannot work on " + place + ": " + problem, fix);
    }
}
