package io.neli.spring.gate;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.neli.NeliException;
import io.neli.spring.LeaderOnly;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ReactiveTypeDescriptor;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.http.ResponseEntity;
import org.springframework.util.ObjectUtils;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.ConnectableFlux;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.ParallelFlux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LeaderOnlyReturnsTest {

    private static final LeaderOnly SKIP = AnnotationUtils.synthesizeAnnotation(LeaderOnly.class);
    private static final LeaderOnly THROW = AnnotationUtils.synthesizeAnnotation(
            Map.of("otherwise", LeaderOnly.Otherwise.THROW), LeaderOnly.class, null);

    static List<Method> values() {
        return methodsOf(Values.class);
    }

    static List<Method> nulls() {
        return methodsOf(Nulls.class);
    }

    static List<Method> publishers() {
        return methodsOf(Publishers.class);
    }

    static List<Method> withoutValue() {
        return methodsOf(WithoutValue.class);
    }

    static List<Method> refused() {
        return methodsOf(Refused.class);
    }

    static List<Method> late() {
        return methodsOf(Late.class);
    }

    private static List<Method> methodsOf(Class<?> type) {
        return List.of(type.getDeclaredMethods());
    }

    @ParameterizedTest
    @MethodSource("values")
    void a_type_with_an_empty_value_returns_that_where_a_call_is_skipped(Method method) {
        Object skipped = decided(method).skipped().get();

        assertThat(skipped).isInstanceOf(method.getReturnType());
        assertThat(isNothing(skipped)).as("%s", skipped).isTrue();
    }

    private static boolean isNothing(Object value) {
        if (value instanceof CompletionStage<?> stage) {
            return stage.toCompletableFuture().join() == null;
        }
        return value instanceof Iterable<?> iterable ? !iterable.iterator().hasNext() : ObjectUtils.isEmpty(value);
    }

    @Test
    void each_skipped_call_returns_a_value_of_its_own() throws Exception {
        LeaderOnlyMethod decided = decided(Values.class.getDeclaredMethod("list"));
        @SuppressWarnings("unchecked")
        List<String> first = (List<String>) decided.skipped().get();
        first.add("changed");
        assertThat((List<?>) decided.skipped().get()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("nulls")
    void null_is_returned_only_where_the_method_says_so(Method method) {
        assertThat(decided(method).skipped().get()).isNull();
    }

    @Test
    void null_is_returned_where_the_interface_says_so_whose_method_carries_the_annotation() throws Exception {
        Method method = NullableBehindInterface.class.getDeclaredMethod("name");
        Method annotated = NullableInterface.class.getDeclaredMethod("name");
        assertThat(LeaderOnlyReturns.decide("", SKIP, method, annotated, NullableBehindInterface.class)
                        .skipped()
                        .get())
                .isNull();
    }

    @Test
    void a_type_variable_counts_as_its_type() throws Exception {
        Method method = Base.class.getDeclaredMethod("value");
        assertThat(LeaderOnlyReturns.decide("", SKIP, method, method, OptionalBase.class)
                        .skipped()
                        .get())
                .isEqualTo(Optional.empty());
        assertRefused(method, StringBase.class, "value()", "it returns String");
    }

    @ParameterizedTest
    @MethodSource("publishers")
    void what_runs_when_it_is_subscribed_to_is_checked_there(Method method) {
        assertThat(decided(method).reactive()).isNotNull();
    }

    @Test
    void a_reactive_type_of_another_library_is_refused_where_it_cannot_be_empty() throws Exception {
        ReactiveAdapterRegistry.getSharedInstance()
                .registerReactiveType(
                        ReactiveTypeDescriptor.singleRequiredValue(Single.class),
                        source -> ((Single) source).value(),
                        publisher -> new Single(Mono.from(publisher)));
        Method method = Single.class.getDeclaredMethod("same");

        assertRefused(method, Single.class, "it returns Single, which has no value", "another type that may be empty");
        assertThat(LeaderOnlyReturns.decide("", THROW, method, method, Single.class)
                        .reactive())
                .isNotNull();
    }

    @ParameterizedTest
    @MethodSource("withoutValue")
    void any_other_type_is_refused_unless_the_call_throws_elsewhere(Method method) {
        assertRefused(
                method,
                WithoutValue.class,
                WithoutValue.class.getName() + "." + method.getName() + "()",
                "it returns " + method.getReturnType().getSimpleName(),
                "no value for a call that is skipped",
                "return",
                "@LeaderOnly(otherwise = THROW)");
        LeaderOnlyReturns.decide("", THROW, method, method, WithoutValue.class);
    }

    @ParameterizedTest
    @MethodSource("refused")
    void a_future_that_does_not_report_its_completion_is_always_refused(Method method) {
        assertThatThrownBy(() -> LeaderOnlyReturns.decide("", THROW, method, method, Refused.class))
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll("nothing reports when that completes", "return a CompletableFuture");
    }

    @ParameterizedTest
    @MethodSource("late")
    void so_is_what_does_its_work_after_the_call(Method method) {
        assertThatThrownBy(() -> LeaderOnlyReturns.decide("", THROW, method, method, Late.class))
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll("whose work is done after the call", "return the result itself")
                .hasMessageNotContaining("it returns ResponseEntity"); // what is in it does the work
    }

    @Test
    void a_publisher_of_a_kind_that_a_gate_cannot_make_is_refused() throws Exception {
        assertRefused(Kinds.class.getDeclaredMethod("shared"), Kinds.class, "ConnectableFlux", "return a Flux");
        assertRefused(Kinds.class.getDeclaredMethod("parallel"), Kinds.class, "ParallelFlux", "return a Publisher");
    }

    private LeaderOnlyMethod decided(Method method) {
        return LeaderOnlyReturns.decide("", SKIP, method, method, method.getDeclaringClass());
    }

    private void assertRefused(Method method, Class<?> type, String... messages) {
        assertThatThrownBy(() -> LeaderOnlyReturns.decide("", SKIP, method, method, type))
                .isInstanceOf(NeliException.class)
                .hasMessageContainingAll(messages);
    }

    interface Values {

        Optional<String> optional();

        Collection<String> collection();

        List<String> list();

        List<SseEmitter> emitters();

        ArrayList<String> arrayList();

        Set<String> set();

        SortedSet<String> sortedSet();

        NavigableSet<String> navigableSet();

        Map<String, String> map();

        SortedMap<String, String> sortedMap();

        NavigableMap<String, String> navigableMap();

        TreeMap<String, String> treeMap();

        String[] array();

        int[][] primitives();

        CompletionStage<String> stage();

        CompletableFuture<String> future();
    }

    @NullMarked
    interface Nulls {

        void nothing();

        @Nullable
        Void nothingAsObject();

        @Nullable
        String nullable();

        @Nullable
        Integer boxed();

        @Nullable
        EnumSet<Thread.State> withoutEmptyValue();
    }

    interface NullableInterface {

        @LeaderOnly
        @Nullable
        String name();
    }

    static class NullableBehindInterface implements NullableInterface {

        @Override
        public String name() {
            return "ran";
        }
    }

    abstract static class Base<T> {

        abstract T value();
    }

    abstract static class OptionalBase extends Base<Optional<String>> {}

    abstract static class StringBase extends Base<String> {}

    interface Publishers {

        Mono<String> mono();

        Flux<String> flux();

        Publisher<String> publisher();

        Flow.Publisher<String> flow();
    }

    interface Kinds {

        ConnectableFlux<String> shared();

        ParallelFlux<String> parallel();
    }

    interface WithoutValue {

        int primitive();

        boolean flag();

        Integer boxed();

        String text();

        Object anything();

        EnumSet<Thread.State> enumSet();
    }

    interface Refused {

        Future<String> future();

        FutureTask<String> task();
    }

    interface Late {

        Callable<String> callable();

        Stream<String> stream();

        IntStream numbers();

        DeferredResult<String> deferred();

        WebAsyncTask<String> task();

        SseEmitter emitter();

        StreamingResponseBody body();

        ResponseEntity<StreamingResponseBody> entity();
    }

    record Single(Mono<?> value) {

        Single same() {
            return this;
        }
    }
}
