package io.neli.spring.gate;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.neli.LeaderEvent;
import io.neli.spring.LeaderOnly;
import io.neli.spring.LeaderOnly.Otherwise;
import io.neli.spring.LeadershipEvent;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.util.ClassUtils;

/**
 * The callers for which {@link LeaderOnly} does not work. They are recognized by marks of the method: its annotations,
 * the interface that declares it, its parameters, events and schedule, and the attribute of {@code @Bean} that names
 * it. Marks are names, because most are in libraries that an application may lack.
 */
enum LeaderOnlyCaller {
    LEADERSHIP(
            Applies.ALWAYS,
            "it listens to an event of leadership, and no work begins while these are delivered",
            "remove the annotation here, or move the method out of the annotated class",
            "leadershipEvent"),
    BEAN_METHOD(
            Applies.ALWAYS,
            "it is a @Bean method, which makes its bean on every member",
            "put the annotation on the bean's class or its methods, or @StartWhenLeading on the @Bean method of what should"
                    + " run only while this member leads",
            "org.springframework.context.annotation.Bean"),
    COROUTINE(
            Applies.ALWAYS,
            "it is a suspending function, whose end is not that of its call",
            "return a Mono or a CompletableFuture (mono { } and future { } of kotlinx-coroutines); or, with runs, return"
                    + " when the work is done (runBlocking { })",
            "kotlin.coroutines.Continuation"),
    INITIALIZATION(
            Applies.ON_METHOD,
            "it is called on every member when the bean is made, before a proxy can intercept it",
            "put what only the leader does into an @EventListener for LeaderAcquiredEvent",
            "initMethod",
            "jakarta.annotation.PostConstruct",
            "org.springframework.beans.factory.InitializingBean.afterPropertiesSet"),
    DESTRUCTION(
            Applies.ON_METHOD,
            "it is called on every member when the bean is destroyed, and no proxy intercepts that",
            "put what only the leader does into an @EventListener for LeaderRevokedEvent",
            "destroyMethod",
            "jakarta.annotation.PreDestroy",
            "java.lang.AutoCloseable.close",
            "org.springframework.beans.factory.DisposableBean.destroy"),
    LIFECYCLE(
            Applies.ALWAYS,
            "it is called when the application starts or stops, where this member does not lead yet or any longer",
            "put @StartWhenLeading on the bean, which then runs while this member leads",
            "org.springframework.context.Lifecycle.start",
            "org.springframework.context.Lifecycle.stop",
            "org.springframework.context.SmartLifecycle.stop"),
    SHUT_DOWN(
            Applies.ALWAYS,
            "it is called when the application stops, and this member no longer leads, so it never runs",
            "put what only the leader does into an @EventListener for LeaderRevokedEvent",
            "org.springframework.context.event.ContextClosedEvent",
            "org.springframework.context.event.ContextStoppedEvent",
            "org.springframework.context.event.ContextPausedEvent"),
    // Also for supertypes all of whose events come when the application starts or stops. A listener for
    // ApplicationEvent or Object is accepted: most events that it receives come while a member may lead.
    START_UP(
            Applies.WHERE_IT_SKIPS,
            "it is called once, while the application starts: this member may lead only later, and the call is skipped",
            "put what only the leader does into an @EventListener for LeaderAcquiredEvent",
            "org.springframework.boot.ApplicationRunner.run",
            "org.springframework.boot.CommandLineRunner.run",
            "org.springframework.beans.factory.SmartInitializingSingleton.afterSingletonsInstantiated",
            "org.springframework.boot.context.event.ApplicationStartedEvent",
            "org.springframework.boot.context.event.ApplicationReadyEvent",
            "org.springframework.boot.context.event.SpringApplicationEvent",
            "org.springframework.boot.web.server.context.WebServerInitializedEvent",
            "org.springframework.boot.web.server.reactive.context.ReactiveWebServerInitializedEvent",
            "org.springframework.boot.web.server.servlet.context.ServletWebServerInitializedEvent",
            "org.springframework.context.event.ContextRefreshedEvent",
            "org.springframework.context.event.ApplicationContextEvent"),
    ONE_TIME(
            Applies.WHERE_IT_SKIPS,
            "it is called only once: this member may lead only later, and the call is skipped",
            "put what only the leader does into an @EventListener for LeaderAcquiredEvent, or add fixedDelay",
            "oneTime"),
    RECORD(
            Applies.WHERE_IT_SKIPS,
            "it consumes records, and those of a skipped call would be committed unread",
            "use @StartWhenLeading, which lets its container run only while this member leads",
            "org.springframework.kafka.annotation.KafkaListener",
            "org.springframework.kafka.annotation.KafkaHandler",
            "org.springframework.kafka.annotation.DltHandler",
            "org.springframework.kafka.listener.GenericMessageListener.onMessage"),
    MESSAGE(
            Applies.WHERE_IT_SKIPS,
            "it consumes messages, and those of a skipped call would be acknowledged unread",
            "let it throw where this member does not lead, so that the message is delivered again:"
                    + " @LeaderOnly(otherwise = THROW); or make the listener's container a bean with @StartWhenLeading",
            "org.springframework.jms.annotation.JmsListener",
            "org.springframework.amqp.rabbit.annotation.RabbitListener",
            "org.springframework.amqp.rabbit.annotation.RabbitHandler",
            "org.springframework.pulsar.annotation.PulsarListener",
            "org.springframework.pulsar.reactive.config.annotation.ReactivePulsarListener",
            "org.springframework.integration.annotation.ServiceActivator",
            "org.springframework.modulith.events.ApplicationModuleListener",
            "org.springframework.messaging.MessageHandler.handleMessage",
            "org.springframework.amqp.core.MessageListener.onMessage",
            "org.springframework.amqp.core.MessageListener.onMessageBatch",
            "org.springframework.amqp.rabbit.listener.api.ChannelAwareMessageListener.onMessage",
            "org.springframework.amqp.rabbit.listener.api.ChannelAwareMessageListener.onMessageBatch",
            "org.springframework.jms.listener.SessionAwareMessageListener.onMessage",
            "jakarta.jms.MessageListener.onMessage",
            "io.awspring.cloud.sqs.annotation.SqsListener",
            "io.awspring.cloud.sqs.annotation.SqsHandler",
            "com.azure.spring.messaging.servicebus.implementation.core.annotation.ServiceBusListener"),
    // Last, because most annotations above are a @MessageMapping too.
    REQUEST(
            Applies.WHERE_IT_SKIPS,
            "it answers requests, and the answer of a skipped call would look like success or never come",
            "let it throw where this member does not lead: @LeaderOnly(otherwise = THROW)",
            "org.springframework.web.bind.annotation.RequestMapping",
            "org.springframework.web.HttpRequestHandler.handleRequest",
            LeaderOnlyCaller.GRPC_ANSWER,
            "org.springframework.web.service.annotation.HttpExchange",
            "org.springframework.messaging.handler.annotation.MessageMapping",
            "org.springframework.messaging.simp.annotation.SubscribeMapping",
            "org.springframework.graphql.data.method.annotation.SchemaMapping",
            "org.springframework.graphql.data.method.annotation.BatchMapping",
            "org.springframework.boot.actuate.endpoint.annotation.WriteOperation",
            "org.springframework.boot.actuate.endpoint.annotation.DeleteOperation",
            "jakarta.ws.rs.HttpMethod");

