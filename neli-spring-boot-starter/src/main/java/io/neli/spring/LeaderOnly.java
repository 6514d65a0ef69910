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
 * Runs a method only where this member leads; elsewhere the call is skipped, or {@linkplain #otherwise throws}. On a type it
 * applies to each method that a proxy can intercept, except {@code equals}, {@code hashCode} and {@code toString}; an
 * annotation on a method comes before that on its type.
 *
 * <pre>{@code
 * @Scheduled(fixedDelay = 1000)
 * @LeaderOnly
 * void settle() { ... }
 * }</pre>
 *
 * <p>The call is {@linkplain Neli#beginWork() work}, which says when it starts, that a handover waits for it and that a fence
 * interrupts it; what the method throws then, the caller gets. {@link Leadership#current()} is its term, whose role and token
 * are in the logging context too. The return type decides what a skipped call returns, and until when a call is running:
 *
 * <ul>
 *   <li>{@code void}, or an {@link java.util.Optional}, collection, map or array: nothing, or an empty one.
 *   <li>A {@link java.util.concurrent.CompletionStage} or {@code CompletableFuture}: one completed with null. The call is
 *       running until the stage completes. A fence does not cancel the stage.
 *   <li>Reactor's {@code Mono} and {@code Flux}, and what Spring adapts to them, if Reactor is on the class path: an empty one.
 *       The method is called at each subscription, where leadership is checked, and is running until that terminates or is
 *       cancelled. A fence cancels it, and its subscriber gets {@link NotLeaderException}. The {@link Leadership} is in the
 *       context of the subscription, under its class.
 *   <li>Any other object, if the method is {@code @Nullable}: null.
 * </ul>
 *
 * <p>Leadership is checked outside of {@code @Transactional}, {@code @Cacheable} and other advice of the bean: a transaction
 * has ended before the work counts as ended, and a skipped call is not cached. It is checked inside of {@code @Async},
 * {@code @Retryable} and {@code @ConcurrencyLimit}. It is not checked for a call from within the same object. Work that the
 * method hands to another thread without waiting for it is not part of the call.
 *
 * <p>Start-up fails with a {@link io.neli.NeliException} where the annotation could not work, such as on a method that a proxy
 * cannot intercept, or whose return type has no value for a skipped call; {@code docs/leader-only.md} lists them all.
 */
@Documented
@Reflective
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface LeaderOnly {

    /**
     * The role that this member must lead. Placeholders such as <code>${billing.role}</code> are resolved once, when the bean is
     * created. Where {@code neli.roles} is set it must be one of these, else any name will do. By default
     * {@link Neli#defaultRole()}.
     */
    String role() default "";

    /** What a call does where this member does not lead. */
    Otherwise otherwise() default Otherwise.SKIP;

    /**
     * Whether the election, on one of its threads, calls the method once in each term of this member too, when the listeners have
     * prepared. Calls of such a method never overlap in one bean: one that comes while another runs is skipped. Only on a method
     * of a singleton, without parameters, that skips.
     */
    boolean runOnAcquired() default false;

    /** What a call does where this member does not lead. */
    enum Otherwise {

        /** It returns null or an empty value. */
        SKIP,

        /**
         * It throws {@link NotLeaderException}, which says who leads: at the call, even if a {@code CompletionStage} is
         * returned. A reactive type signals it to its subscriber. The method may return anything but a plain {@code Future}.
         */
        THROW
    }
}
