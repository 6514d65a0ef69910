package io.neli.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.neli.Leadership;
import io.neli.Neli;
import io.neli.NotLeaderException;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Runs a method only where this member leads; elsewhere the call is skipped, or {@linkplain #otherwise throws}. On a
 * type it applies to each method that a proxy can intercept, except {@code equals}, {@code hashCode} and {@code
 * toString}; an annotation on a method comes before that on its type.
 *
 * <pre>{@code
 * @Scheduled(fixedDelay = 1000)
 * @LeaderOnly
 * void settle() { ... }
 * }</pre>
 *
 * <p>The call is {@linkplain Neli#beginWork() work}, which says when it starts, that a handover waits for it and that a
 * fence interrupts it. {@link Leadership#current()} is its term. What a skipped call returns is nothing, null where the
 * method is {@code @Nullable}, or an empty value. A call that returns a {@link java.util.concurrent.CompletionStage} is
 * running until that completes, and one that returns a reactive type from each subscription, where leadership is
 * checked, until it terminates.
 *
 * <p>Leadership is checked outside of {@code @Transactional}, {@code @Cacheable} and other advice of the bean, and
 * inside of {@code @Async}, {@code @Retryable} and {@code @ConcurrencyLimit}. It is not checked for a call from within
 * the same object. Work that the method hands to another thread without waiting for it is not part of the call.
 *
 * <p>Start-up fails with a {@link io.neli.NeliException} where the annotation could not work. {@code
 * docs/leader-only.md} lists these places, and how each return type is handled.
 */
@Documented
@Reflective
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface LeaderOnly {

    /**
     * The role that this member must lead. Placeholders such as <code>${billing.role}</code> are resolved once, when
     * the bean is created. It must be one of {@code neli.roles}; where only {@code neli.partitions} is set, any name
     * will do. By default {@link Neli#defaultRole()}.
     */
    String role() default "";

    /** What a call does where this member does not lead. */
    Otherwise otherwise() default Otherwise.SKIP;

    /**
     * What happens to a run of a {@code @Scheduled} method that its leader has missed, or not finished. By default
     * nothing: the method runs on each tick of the member that leads, and a tick that nobody leads at is lost.
     * Otherwise it is a job of the group, with one schedule for all members: {@code docs/schedules.md} says what that
     * promises and needs. Such a method runs for a run of the job only; any other call is skipped.
     *
     * @see ScheduledRun
     */
    Runs runs() default Runs.EVERY_TICK;

    /** The name of the job, by which its runs are recorded; by default those of the bean and the method. */
    String name() default "";

    /** What happens to runs that nobody led at their time, and to those that were begun and did not end. */
    enum Runs {

        /** Both are lost, and a run may come again on the next leader. */
        EVERY_TICK,

        /**
         * Both are made up for, the last of several. What has ended, with or without an exception, never runs again.
         */
        AT_LEAST_ONCE,

        /** Those that were not begun are made up for, the last of several; those that were begun never run again. */
        AT_MOST_ONCE
    }

    /** What a call does where this member does not lead. */
    enum Otherwise {

        /** It returns null or an empty value. */
        SKIP,

        /**
         * It throws {@link NotLeaderException}, which says who leads: at the call, even if a {@code CompletionStage} is
         * returned. A reactive type signals it to its subscriber. The method may return anything but a plain {@code
         * Future}.
         */
        THROW
    }
}
