package io.neli.spring.gate;

import java.util.Optional;
import java.util.function.Supplier;

import io.micrometer.observation.Observation;
import io.neli.LeaderWork;
import io.neli.Leadership;
import io.neli.Neli;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Checks leadership at each subscription to what a reactive method returns. The method is called at the subscription,
 * and what it returns is work until it terminates or is cancelled. Only loaded where Reactor is on the class path.
 */
record ReactiveGate(
        LeaderOnlyMethod method,
        ReactiveAdapter adapter,
        Supplier<? extends Neli> election,
        LeaderOnlyObservations observations,
        MethodInvocation invocation) {

    /** The key in Reactor's context under which Micrometer finds the observation around a subscription. */
    private static final String OBSERVATION = "micrometer.observation";

    /** The publisher that the call returns. It calls the method at each subscription. */
    Object returned() {
        Flux<Object> gated = Flux.deferContextual(context -> Flux.using(
                () -> method.begin(election.get()),
                begun -> begun.map(work -> call(work, context.getOrDefault(OBSERVATION, null)))
                        .orElseGet(this::otherwise),
                begun -> begun.ifPresent(LeaderWork::close)));
        return adapter.fromPublisher(adapter.isMultiValue() ? gated : gated.singleOrEmpty());
    }

    private Publisher<Object> otherwise() {
        method.otherwise(election.get());
        return Mono.empty();
    }

    private Publisher<Object> call(LeaderWork work, @Nullable Observation outer) {
        Disposable.Swap upstream = Disposables.swap();
        Sinks.Empty<Object> fence = Sinks.empty();
        Object returned = proceed();
        work.detach(() -> {
            upstream.dispose(); // takeUntilOther does not cancel it on an error
            fence.tryEmitError(method.notLeader(election.get()));
        });
        Observation observation = observations.of(method, Optional.of(work.leadership()));
        if (outer != null) {
            observation.parentObservation(outer);
        }
        observation.start();
        return Flux.from(adapter.toPublisher(returned))
                .doOnSubscribe(
                        subscription -> upstream.replace(subscription::cancel)) // immediately if the fence came first
                .takeUntilOther(fence.asMono())
                .doOnError(observation::error)
                .doFinally(end -> observation.stop())
                .contextWrite(context ->
                        context.put(Leadership.class, work.leadership()).put(OBSERVATION, observation));
    }

    private @Nullable Object proceed() {
        try {
            // a clone, because there may be more subscriptions
            return ((ProxyMethodInvocation) invocation).invocableClone().proceed();
        } catch (Throwable e) {
            throw Exceptions.propagate(e); // Reactor unwraps it for the subscriber
        }
    }
}