    private enum Applies {
        ALWAYS,
        /** Only if the method itself has the annotation, not its class. */
        ON_METHOD,
        /** Only if a call is skipped, and does not throw. */
        WHERE_IT_SKIPS
    }

    private static final String GRPC_ANSWER = "io.grpc.stub.StreamObserver";

    private final Applies applies;
    final String problem;
    final String fix;

    @SuppressWarnings("ImmutableEnumChecker") // Set.of is immutable
    private final Set<String> marks;

    LeaderOnlyCaller(Applies applies, String problem, String fix, String... marks) {
        this.applies = applies;
        this.problem = problem;
        this.fix = fix;
        this.marks = Set.of(marks);
    }

    /** The caller of this method for which the annotation does not work, if any. */
    static Optional<LeaderOnlyCaller> of(
            Method method,
            Class<?> type,
            @Nullable BeanDefinition definition,
            MergedAnnotation<LeaderOnly> leaderOnly) {
        boolean once = runsOnce(method) && !LeaderOnlyMethods.isJob(leaderOnly); // a job has checks of its own
        Set<String> marks = Stream.concat(
                        marks(method, type, definition), once ? Stream.of("oneTime") : Stream.<String>empty())
                .collect(Collectors.toSet());
        return Arrays.stream(values())
                .filter(caller ->
                        caller.appliesTo(leaderOnly) && caller.marks.stream().anyMatch(marks::contains))
                .findFirst();
    }

