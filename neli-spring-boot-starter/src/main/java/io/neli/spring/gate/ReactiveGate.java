package io.neli.spring.gate;

import java.util.Optional;
import java.util.function.Supplier;

import io.neli.LeaderWork;
import io.neli.Leadership;
import io.neli.Neli;
import io.neli.NotLeaderException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Checks leadership at each subscription to what a method returns: the method is called then, and what it returned is work
 * until it terminates or is cancelled. Only loaded where Reactor is on the class path.
 */
final class ReactiveGate {

    private final LeaderOnlyMethod method;
    private final ReactiveAdapter adapter;
    private final Supplier<? extends Neli> election;
    private final ProxyMethodInvocation invocation;

    private ReactiveGate(
            LeaderOnlyMethod method,
            ReactiveAdapter adapter,
            Supplier<? extends Neli> election,
            ProxyMethodInvocation invocation) {
        this.method = method;
        this.adapter = adapter;
        this.election = election;
        this.invocation = invocation;
    }

    /** What the call returns instead; the method is called later. */
    static Object around(
            LeaderOnlyMethod method,
            ReactiveAdapter adapter,
            Supplier<? extends Neli> election,
            MethodInvocation invocation) {
        ReactiveGate gate = new ReactiveGate(method, adapter, election, (ProxyMethodInvocation) invocation);
        return adapter.fromPublisher(adapter.isMultiValue() ? gate.flux() : gate.mono());
    }

    private Flux<Object> flux() {
        return Flux.using(
                this::begin, begun -> begun.map(this::flux).orElseGet(() -> Flux.from(otherwise())), this::end);
    }

    private Mono<Object> mono() {
        return Mono.using(
                this::begin, begun -> begun.map(this::mono).orElseGet(() -> Mono.from(otherwise())), this::end);
    }

    private Flux<Object> flux(LeaderWork work) {
        Fence fence = new Fence(work, election);
        return Flux.from(call(work, fence))
                .doOnSubscribe(fence::watch)
                .takeUntilOther(fence.signal.asMono())
                .contextWrite(context -> context.put(Leadership.class, work.leadership()));
    }

    private Mono<Object> mono(LeaderWork work) {
        Fence fence = new Fence(work, election);
        return Mono.from(call(work, fence))
                .doOnSubscribe(fence::watch)
                .takeUntilOther(fence.signal.asMono())
                .contextWrite(context -> context.put(Leadership.class, work.leadership()));
    }

    private Optional<LeaderWork> begin() {
        return method.begin(election.get());
    }

    private void end(Optional<LeaderWork> begun) {
        begun.ifPresent(LeaderWork::close);
    }

    private Publisher<Object> otherwise() {
        method.otherwise(election.get());
        return Mono.empty();
    }

    private Publisher<Object> call(LeaderWork work, Fence fence) {
        Object returned = proceed();
        work.detach(fence);
        return adapter.toPublisher(returned);
    }

    private @Nullable Object proceed() {
        try {
            return invocation.invocableClone().proceed(); // there may be more subscriptions
        } catch (Throwable e) {
            throw Exceptions.propagate(e); // unwrapped again on its way to the subscriber
        }
    }

    /** Cancels what runs; the operator that signals the subscriber does not. */
    private record Fence(
            LeaderWork work, Supplier<? extends Neli> election, Disposable.Swap upstream, Sinks.Empty<Object> signal)
            implements Runnable {

        Fence(LeaderWork work, Supplier<? extends Neli> election) {
            this(work, election, Disposables.swap(), Sinks.empty());
        }

        /** Cancels it at once if the fence came first. */
        void watch(Subscription subscription) {
            upstream.replace(subscription::cancel);
        }

        @Override
        public void run() {
            upstream.dispose();
            String role = work.leadership().role();
            signal.tryEmitError(new NotLeaderException(role, election.get().leader(role)));
        }
    }
}
