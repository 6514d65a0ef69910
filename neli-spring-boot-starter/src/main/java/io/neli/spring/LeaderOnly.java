package io.neli.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.neli.LeaderEvent.LeaderAcquired;
import io.neli.Leadership;
import io.neli.Neli;
import io.neli.NeliBuilder;
import io.neli.NotLeaderException;

/**
 * Runs a method only where this member leads; elsewhere the call is skipped, or {@linkplain #otherwise throws}. On a type it
 * applies to each method of the type that a proxy can intercept, but for {@code equals}, {@code hashCode} and
 * {@code toString}; an annotation on a method comes before that on its type.
 *
 * <pre>{@code
 * @Scheduled(fixedDelay = 1000)
 * @LeaderOnly
 * void settle() { ... }
 * }</pre>
 *
 * <p>The call is {@linkplain Neli#beginWork() gated work}:
 *
 * <ul>
 *   <li>it starts when the {@link LeaderAcquired} listeners have returned, and not while the member hands over;
 *   <li>a handover waits for it, for at most the handover timeout: nobody else leads while it runs (with
 *       {@link io.neli.Mode#NON_EXCLUSIVE} others may);
 *   <li>a fence interrupts it, unless that was {@linkplain NeliBuilder#interruptOnFence switched off}. What the method
 *       throws then, the caller gets;
 *   <li>{@link Leadership#current()} is its term, whose role and token are in the logging context too.
 * </ul>
 *
 * <p>The return type says what a skipped call returns, and until when one counts as running:
 *
 * <ul>
 *   <li>{@code void}; an {@link java.util.Optional}, collection, map or array, which is empty then;
 *   <li>a {@link java.util.concurrent.CompletionStage} or {@code CompletableFuture}, which is then completed with null. The
 *       call counts as running until the stage completes. A fence does not cancel it: its computation might go on unseen;
 *   <li>Reactor's {@code Mono} and {@code Flux} and what Spring adapts to them, where Reactor is there. The method is called
 *       and gated at each subscription, which is empty then, and counts as running until it terminates or is cancelled. A
 *       fence cancels it, and its subscriber gets {@link NotLeaderException}. The {@link Leadership} is in the context of
 *       the subscription, under its class;
 *   <li>any other object, if the method is {@code @Nullable} (JSpecify's or any other): null.
 * </ul>
 *
 * <p>Among the advice of a bean the gate stands outside {@code @Transactional}, {@code @Cacheable} and whatever else makes
 * the proxy: a transaction has ended before the work counts as ended, a skipped call is not cached, and a standby serves
 * nothing from a cache. It stands inside {@code @Async}, {@code @Retryable} and {@code @ConcurrencyLimit}: work is gated on
 * the thread that does it, and each attempt anew. Work that the method hands to another thread and does not wait for is not
 * gated, nor is a call from within the same object: that does not pass through the proxy.
 *
 * <p>Start-up fails where the annotation could not work: on a private, final or static method; on one that returns what has
 * no value for a skipped call, unless it {@linkplain Otherwise#THROW throws} then, or a plain
 * {@link java.util.concurrent.Future}; on one that listens to a {@link LeadershipEvent}, during which no gated work begins;
 * on a {@code @Bean} method; on an interface that nothing behind a proxy implements; on one that consumes Kafka records, which a skipped call would lose; on a suspending function; on a bean that is created
 * before its post processor; also where the role is blank or has a placeholder that nothing resolves.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface LeaderOnly {

    /**
     * The role that this member must lead: one that is listed in {@code neli.roles}, or any other name, as {@link Neli}
     * says. May contain placeholders such as <code>${billing.role}</code>, which are resolved once, when the bean is created.
     * By default the first role of the list.
     */
    String role() default "";

    /** What becomes of a call where this member does not lead. */
    Otherwise otherwise() default Otherwise.SKIP;

    /** What becomes of a call where this member does not lead. */
    enum Otherwise {

        /** It returns a value that stands for nothing, and nothing else happens. */
        SKIP,

        /**
         * It throws {@link NotLeaderException}, which says who leads: at the call, also where a {@code CompletionStage} is
         * returned; a reactive type signals it to its subscriber. Any return type will do then but a plain {@code Future}.
         */
        THROW
    }
}