    /** Whether Spring calls a method with these annotations, even if it is private or static. */
    static boolean isCalledBySpring(Method method) {
        return LeaderOnlyMethods.annotationNames(method)
                .anyMatch(name -> name.equals(Scheduled.class.getName())
                        || name.equals(EventListener.class.getName())
                        || Stream.of(RECORD, MESSAGE, REQUEST).anyMatch(caller -> caller.marks.contains(name)));
    }

    private boolean appliesTo(MergedAnnotation<LeaderOnly> leaderOnly) {
        return switch (applies) {
            case ALWAYS -> true;
            case ON_METHOD -> leaderOnly.getSource() instanceof Method;
            case WHERE_IT_SKIPS -> leaderOnly.getEnum("otherwise", Otherwise.class) == Otherwise.SKIP;
        };
    }

    private static Stream<String> marks(Method method, Class<?> type, @Nullable BeanDefinition definition) {
        EventListener listener = AnnotatedElementUtils.findMergedAnnotation(method, EventListener.class);
        return Stream.of(
                        LeaderOnlyMethods.annotationNames(method),
                        LeaderOnlyMethods.declarations(method, type)
                                .map(declared -> declared.getDeclaringClass().getName() + "." + method.getName()),
                        Arrays.stream(method.getParameterTypes())
                                .map(LeaderOnlyCaller::mark)
                                .filter(name -> !name.equals(GRPC_ANSWER) || isGrpcService(type)),
                        listener == null
                                ? Stream.<String>empty()
                                : Arrays.stream(listener.classes()).map(LeaderOnlyCaller::mark),
                        definition == null || method.getParameterCount() > 0
                                ? Stream.<String>empty()
                                : callbacks(method.getName(), type, definition))
                .flatMap(Function.identity());
    }

    private static String mark(Class<?> type) {
        boolean isLeadershipEvent =
                LeaderEvent.class.isAssignableFrom(type) || LeadershipEvent.class.isAssignableFrom(type);
        return isLeadershipEvent ? "leadershipEvent" : type.getName();
    }

    /** Other code that has such a parameter may be a client's. */
    private static boolean isGrpcService(Class<?> type) {
        return ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                .anyMatch(face -> face.getName().equals("io.grpc.BindableService"));
    }

    /** Whether each {@link Scheduled}, if there is one, has only an initial delay. */
    private static boolean runsOnce(Method method) {
        Set<Scheduled> schedules = AnnotatedElementUtils.getMergedRepeatableAnnotations(method, Scheduled.class);
        return !schedules.isEmpty()
                && schedules.stream()
                        .allMatch(when -> (when.cron() + when.fixedDelayString() + when.fixedRateString()).isEmpty()
                                && when.fixedDelay() < 0
                                && when.fixedRate() < 0);
    }

    private static Stream<String> callbacks(String method, Class<?> type, BeanDefinition definition) {
        String destroy = definition.getDestroyMethodName();
        if (AbstractBeanDefinition.INFER_METHOD.equals(destroy)) { // the default of @Bean
            destroy = ClassUtils.hasMethod(type, "close") ? "close" : "shutdown";
        }
        return Stream.of(
                method.equals(definition.getInitMethodName()) ? "initMethod" : "",
                method.equals(destroy) ? "destroyMethod" : "");
    }
}
