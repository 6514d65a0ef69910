package io.neli.spring.gate;

import java.lang.reflect.Method;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledFuture;
import java.util.stream.Stream;

import io.neli.Job;
import io.neli.Neli;
import io.neli.NeliException;
import io.neli.spring.LeaderOnly;
import io.neli.spring.LeaderOnly.Otherwise;
import io.neli.spring.LeaderOnly.Runs;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.Pointcuts;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.SchedulingAwareRunnable;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.CronTask;
import org.springframework.scheduling.config.IntervalTask;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.scheduling.config.TaskSchedulerRouter;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

/**
 * Makes a job of each method with {@link LeaderOnly#runs()}. The application's scheduler runs the method when the
 * group's job is due.
 */
final class ScheduledJobs
        implements BeanPostProcessor, Ordered, SchedulingConfigurer, SmartInitializingSingleton, DisposableBean {

    private static final String ASYNC = "org.springframework.scheduling.annotation.Async";

    private final ConfigurableApplicationContext context;
    private final ConfigurableListableBeanFactory beans;
    private final RoleResolver roles;
    private final TaskSchedulerRouter router = new TaskSchedulerRouter();
    private volatile @Nullable ScheduledTaskRegistrar others;
    private final Queue<String> scheduled = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Neli election;

    /** What schedules the jobs once the context is refreshed. */
    final Deferred onceRefreshed = new Deferred();

    ScheduledJobs(ConfigurableApplicationContext context, RoleResolver roles) {
        this.context = context;
        this.beans = context.getBeanFactory();
        this.roles = roles;
        router.setBeanFactory(beans);
    }

    /** Registered with the post processors that have an order, so that no bean is gated without its jobs. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    /** A later configurer may still set the scheduler of all other methods. */
    @Override
    public void configureTasks(ScheduledTaskRegistrar registrar) {
        others = registrar;
    }

    /** The one that is named, or else the one of all other methods. */
    private TaskScheduler scheduler(String qualifier) {
        ScheduledTaskRegistrar known = others;
        TaskScheduler set = known == null || StringUtils.hasText(qualifier) ? null : known.getScheduler();
        return set == null ? router : set;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (!(bean instanceof AopInfrastructureBean)) {
            Class<?> type = LeaderOnlyBeanPostProcessor.typeOf(bean);
            refuseOnClass(type);
            LeaderOnlyMethods.annotated(type).forEach((method, annotation) -> {
                if (LeaderOnlyMethods.isJob(annotation)) {
                    add(bean, beanName, type, method, annotation.synthesize());
                }
            });
        }
        return bean;
    }

    static boolean isIn(Class<?> type) {
        return LeaderOnlyMethods.annotated(type).values().stream().anyMatch(LeaderOnlyMethods::isJob);
    }

    private static void refuseOnClass(Class<?> type) {
        LeaderOnly onType = AnnotatedElementUtils.findMergedAnnotation(type, LeaderOnly.class);
        if (onType != null && onType.runs() != Runs.EVERY_TICK) {
            throw new AnnotatedPlace(LeaderOnly.class, type.getName())
                    .refusal("runs is " + onType.runs() + ", and a class has no schedule", "put runs on the method");
        }
    }

    private void add(Object bean, String beanName, Class<?> type, Method method, LeaderOnly annotation) {
        AnnotatedPlace place = new AnnotatedPlace(LeaderOnly.class, method, type);
        boolean singleton = beans.containsLocalBean(beanName) && beans.isSingleton(beanName);
        Scheduled when = verified(bean, method, type, annotation, singleton, new Refusals(place, annotation.runs()));
        String role = roles.resolve(annotation.role(), place);
        String named = roles.withoutPlaceholders("name", annotation.name(), place);
        String name = named == null || named.isBlank() ? beanName + "." + method.getName() : named;
        Job.Schedule schedule = place.named(() -> new Schedules(beans, new ScheduledTaskRegistrar()).of(when, method));
        if (schedule != null) { // its cron is not '-'
            Job.Guarantee guarantee =
                    annotation.runs() == Runs.AT_LEAST_ONCE ? Job.Guarantee.AT_LEAST_ONCE : Job.Guarantee.AT_MOST_ONCE;
            Job.Task task = new ScheduledJob(beans, beanName, method);
            roles.check(() -> {
                Neli found = beans.getBean(Neli.class);
                election = found;
                String led = role.isEmpty() ? found.defaultRole() : role;
                onceRefreshed.add(() -> scheduled.add(place.named(() -> {
                    found.schedule(new Job(name, led, schedule, guarantee, executor(when.scheduler()), task));
                    return name;
                })));
            });
        }
    }

    /** Adds a listener that is notified after the one of Spring, which lets configurers choose the scheduler. */
    @Override
    public void afterSingletonsInstantiated() {
        context.addApplicationListener(
                GenericApplicationListener.forEventType(ContextRefreshedEvent.class, refreshed -> {
                    if (refreshed.getApplicationContext() == context) { // and not a child
                        onceRefreshed.open();
                    }
                }));
    }

    private Executor executor(String qualifier) {
        return run -> {
            TaskScheduler chosen = scheduler(qualifier);
            ScheduledFuture<?> unused = chosen.schedule(
                    new SchedulingAwareRunnable() {
                        @Override
                        public void run() {
                            run.run();
                        }

                        @Override
                        public @Nullable String getQualifier() {
                            return qualifier;
                        }
                    },
                    Instant.EPOCH); // at once, even if the scheduler's clock is behind
        };
    }

    private record Refusals(AnnotatedPlace place, Runs runs) {
        void when(boolean wrong, String problem, String fix) {
            if (wrong) {
                throw place.refusal("runs is " + runs + ", and " + problem, fix);
            }
        }
    }

    /** Refuses a method that cannot be a job, and returns its schedule. */
    private static Scheduled verified(
            Object bean, Method method, Class<?> type, LeaderOnly annotation, boolean singleton, Refusals refuse) {
        Set<Scheduled> schedules = AnnotatedElementUtils.getMergedRepeatableAnnotations(method, Scheduled.class);
        refuse.when(schedules.isEmpty(), "nothing says when it is due", "add @Scheduled to the method");
        refuse.when(
                schedules.size() > 1,
                "it has " + schedules.size() + " schedules",
                "use one cron expression, or a method for each");
        refuse.when(method.getParameterCount() > 0, "the method has parameters", "call a method without any");
        refuse.when(
                annotation.otherwise() != Otherwise.SKIP,
                "it throws where this member does not lead",
                "leave out 'otherwise'");
        refuse.when(
                LeaderOnlyReturns.isLate(method.getReturnType()),
                "it returns before its run ends",
                "return void when the work is done");
        refuse.when(
                isAsync(bean, method, type),
                "it is @Async, so nothing says when the run ends",
                "remove @Async: the run is on a thread of the scheduler, which may have several");
        refuse.when(!singleton, "it is not on a singleton bean, which a run finds by its name", "make it a singleton");
        return schedules.iterator().next();
    }

    /** Whether it has the annotation, or another one means the same to the bean's proxy. */
    private static boolean isAsync(Object bean, Method method, Class<?> type) {
        return Stream.of(method, type).anyMatch(place -> MergedAnnotations.from(place, SearchStrategy.TYPE_HIERARCHY)
                        .isPresent(ASYNC))
                || LeaderOnlyBeanPostProcessor.proxies(bean)
                        .flatMap(proxy -> Arrays.stream(proxy.getAdvisors()))
                        .anyMatch(advisor -> advisor instanceof PointcutAdvisor on
                                && on.getAdvice() instanceof AsyncExecutionInterceptor
                                && Pointcuts.matches(on.getPointcut(), method, type));
    }

    /** Ends the jobs of a context that closes, because its beans are gone. */
    @Override
    public void destroy() {
        Neli known = election;
        if (known != null) {
            scheduled.forEach(known::unschedule);
        }
        router.destroy();
    }

    /** Parses {@link Scheduled} as Spring does, but schedules nothing. */
    private static final class Schedules extends ScheduledAnnotationBeanPostProcessor {

        private final ScheduledTaskRegistrar registrar;
        private final StringValueResolver values;

        Schedules(ConfigurableListableBeanFactory beans, ScheduledTaskRegistrar registrar) {
            super(registrar);
            this.registrar = registrar;
            this.values = new EmbeddedValueResolver(beans); // expressions too
            setEmbeddedValueResolver(values);
        }

        Job.@Nullable Schedule of(Scheduled annotation, Method method) {
            try {
                processScheduled(annotation, method, method);
            } catch (ArithmeticException e) {
                throw new NeliException("a time of its @Scheduled is too long", "choose a shorter one");
            }
            for (CronTask task : registrar.getCronTaskList()) {
                return cron(task, annotation);
            }
            for (IntervalTask task : registrar.getFixedRateTaskList()) {
                return new Job.FixedRate(task.getIntervalDuration(), task.getInitialDelayDuration());
            }
            for (IntervalTask task : registrar.getFixedDelayTaskList()) {
                return new Job.FixedDelay(task.getIntervalDuration(), task.getInitialDelayDuration());
            }
            if (!registrar.hasTasks()) {
                return null;
            }
            throw new NeliException(
                    "runs: its @Scheduled is not repeated", "give it a cron expression, a rate or a delay");
        }

        private Job.Schedule cron(CronTask task, Scheduled annotation) {
            String zone = values.resolveStringValue(annotation.zone());
            ZoneId id = StringUtils.hasText(zone)
                    ? StringUtils.parseTimeZoneString(zone).toZoneId()
                    : ZoneId.systemDefault();
            String expression = String.join(" ", task.getExpression().trim().split("\\s+"));
            return new Job.Times("cron " + expression + " in " + id, new CronTimes(expression, id));
        }

        @Override
        protected Runnable createRunnable(Object target, Method method, @Nullable String qualifier) {
            return () -> {};
        }
    }
}
