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
 * Runs a method only while this member leads; otherwise the call is skipped, or {@linkplain #otherwise throws}. On a
 * type it applies to each method that a proxy can intercept, except {@code equals}, {@code hashCode}, {@code toString}
 * and handlers of exceptions; an annotation on a method overrides the one on its type.
 *
 * <pre>{@code
 * @Scheduled(fixedDelay = 1000)
 * @LeaderOnly
 * void settle() { ... }
 * }</pre>
 *
 * <p>The call is {@linkplain Neli#beginWork() work}: it starts only after the listeners have prepared, a handover waits
 * for it, and a fence interrupts it. {@link Leadership#current()} returns its term. A skipped call returns nothing,
 * null if the method is {@code @Nullable}, or an empty value. A call that returns a {@link
 * java.util.concurrent.CompletionStage} runs until that completes; one that returns a reactive type runs from each
 * subscription, which checks leadership, until it ends.
 *
 * <p>Leadership is checked outside of {@code @Transactional}, {@code @Cacheable} and other advice of the bean, and
 * inside of {@code @Async}, {@code @Retryable} and {@code @ConcurrencyLimit}. It is not checked for a call from within
 * the same object. If the method hands work to another thread and does not wait for it, that work is not part of the
 * call.
 *
 * <p>Start-up fails with a {@link io.neli.NeliException} where the annotation cannot work. {@code docs/leader-only.md}
 * lists these places, and describes how each return type is handled.
 */
@Documented
@Reflective
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface LeaderOnly {

    /**
     * The role that this member must lead. Placeholders such as <code>${billing.role}</code> are resolved once, when
     * the bean is created. It must be one of {@code neli.roles}; if only {@code neli.partitions} is set, any name is
     * allowed. The default is {@link Neli#defaultRole()}.
     */
    String role() default "";

    /** What a call does while this member does not lead. */
    Otherwise otherwise() default Otherwise.SKIP;

    /**
     * What happens to a run of a {@code @Scheduled} method that was missed or not finished. By default nothing: the
     * method runs at each tick of the leader's scheduler, and a tick at which nobody leads is lost. With any other
     * value the method is a job of the group, with one schedule for all members; {@code docs/schedules.md} describes
     * its guarantees and requirements. The method then runs only for runs of the job; any other call is skipped.
     *
     * @see ScheduledRun
     */
    Runs runs() default Runs.EVERY_TICK;

    /** The name under which runs of the job are recorded; by default those of bean and method, joined by a dot. */
    String name() default "";

    /** What happens to runs that were due while nobody led, and to runs that were begun and did not end. */
    enum Runs {

        /** Both are lost, and the next leader may repeat a run. */
        EVERY_TICK,

        /** Both are made up for: of several, only the last. What has ended, even with an exception, is not repeated. */
        AT_LEAST_ONCE,

        /** Runs that were not begun are made up for: of several, only the last. Begun runs are never repeated. */
        AT_MOST_ONCE
    }

    /** What a call does while this member does not lead. */
    enum Otherwise {

        /** It returns null or an empty value. */
        SKIP,

        /**
         * It throws {@link NotLeaderException}, which names the leader. It throws immediately, even if the method
         * returns a {@code CompletionStage}. A reactive type signals the exception to its subscriber. The return type
         * may be any except a plain {@code Future}.
         */
        THROW
    }
}
